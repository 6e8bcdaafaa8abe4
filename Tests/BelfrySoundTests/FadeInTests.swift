import BelfryCore
import Foundation
import Testing

@testable import BelfrySound

@Suite struct FadeInTests {
  /// Every frame of a constant sound, against the curve by Foundation.
  @Test(arguments: [(0, 10), (3, 10), (0, 1800), (900, 1800), (10, 10)])
  func E11_fromMinus40LinearInDecibelsWithin1(_ passed: Int, _ length: Int) throws {
    let (rate, channels, seconds) = (8000, 2, 12)
    let fade = SoundFade(
      since: 5 * Nanoseconds.second, length: Int64(length) * Nanoseconds.second)
    var fadeIn = FadeIn(fade, at: Int64(5 + passed) * Nanoseconds.second, rate: rate)
    #expect((fadeIn == nil) == (passed >= length))
    var worst = 0.0
    var frame = 0
    while frame < rate * seconds {
      var piece = [Double](repeating: 1, count: 1024 * channels)
      let isFading = piece.withUnsafeMutableBufferPointer {
        fadeIn?.apply(to: $0, channels: channels) ?? false
      }
      if !isFading { fadeIn = nil }
      for place in 0..<1024 {
        let time = Double(passed) + Double(frame + place) / Double(rate)
        let expected = min(0, -40 * (1 - time / Double(length)))
        worst = max(worst, abs(20 * log10(piece[place * channels]) - expected))
        #expect(piece[place * channels] == piece[place * channels + 1])
      }
      frame += 1024
    }
    #expect(worst < 0.1)
  }

  @Test func E11_theGainIsThatOfLibm() {
    for decibels in stride(from: -40.0, through: 0, by: 0.37) {
      #expect(abs(FadeIn.gain(decibels) / pow(10, decibels / 20) - 1) < 1e-12)
    }
  }
}
