import BelfryCore
import CLoader

/// Decodes what libsndfile understands, where it is installed: FLAC, Ogg and MP3 (S1).
final class LibraryDecoder: SoundDecoder {
  /// Larger files are refused: their headers cost libsndfile time that nothing bounds.
  static let sizeLimit: Int64 = 64 << 20

  private let source: SoundSource
  private let handle: OpaquePointer

  init(_ source: SoundSource) throws(SoundError) {
    guard source.size <= Self.sizeLimit else {
      throw SoundError(.unsupported, "it is larger than 64 MiB")
    }
    guard cloader_sndfile_present() != 0 else {
      throw SoundError(.unsupported, "libsndfile is not installed, which reads FLAC, Ogg and MP3")
    }
    var channels: Int32 = 0
    var rate: Int32 = 0
    // The decoder keeps the source alive as long as the handle.
    let context = Unmanaged.passUnretained(source).toOpaque()
    guard
      let handle = cloader_sndfile_open(readSource, context, source.size, &channels, &rate)
    else { throw SoundError(.damaged, "libsndfile does not understand it") }
    self.handle = handle
    self.source = source
    super.init(channels: Int(channels), rate: Int(rate))
    guard SoundLayout.channelLimits.contains(self.channels) else {
      throw SoundError(.unsupported, "it has \(channels) channels; 1 to 8 play")
    }
    guard SoundLayout.rateLimits.contains(self.rate) else {
      throw SoundError(.unsupported, "its rate is \(rate) Hz; 4000 to 192000 Hz play")
    }
  }

  deinit {
    cloader_sndfile_close(handle)
  }

  override func read(
    into target: UnsafeMutableBufferPointer<Double>
  ) throws(SoundError) -> Int {
    guard let base = target.baseAddress else { return 0 }
    return max(0, Int(cloader_sndfile_read(handle, base, Int64(target.count / channels))))
  }

  /// Frames that really decode, counted up to one more than `limit`.
  func count(limit: Int64) throws(SoundError) -> Int64 {
    var frames: Int64 = 0
    try withUnsafeTemporaryAllocation(of: Double.self, capacity: 4096 * channels) {
      (buffer) throws(SoundError) in
      while frames <= limit {
        let got = try read(into: buffer)
        if got == 0 { break }
        frames += Int64(got)
      }
    }
    return frames
  }
}

private func readSource(
  _ context: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int64,
  _ offset: Int64
) -> Int64 {
  let source = Unmanaged<SoundSource>.fromOpaque(context).takeUnretainedValue()
  let buffer = UnsafeMutableRawBufferPointer(start: target, count: Int(clamping: count))
  guard let got = try? source.read(at: offset, into: buffer) else { return -1 }
  return Int64(got)
}
