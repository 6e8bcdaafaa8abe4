import Foundation
import TestSupport
import Testing

@testable import BelfrySound

/// A file to make: its extension, ffmpeg's name of the codec, and what Belfry calls it.
struct Made: CustomTestStringConvertible, Sendable {
  var kind: String
  var codec: String
  var format: String

  init(_ kind: String, _ codec: String, _ format: String) {
    self.kind = kind
    self.codec = codec
    self.format = format
  }

  var testDescription: String { "\(kind) \(codec)" }
}

let everyCodec = [
  Made("wav", "pcm_u8", "WAV, linear PCM, 8 bits"),
  Made("wav", "pcm_s16le", "WAV, linear PCM, 16 bits"),
  Made("wav", "pcm_s24le", "WAV, linear PCM, 24 bits"),
  Made("wav", "pcm_s32le", "WAV, linear PCM, 32 bits"),
  Made("wav", "pcm_f32le", "WAV, linear PCM, float 32"),
  Made("wav", "pcm_f64le", "WAV, linear PCM, float 64"),
  Made("wav", "pcm_mulaw", "WAV, µ-law"),
  Made("wav", "pcm_alaw", "WAV, A-law"),
  Made("aiff", "pcm_s8", "AIFF, linear PCM, 8 bits"),
  Made("aiff", "pcm_s16be", "AIFF, linear PCM, 16 bits"),
  Made("aiff", "pcm_s24be", "AIFF, linear PCM, 24 bits"),
  Made("aiff", "pcm_s32be", "AIFF, linear PCM, 32 bits"),
  Made("aiff", "pcm_s16le", "AIFC, linear PCM, 16 bits"),
  Made("aiff", "pcm_f32be", "AIFC, linear PCM, float 32"),
  Made("aiff", "pcm_f64be", "AIFC, linear PCM, float 64"),
  Made("aiff", "pcm_mulaw", "AIFC, µ-law"),
  Made("aiff", "pcm_alaw", "AIFC, A-law"),
  Made("aiff", "adpcm_ima_qt", "AIFC, IMA4"),
  Made("caf", "pcm_s8", "CAF, linear PCM, 8 bits"),
  Made("caf", "pcm_s16be", "CAF, linear PCM, 16 bits"),
  Made("caf", "pcm_s16le", "CAF, linear PCM, 16 bits"),
  Made("caf", "pcm_s24be", "CAF, linear PCM, 24 bits"),
  Made("caf", "pcm_s24le", "CAF, linear PCM, 24 bits"),
  Made("caf", "pcm_s32be", "CAF, linear PCM, 32 bits"),
  Made("caf", "pcm_s32le", "CAF, linear PCM, 32 bits"),
  Made("caf", "pcm_f32be", "CAF, linear PCM, float 32"),
  Made("caf", "pcm_f32le", "CAF, linear PCM, float 32"),
  Made("caf", "pcm_f64be", "CAF, linear PCM, float 64"),
  Made("caf", "pcm_mulaw", "CAF, µ-law"),
  Made("caf", "pcm_alaw", "CAF, A-law"),
  Made("caf", "adpcm_ima_qt", "CAF, IMA4"),
]

@Suite(.ownThreads) struct DecodingTests {
  @Test(arguments: everyCodec)
  func S1_ffmpegsFilesDecodeSampleForSample(_ made: Made) throws {
    let scratch = Scratch()
    let wanted = [(1, 8000), (2, 96_000)].map { channels, rate in
      WantedSound(
        path: scratch.file("\(channels).\(made.kind)"), codec: made.codec, rate: rate,
        channels: channels)
    }
    try makeSounds(wanted)
    let theirs = try decodedByFFmpeg(wanted.map { $0.path }, scratch)
    for (one, theirs) in zip(wanted, theirs) {
      let sound = try SoundFile(path: one.path)
      #expect(sound.format == made.format)
      #expect(sound.channels == one.channels)
      #expect(sound.rate == one.rate)
      try expectEqual(try decoded(sound), theirs, one.channels)
    }
  }

  @Test(arguments: [11_025, 16_000, 22_050, 32_000, 44_100, 48_000])
  func S1_everyRate(_ rate: Int) throws {
    let scratch = Scratch()
    let codecs = [("wav", "pcm_s16le"), ("aiff", "pcm_s16be"), ("caf", "adpcm_ima_qt")]
    let wanted = codecs.map { kind, codec in
      WantedSound(path: scratch.file("tone.\(kind)"), codec: codec, rate: rate, channels: 2)
    }
    try makeSounds(wanted)
    let theirs = try decodedByFFmpeg(wanted.map { $0.path }, scratch)
    for (one, theirs) in zip(wanted, theirs) {
      let sound = try SoundFile(path: one.path)
      #expect(sound.rate == rate)
      try expectEqual(try decoded(sound), theirs, 2)
    }
  }

  /// ffmpeg computes (2 × code + 1) × step ÷ 8 for this one codec; the standard, and so Belfry,
  /// libsndfile and sox, add shifted steps, which rounds otherwise. So sox is the oracle here.
  @Test(arguments: [1, 2])
  func S1_microsoftsIMA4DecodesAsSoxDoes(_ channels: Int) throws {
    let scratch = Scratch()
    let source = scratch.file("source.wav")
    try makeSound(source, codec: "pcm_s16le", rate: 22_050, channels: channels)
    let path = scratch.file("ima.wav")
    #expect(try run(["sox", source, "-e", "ima-adpcm", path]).status == 0)
    let sound = try SoundFile(path: path)
    #expect(sound.format == "WAV, IMA4")
    // sox plays the filling of the last block; `fact` says where the sound ends.
    #expect(sound.frames == 8820)
    let expected = Array(try decodedBySox(path).prefix(8820 * channels))
    try expectEqual(try decoded(sound), expected, channels)
    let other = scratch.file("ffmpeg.wav")
    try makeSound(other, codec: "adpcm_ima_wav", rate: 8000, channels: channels)
    try expectEqual(try decoded(try SoundFile(path: other)), try decodedBySox(other), channels)
  }

