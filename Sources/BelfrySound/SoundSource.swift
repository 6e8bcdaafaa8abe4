import CLinux

/// The bytes of a sound at random access: a regular file, or memory.
///
/// A file of up to `wholeLimit` bytes is read whole when opened, so that the disk may fall asleep
/// before the sound is due; a longer one stays open and is read as it plays. Nothing is mapped: a
/// file cut while it plays ends early instead of raising SIGBUS. Immutable, so any thread may read.
public final class SoundSource: @unchecked Sendable {
  /// Largest file that is held in memory: 2 MiB, 20 s of CD stereo in 16 bits.
  public static let wholeLimit: Int64 = 2 << 20

  public let size: Int64
  private let descriptor: Int32
  private let memory: [UInt8]

  public init(bytes: [UInt8]) {
    size = Int64(bytes.count)
    memory = bytes
    descriptor = -1
  }

  /// Opens a regular file without ever waiting for a writer or a device: open(2) with O_NONBLOCK,
  /// then fstat(2). Anything else is refused by what it is.
  public init(path: String) throws(SoundError) {
    var length: Int64 = 0
    let opened = path.withCString { clinux_sound_open($0, &length) }
    if opened < 0 { throw Self.error(opened) }
    var whole: [UInt8] = []
    if length > 0 && length <= Self.wholeLimit {
      whole = [UInt8](repeating: 0, count: Int(length))
      let got = whole.withUnsafeMutableBytes { Self.fill($0, from: opened, at: 0) }
      clinux_sound_close(opened)
      if got < 0 { throw Self.error(Int32(got)) }
      whole.removeLast(whole.count - got)
      descriptor = -1
      size = Int64(got)
    } else {
      descriptor = opened
      size = length
    }
    memory = whole
  }

  deinit {
    if descriptor >= 0 { clinux_sound_close(descriptor) }
  }

  /// Copies what there is from `offset` on; the count is less than asked for at the end only.
  public func read(
    at offset: Int64, into target: UnsafeMutableRawBufferPointer
  ) throws(SoundError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    if descriptor >= 0 {
      let count = Self.fill(target, from: descriptor, at: offset)
      if count < 0 { throw Self.error(Int32(count)) }
      return count
    }
    let count = min(target.count, memory.count - Int(offset))
    memory.withUnsafeBytes {
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + count]))
    }
    return count
  }

  /// A part of a header; throws `damaged` if the file ends inside it.
  func fields(at offset: Int64, count: Int, bigEndian: Bool) throws(SoundError) -> HeaderFields {
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    var failure: SoundError?
    bytes.withUnsafeMutableBytes { target in
      do throws(SoundError) { got = try read(at: offset, into: target) } catch { failure = error }
    }
    if let failure { throw failure }
    if got < count { throw SoundError(.damaged, "it ends inside its header") }
    return HeaderFields(bytes: bytes, bigEndian: bigEndian)
  }

  private static func fill(
    _ target: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int64
  ) -> Int {
    guard let base = target.baseAddress else { return 0 }
    var done = 0
    while done < target.count {
      let got = clinux_sound_read(
        descriptor, base + done, target.count - done, offset + Int64(done))
      if got < 0 { return got }
      if got == 0 { break }
      done += got
    }
    return done
  }

  private static func error(_ status: Int32) -> SoundError {
    switch -status {
    case CLINUX_SOUND_MISSING: SoundError(.missing, "there is no such file")
    case CLINUX_SOUND_DENIED: SoundError(.unreadable, "it may not be read")
    case CLINUX_SOUND_FOLDER: SoundError(.notAFile, "it is a folder")
    case CLINUX_SOUND_SPECIAL: SoundError(.notAFile, "it is a pipe, a socket or a device")
    default: SoundError(.unreadable, "it cannot be read (error \(-status))")
    }
  }
}
