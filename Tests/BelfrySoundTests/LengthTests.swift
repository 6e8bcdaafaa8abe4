import BelfryCore
import BelfryWire
import Testing

@testable import BelfrySound

struct LengthTests {
  @Test(arguments: [4000, 44_100, 48_000])
  func S2_thirtySecondsPlayAndAMillisecondMoreDoesNot(_ rate: Int) throws {
    let scratch = Scratch()
    for (milliseconds, plays) in [(30_000, true), (30_001, false)] {
      let frames = rate * milliseconds / 1000
      let wav = LyingWAV(
        rate: UInt32(rate), bits: 8, samples: [UInt8](repeating: 0x80, count: frames),
        // Whatever the header claims.
        dataSize: plays ? .max : 8000)
      let path = scratch.write("\(milliseconds).wav", wav.bytes)
      if plays {
        #expect(try SoundResolver.open(path).frames == Int64(frames))
      } else {
        #expect(throws: SoundError(.tooLong, "it lasts longer than 30 s")) {
          try SoundResolver.open(path)
        }
      }
    }
  }

  @Test(arguments: [1, 45, 600] as [Int64])
  func S2_E11_longerSoundsPlayByTheOperatorsWord(_ seconds: Int64) throws {
    let scratch = Scratch()
    for (name, more, plays) in [("exact", 0, true), ("over", 1, false)] {
      let wav = LyingWAV(
        bits: 8, samples: [UInt8](repeating: 0x80, count: Int(seconds) * 8000 + more))
      let path = scratch.write("\(name).wav", wav.bytes)
      let choice = SoundResolver(
        SoundSettings([Setting(key: "longest", value: "\(seconds * Nanoseconds.second)")])
      ).choose(path: path)
      #expect((choice.fallback == nil) == plays)
      if !plays { #expect(choice.fallback == "\(path): it lasts longer than \(seconds) s") }
    }
  }

  @Test func S2_oneFrameTooManyIsTooLong() throws {
    let wav = LyingWAV(bits: 8, samples: [UInt8](repeating: 0x80, count: 240_001))
    #expect(try SoundFile(SoundSource(bytes: wav.bytes)).isTooLong)
    let exact = LyingWAV(bits: 8, samples: [UInt8](repeating: 0x80, count: 240_000))
    #expect(try !SoundFile(SoundSource(bytes: exact.bytes)).isTooLong)
  }

  @Test func S2_compressedLengthsAreCountedToo() throws {
    let scratch = Scratch()
    for (seconds, plays) in [("30.000", true), ("30.001", false)] {
      for kind in ["caf", "flac"] {
        let path = scratch.file("\(seconds).\(kind)")
        let codec = kind == "caf" ? "pcm_alaw" : "flac"
        try makeSound(
          path, codec: codec, rate: 8000, channels: 1, seconds: Double(seconds) ?? 0)
        #expect(((try? SoundResolver.open(path)) != nil) == plays, "\(seconds) \(kind)")
      }
    }
  }
}