  @Test(arguments: [
    ("wav", ["-b", "8", "-e", "unsigned"]), ("wav", ["-b", "24"]), ("wav", ["-B", "-b", "16"]),
    ("aiff", ["-b", "8"]), ("aiff", ["-b", "24"]), ("aifc", ["-b", "16"]),
    ("wav", ["-b", "32", "-e", "float"]), ("wav", ["-e", "a-law"]), ("wav", ["-e", "mu-law"]),
  ])
  func S1_soxsFilesDecodeSampleForSample(_ kind: String, _ options: [String]) throws {
    let scratch = Scratch()
    let source = scratch.file("source.wav")
    try makeSound(source, codec: "pcm_s32le", rate: 44_100, channels: 2)
    let path = scratch.file("made.\(kind)")
    let made = try run(["sox", "-D", source] + options + [path])
    try #require(made.status == 0, "sox: \(made.errors)")
    try expectEqual(try decoded(try SoundFile(path: path)), try decodedBySox(path), 2)
  }

  @Test(arguments: [3, 6, 8])
  func S1_upToEightChannels(_ channels: Int) throws {
    let scratch = Scratch()
    let path = scratch.file("many.wav")
    try makeSound(path, codec: "pcm_s16le", rate: 48_000, channels: channels)
    let sound = try SoundFile(path: path)
    #expect(sound.channels == channels)
    try expectEqual(try decoded(sound), try decodedByFFmpeg(path), channels)
  }

  @Test(arguments: everyCodec.filter { $0.codec == "adpcm_ima_qt" })
  func S1_IMA4EndsAtItsLastValidFrame(_ made: Made) throws {
    let scratch = Scratch()
    // 3,000 frames are 46.9 packets of 64.
    let path = scratch.file("cut.\(made.kind)")
    try makeSound(path, codec: made.codec, rate: 8000, channels: 1, seconds: 0.375)
    let sound = try SoundFile(path: path)
    #expect(sound.frames == 3008)
    guard made.kind == "caf" else { return }
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes += Array("pakt".utf8) + [0, 0, 0, 0, 0, 0, 0, 24] + big(Int64(47)) + big(Int64(3000))
    bytes += [0, 0, 0, 0, 0, 0, 0, 8]
    #expect(try SoundFile(SoundSource(bytes: withoutPacketTable(bytes))).frames == 3000)
  }

  @Test func S1_FLACDecodesSampleForSample() throws {
    let scratch = Scratch()
    for (channels, rate) in [(1, 16_000), (2, 48_000)] {
      let path = scratch.file("\(channels).flac")
      try makeSound(path, codec: "flac", rate: rate, channels: channels)
      let sound = try SoundFile(path: path)
      #expect(sound.format == "FLAC")
      try expectEqual(try decoded(sound), try decodedByFFmpeg(path), channels)
    }
  }

  /// Two decoders of a lossy codec agree in what is heard, not in every bit, and MP3's delay is cut
  /// by some: the length to 0.1 s and the power to 5 % are compared.
  @Test(arguments: [("ogg", "libvorbis"), ("mp3", "libmp3lame")])
  func S1_lossyFilesThroughLibsndfile(_ kind: String, _ codec: String) throws {
    let scratch = Scratch()
    let path = scratch.file("lossy.\(kind)")
    try makeSound(path, codec: codec, rate: 44_100, channels: 2, seconds: 2)
    let sound = try SoundFile(path: path)
    #expect(sound.format == (kind == "ogg" ? "Ogg" : "MP3"))
    #expect(abs(Double(sound.milliseconds) / 1000 - 2) < 0.1)
    let ours = power(try decoded(sound))
    let theirs = power(try decodedByFFmpeg(path))
    #expect(abs(ours / theirs - 1) < 0.05)
  }

  @Test func S1_theWAVsOfAlsaUtils() throws {
    let folder = "/usr/share/sounds/alsa"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count >= 9)
    for name in names where name.hasSuffix(".wav") {
      let sound = try SoundFile(path: "\(folder)/\(name)")
      try expectEqual(try decoded(sound), try decodedByFFmpeg("\(folder)/\(name)"), 1)
    }
  }

  private func power(_ samples: [Double]) -> Double {
    samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
  }

  private func big(_ value: Int64) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Hides a `pakt` chunk that the writer made before the samples.
  private func withoutPacketTable(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let name = Array("pakt".utf8)
    let last = bytes.count - 36
    for index in 8..<last where Array(bytes[index..<index + 4]) == name {
      bytes.replaceSubrange(index..<index + 4, with: "free".utf8)
    }
    return bytes
  }

  private func expectEqual(_ ours: [Double], _ theirs: [Double], _ channels: Int) throws {
    #expect(ours.count == theirs.count)
    let wrong = zip(ours, theirs).enumerated().first { $1.0 != $1.1 }
    #expect(wrong == nil, "first difference at sample \(wrong?.offset ?? 0) of \(ours.count)")
  }
}
