/// Belfry's own sound: two strokes of a small bell, computed.
///
/// `belfry-speaker --write-default-sound FILE` writes it, which is how the shipped `default.wav` was
/// made; where that file is missing, the same chime is computed and played (S4). Additions and
/// multiplications only, so that every machine makes the same bytes.
public enum BuiltInTone {
  static let rate = 24_000
  static let frames = 48_000

  /// The partials of a bell: frequency, loudness, decay to one half in seconds.
  private static let partials: [(ratio: Double, level: Double, half: Double)] = [
    (0.5, 0.20, 0.40), (1, 0.50, 0.28), (1.19, 0.22, 0.20), (1.5, 0.14, 0.16), (2, 0.26, 0.12),
    (2.74, 0.12, 0.07), (3.76, 0.06, 0.04),
  ]

  /// The chime as a WAV file: mono, 16 bits, 24 kHz, 2 s, 96,044 bytes.
  public static func wav() -> [UInt8] {
    var sum = [Double](repeating: 0, count: frames)
    failure(783.99, at: 0, &sum)
    failure(659.26, at: 10_800, &sum)
    var bytes: [UInt8] = Array("RIFF".utf8)
    let size = UInt32(frames * 2)
    bytes += little(36 + size, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
    bytes += little(1, 2) + little(UInt32(rate), 4) + little(UInt32(rate * 2), 4) + little(2, 2)
    bytes += little(16, 2) + Array("data".utf8) + little(size, 4)
    for (index, value) in sum.enumerated() {
      // The last 50 ms fade to nothing, so that the end does not click.
      let left = frames - index
      let fade = left < 1200 ? Double(left) / 1200 : 1
      let sample = Int16(max(-32767, min(32767, value * fade * 21_000)))
      bytes += little(UInt32(UInt16(bitPattern: sample)), 2)
    }
    return bytes
  }

  private static func failure(_ frequency: Double, at start: Int, _ sum: inout [Double]) {
    for partial in partials {
      // The per-frame factor f with f^(half × rate) = 1/2: 1 - x is close enough to it, and exact
      // to compute.
      let factor = 1 - 0.6931471805599453 / (partial.half * Double(rate))
      var level = partial.level
      for index in start..<frames {
        let time = Double(index - start) / Double(rate)
        // 2 ms to full strength.
        let attack = time < 0.002 ? time / 0.002 : 1
        sum[index] += attack * level * Sine.of(turns: frequency * partial.ratio * time)
        level *= factor
      }
    }
  }

  private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
  }
}
