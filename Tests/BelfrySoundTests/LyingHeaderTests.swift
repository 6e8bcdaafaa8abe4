import Foundation
import TestSupport
import Testing

@testable import BelfrySound

@Suite(.ownThreads) struct LyingHeaderTests {
  @Test func S2_aDataSizeThatLiesIsReplacedByWhatIsThere() throws {
    let list: [UInt8] = Array("LIST".utf8) + little(UInt32(4)) + Array("INFO".utf8)
    let cases: [(String, LyingWAV, Int64)] = [
      ("true", LyingWAV(), 8000),
      ("0", LyingWAV(dataSize: 0), 8000),
      ("0xFFFFFFFF", LyingWAV(dataSize: .max), 8000),
      ("both 0xFFFFFFFF", LyingWAV(dataSize: .max, riffSize: .max), 8000),
      ("both 0", LyingWAV(dataSize: 0, riffSize: 0), 8000),
      ("too long", LyingWAV(dataSize: 1_000_000), 8000),
      ("too short", LyingWAV(dataSize: 100), 8000),
      ("too short by an odd number", LyingWAV(dataSize: 101), 8000),
      ("followed by a chunk", LyingWAV(after: list), 8000),
      ("followed by a chunk, no RIFF size", LyingWAV(riffSize: 0, after: list), 8000),
      (
        "followed by rubbish outside the RIFF", LyingWAV(riffSize: 36 + 16_000, after: [1, 2, 3]),
        8000
      ),
      ("cut in a frame", LyingWAV(samples: Array(LyingWAV().samples.prefix(7001))), 3500),
    ]
    for (name, wav, frames) in cases {
      let sound = try SoundFile(SoundSource(bytes: wav.bytes))
      #expect(sound.frames == frames, "\(name)")
      #expect(try decoded(sound).count == Int(frames), "\(name)")
    }
  }

