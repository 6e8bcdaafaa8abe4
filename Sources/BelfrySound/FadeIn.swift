import BelfryCore

/// The gain of a sound that fades in (E11), by additions and multiplications alone: no libm.
struct FadeIn {
  /// How far below its volume a sound begins.
  static let floor = -40.0

  /// Decibels that it gains with each frame.
  private let slope: Double
  private var decibels: Double
  private var gain = 0.0
  /// Multiplied by with each frame.
  private let step: Double

  /// nil: it has its volume already. `now` is when the next frame is played.
  init?(_ fade: SoundFade, at now: Int64, rate: Int) {
    let passed = max(0, now - fade.since)
    guard passed < fade.length, rate > 0 else { return nil }
    slope = -Self.floor * Double(Nanoseconds.second) / Double(fade.length) / Double(rate)
    decibels = Self.floor * (1 - Double(passed) / Double(fade.length))
    gain = Self.gain(decibels)
    step = Self.gain(slope)
  }

  /// Multiplies frames; false: from the next on it has its volume.
  mutating func apply(to samples: UnsafeMutableBufferPointer<Double>, channels: Int) -> Bool {
    var place = 0
    // Afresh for each piece, so that no error adds up.
    gain = Self.gain(decibels)
    while place < samples.count {
      if decibels >= 0 { return false }
      for channel in 0..<min(channels, samples.count - place) { samples[place + channel] *= gain }
      gain *= step
      decibels += slope
      place += channels
    }
    return true
  }

  /// 10^(decibels / 20), for -100 to 1, within 1e-12.
  static func gain(_ decibels: Double) -> Double {
    // e^x as the 32nd power of e^(x/32), where the series converges fast.
    let x = decibels * 0.11512925464970228 / 32
    var term = 1.0
    var sum = 1.0
    var index = 1.0
    while index < 16 {
      term *= x / index
      sum += term
      index += 1
    }
    for _ in 0..<5 { sum *= sum }
    return sum
  }
}
