import BelfryCore

/// A sound on its way to a device: decoded, its channels mapped, its rate changed, as bytes.
struct SamplePipeline {
  private static let pieceFrames = 1024

  private let decoder: SoundDecoder
  private let shape: SampleFormat
  private let gain: Double
  private let map: ChannelMap?
  private var resampler: Resampler?
  private var decoded: [Double]
  private var mapped: [Double] = []
  private var resampled: [Double] = []
  private var ended = false
  /// nil: it has its volume.
  private var fadeIn: FadeIn?

  /// `map`: how its channels become the device's; nil: they are these already. `fade`: when the first frame is played, on the elapsed clock, and how the sound fades in.
  init(
    _ decoder: SoundDecoder, shape: SampleFormat, map: ChannelMap?, rate: Int, gain: Double,
    fade: (at: Int64, how: SoundFade)? = nil
  ) {
    fadeIn = fade.flatMap { FadeIn($0.how, at: $0.at, rate: decoder.rate) }
    self.decoder = decoder
    self.shape = shape
    self.gain = gain
    self.map = map
    resampler =
      decoder.rate == rate
      ? nil : Resampler(channels: map?.to ?? decoder.channels, from: decoder.rate, to: rate)
    decoded = [Double](repeating: 0, count: Self.pieceFrames * decoder.channels)
  }

  /// Fills `bytes` with the next frames; false at the end. A decoder's error ends it too.
  mutating func next(_ bytes: inout [UInt8]) throws(SoundError) -> Bool {
    while !ended {
      let frames = try decode()
      ended = frames == 0
      fade(samples: frames * decoder.channels)
      produce(samples: frames * decoder.channels, &bytes)
      if !bytes.isEmpty { return true }
    }
    return false
  }

  private mutating func decode() throws(SoundError) -> Int {
    var frames = 0
    var failure: SoundError?
    decoded.withUnsafeMutableBufferPointer { buffer in
      do throws(SoundError) { frames = try decoder.read(into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    return frames
  }

  private mutating func fade(samples: Int) {
    guard fadeIn != nil else { return }
    let channels = decoder.channels
    var isFading = true
    decoded.withUnsafeMutableBufferPointer { buffer in
      let piece = UnsafeMutableBufferPointer(rebasing: buffer[..<samples])
      isFading = fadeIn?.apply(to: piece, channels: channels) ?? false
    }
    if !isFading { fadeIn = nil }
  }

  private mutating func produce(samples: Int, _ bytes: inout [UInt8]) {
    decoded.withUnsafeBufferPointer { buffer in
      let piece = UnsafeBufferPointer(rebasing: buffer[..<samples])
      guard map != nil || resampler != nil else {
        return shape.write(piece, gain: gain, to: &bytes)
      }
      mapped.removeAll(keepingCapacity: true)
      if let map { map.convert(piece, to: &mapped) } else { mapped.append(contentsOf: piece) }
    }
    guard map != nil || resampler != nil else { return }
    if resampler != nil {
      resampled.removeAll(keepingCapacity: true)
      mapped.withUnsafeBufferPointer {
        resampler?.convert($0, last: ended, to: &resampled)
      }
      resampled.withUnsafeBufferPointer { shape.write($0, gain: gain, to: &bytes) }
    } else {
      mapped.withUnsafeBufferPointer { shape.write($0, gain: gain, to: &bytes) }
    }
  }
}