  /// What a size that is right has behind it is not played (S2), whatever it is.
  @Test func S2_whatStandsBehindAPlausibleDataSizeIsNotPlayed() throws {
    var random = Xorshift(state: 9)
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    let picture = (0..<40_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let list: [UInt8] = Array("LIST".utf8) + little(UInt32(4)) + Array("INFO".utf8)
    let cases: [(String, [UInt8])] = [
      ("nothing", []),
      ("an ID3v1 tag", tag),
      ("zeros", [UInt8](repeating: 0, count: 128)),
      ("one byte", [0]),
      ("seven bytes", [1, 2, 3, 4, 5, 6, 7]),
      ("a block of zeros", [UInt8](repeating: 0, count: 65_536 - 16_044)),
      ("a block of flash", [UInt8](repeating: 0xFF, count: 40_000)),
      ("noise", Array(picture.prefix(12_000))),
      ("an ID3v2 tag with a picture", Array("ID3\u{4}\0\0".utf8) + [0, 2, 0x38, 0x40] + picture),
      ("an APEv2 tag with a picture", Array("APETAGEX".utf8) + picture),
      ("lyrics", Array("LYRICSBEGIN".utf8) + picture),
      ("a chunk, and a tag", list + tag),
      ("a chunk, and a tag with a picture", list + Array("ID3\u{3}".utf8) + picture),
      ("a chunk, and zeros", list + [UInt8](repeating: 0, count: 30_000)),
    ]
    for (name, after) in cases {
      let all = UInt32(36 + 16_000 + after.count)
      for riffSize in [all, .max, 0, 36 + 16_000] as [UInt32] {
        let wav = LyingWAV(riffSize: riffSize, after: after)
        let sound = try SoundFile(SoundSource(bytes: wav.bytes))
        #expect(sound.frames == 8000, "\(name), \(riffSize)")
        #expect(try decoded(sound).count == 8000, "\(name), \(riffSize)")
      }
    }
  }

  /// Without the byte that makes an odd count even, as some writers leave it out.
  @Test func S2_anOddDataSizeCountsWithAndWithoutItsPadding() throws {
    let tag = Array("ID3\u{3}".utf8) + [UInt8](repeating: 7, count: 20_000)
    let samples = [UInt8](repeating: 0x55, count: 8001)
    for after in [tag, [0] + tag] {
      let wav = LyingWAV(bits: 8, samples: samples, riffSize: .max, after: after)
      #expect(try SoundFile(SoundSource(bytes: wav.bytes)).frames == 8001)
    }
  }

  /// Exactly 30 s play, with a tag behind them.
  @Test func S2_aTagBehindThirtySecondsDoesNotMakeThemTooLong() throws {
    let scratch = Scratch()
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    let samples = [UInt8](repeating: 0x31, count: 480_000)
    for (name, after) in [("tag", tag), ("zeros", [UInt8](repeating: 0, count: 128))] {
      for riffSize in [UInt32.max, UInt32(36 + 480_128)] {
        let wav = LyingWAV(samples: samples, riffSize: riffSize, after: after)
        let path = scratch.write("\(name).wav", wav.bytes)
        #expect(try SoundResolver.open(path).frames == 240_000, "\(name)")
      }
    }
  }

  @Test func S2_whatStandsBehindTheSamplesOfAIFFAndCAFIsNotPlayed() throws {
    let scratch = Scratch()
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    for (kind, codec) in [("aiff", "pcm_s16be"), ("caf", "pcm_s16le")] {
      let path = scratch.file("whole.\(kind)")
      try makeSound(path, codec: codec, rate: 8000, channels: 1)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let frames = try SoundFile(SoundSource(bytes: bytes)).frames
      for after in [tag, [UInt8](repeating: 0, count: 3000)] {
        #expect(try SoundFile(SoundSource(bytes: bytes + after)).frames == frames, "\(kind)")
      }
    }
  }

  /// EBU's and the ITU's name for a WAV whose sizes may be long.
  @Test(arguments: ["RF64", "BW64"])
  func S1_longWAVsPlayUnderBothNames(_ name: String) throws {
    let samples = LyingWAV().samples
    let sizes =
      little(UInt64(80 + samples.count)) + little(UInt64(samples.count)) + little(UInt64(8000))
      + little(UInt32(0))
    for (size, after) in [
      (UInt32.max, []), (UInt32(16_000), []), (.max, Array("TAG".utf8) + sizes),
    ] {
      let plain = LyingWAV(dataSize: size, after: after).bytes
      // `ds64` stands first, and the form's own size is unknown.
      let long =
        Array(name.utf8) + little(UInt32.max) + Array("WAVEds64".utf8)
        + little(UInt32(sizes.count)) + sizes + plain[12...]
      let sound = try SoundFile(SoundSource(bytes: long))
      #expect(sound.frames == 8000)
      #expect(sound.format == "WAV, linear PCM, 16 bits")
      #expect(try decoded(sound) == decoded(SoundFile(SoundSource(bytes: LyingWAV().bytes))))
    }
  }

  /// A music player's tag in front of a file that has a beginning of its own.
  @Test func S1_anID3TagBeforeASoundIsSkipped() throws {
    func tag(_ count: Int, footer: Bool = false) -> [UInt8] {
      let size = [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
      let header = [4, 0, footer ? 0x10 : 0] + size
      let body = [UInt8](repeating: 0x41, count: count)
      return Array("ID3".utf8) + header + body + (footer ? Array("3DI".utf8) + header : [])
    }
    let scratch = Scratch()
    let kinds = [
      ("wav", "pcm_s16le"), ("aiff", "pcm_s16be"), ("caf", "adpcm_ima_qt"), ("flac", "flac"),
    ]
    for (kind, codec) in kinds {
      let path = scratch.file("whole.\(kind)")
      try makeSound(path, codec: codec, rate: 8000, channels: 2)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let plain = try SoundFile(path: path)
      let long = tag(Int(SoundSource.wholeLimit))
      for before in [tag(0), tag(1), tag(300), tag(20, footer: true), tag(5) + tag(6), long] {
        let tagged = try SoundFile(path: scratch.write("tagged.\(kind)", before + bytes))
        #expect(tagged.format == plain.format && tagged.frames == plain.frames)
        #expect(try decoded(tagged) == decoded(plain), "\(kind) behind \(before.count) bytes")
        #expect(try SoundFile(SoundSource(bytes: before + bytes)).frames == plain.frames)
      }
    }
    // MP3 is libsndfile's to read, with its tag; and nothing is made of what only begins like one.
    let path = scratch.file("whole.mp3")
    try makeSound(path, codec: "libmp3lame", rate: 44_100, channels: 2)
    #expect(try SoundFile(path: path).format == "MP3")
    let wav = LyingWAV().bytes
    for lie in [
      Array("ID3".utf8), Array("ID3".utf8) + [4, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + wav,
      tag(100).dropLast(50) + wav, tag(0) + [0, 0] + wav,
    ] {
      let sound = try? SoundFile(SoundSource(bytes: Array(lie)))
      #expect(sound?.format.hasPrefix("WAV") != true)
    }
  }

  @Test func S3_whatCannotPlayIsRefusedWithAReason() throws {
    let cases: [(String, LyingWAV, SoundError.Code)] = [
      ("no channels", LyingWAV(channels: 0), .unsupported),
      ("9 channels", LyingWAV(channels: 9), .unsupported),
      ("1,000 channels", LyingWAV(channels: 1000), .unsupported),
      ("65,535 channels", LyingWAV(channels: .max), .unsupported),
      ("rate 0", LyingWAV(rate: 0), .unsupported),
      ("rate 1", LyingWAV(rate: 1), .unsupported),
      ("rate 3,999", LyingWAV(rate: 3999), .unsupported),
      ("rate 192,001", LyingWAV(rate: 192_001), .unsupported),
      ("rate 0xFFFFFFFF", LyingWAV(rate: .max), .unsupported),
      ("0 bits", LyingWAV(bits: 0), .unsupported),
      ("7 bits", LyingWAV(bits: 7), .unsupported),
      ("33 bits", LyingWAV(bits: 33), .unsupported),
      ("16-bit float", LyingWAV(format: 3), .unsupported),
      ("MP3 in WAV", LyingWAV(format: 0x55), .unsupported),
      ("IMA4 in blocks of 2", LyingWAV(format: 0x11), .damaged),
      ("no samples", LyingWAV(samples: []), .empty),
      ("half a sample", LyingWAV(samples: [1]), .empty),
    ]
    for (name, wav, code) in cases {
      let error = #expect(throws: SoundError.self, "\(name)") {
        try SoundFile(SoundSource(bytes: wav.bytes))
      }
      #expect(error?.code == code, "\(name): \(error?.reason ?? "")")
    }
  }

  /// Every prefix of a file of each kind either plays or gives a reason.
  @Test(arguments: [("wav", "pcm_s16le"), ("aiff", "adpcm_ima_qt"), ("caf", "adpcm_ima_qt")])
  func S3_aFileCutAnywhereNeverTraps(_ kind: String, _ codec: String) throws {
    let scratch = Scratch()
    let path = scratch.file("whole.\(kind)")
    try makeSound(path, codec: codec, rate: 8000, channels: 2, seconds: 0.03)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var played = 0
    for length in 0..<bytes.count {
      guard let sound = try? SoundFile(SoundSource(bytes: Array(bytes[..<length]))) else {
        continue
      }
      played += 1
      #expect(try decoded(sound).count == Int(sound.frames) * 2)
    }
    #expect(played > bytes.count / 4)
  }

  @Test func S3_randomlyDamagedFilesNeverTrap() throws {
    let seed = TestSeed.here()
    var random = Xorshift(state: seed | 1)
    let scratch = Scratch()
    for (kind, codec) in [("wav", "adpcm_ima_wav"), ("aiff", "pcm_s16le"), ("caf", "pcm_f32be")] {
      let path = scratch.file("whole.\(kind)")
      try makeSound(path, codec: codec, rate: 8000, channels: 2, seconds: 0.05)
      let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      for _ in 0..<1000 {
        var bytes = whole
        for _ in 0..<4 {
          bytes[Int(random.next() % UInt64(min(120, bytes.count)))] = UInt8(random.next() & 0xFF)
        }
        if let sound = try? SoundFile(SoundSource(bytes: bytes)), !sound.isTooLong {
          let count = try decoded(sound).count
          #expect(count == Int(sound.frames) * sound.channels, "seed \(seed)")
        }
      }
    }
  }

  @Test func S3_whatIsNoFileIsRefusedInBoundedTime() throws {
    let scratch = Scratch()
    let fifo = scratch.file("fifo.wav")
    #expect(mkfifo(fifo, 0o600) == 0)
    let cases: [(String, SoundError.Code)] = [
      (scratch.file("missing.wav"), .missing),
      (scratch.path, .notAFile),
      (fifo, .notAFile),
      ("/dev/zero", .notAFile),
      ("/dev/null", .notAFile),
      (scratch.write("empty.wav", []), .empty),
      (scratch.write("one.wav", [0x52]), .notASound),
      (scratch.write("text.wav", Array("hello, world".utf8)), .notASound),
      (scratch.write("riff.wav", Array("RIFF".utf8)), .damaged),
      (scratch.write("avi.wav", Array("RIFF\u{4}\0\0\0AVI ".utf8)), .notASound),
    ]
    for (path, code) in cases {
      let before = try bytesRead()
      let error = #expect(throws: SoundError.self) { try SoundResolver.open(path) }
      #expect(error?.code == code, "\(path): \(error?.reason ?? "")")
      #expect(try bytesRead() - before < 1 << 20)
    }
  }

  @Test func S3_anUnreadableFileIsRefused() throws {
    let scratch = Scratch()
    let path = scratch.write("secret.wav", LyingWAV().bytes)
    chmod(path, 0)
    // Root reads everything, so the check is made as another user there.
    let words = [speakerProgram, "--check", path, "--json"]
    chmod(scratch.path, 0o755)
    let asOther = geteuid() == 0 ? ["setpriv", "--reuid=65534", "--clear-groups"] + words : words
    let run = try run(asOther)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.text.contains("it may not be read"))
  }

  @Test func S3_aHugeSparseFileCostsNothing() throws {
    let scratch = Scratch()
    let path = scratch.write("huge.wav", LyingWAV(dataSize: .max, riffSize: .max).bytes)
    #expect(truncate(path, 1 << 40) == 0)
    let before = try bytesRead()
    let error = #expect(throws: SoundError.self) { try SoundResolver.open(path) }
    #expect(error?.code == .tooLong)
    #expect(try bytesRead() - before < 1 << 20)
  }
}

/// A small reproducible generator.
struct Xorshift {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
