import Foundation
import TestSupport
import Testing

@testable import BelfrySound

/// Sounds of more than two channels (S5).
@Suite(.ownThreads) struct ChannelTests {
  private static let full = 32767.0
  private static let frames = 400

  /// A WAV whose channels are these numbers from -1 to 1, and its file.
  private func sound(
    _ scratch: Scratch, _ channels: Int, _ value: (_ frame: Int, _ channel: Int) -> Double
  ) -> String {
    var samples: [UInt8] = []
    for frame in 0..<Self.frames {
      for channel in 0..<channels {
        samples += little(Int16(value(frame, channel) * Self.full))
      }
    }
    let wav = LyingWAV(channels: UInt16(channels), samples: samples)
    return scratch.write("\(channels).wav", wav.bytes)
  }

  /// What a device was given, a list for each channel, as numbers from -1 to 1.
  private func heard(_ devices: TestDevices, _ device: String, _ channels: Int) -> [[Double]] {
    let bytes = devices.played(device)
    let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Double(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / Self.full
    }
    return (0..<channels).map { channel in
      stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
    }
  }

  private func loudest(_ samples: [Double]) -> Double { samples.map { abs($0) }.max() ?? 0 }

  /// Half of full scale in one channel alone, of three to eight, on what takes fewer.
  @Test(arguments: 3...8)
  func S5_everyChannelIsHeardWhateverTheDeviceHas(_ channels: Int) throws {
    let devices = TestDevices()
    let places = ChannelPlace.usual(channels)
    for alone in 0..<channels {
      let path = sound(devices.scratch, channels) {
        $1 == alone ? 0.5 * Sine.of(turns: 0.05 * Double($0)) : 0
      }
      let told = "\(places[alone]) of \(channels)"
      #expect(try devices.play(path, "plug1").status == 0)
      let mono = heard(devices, "plug1", 1)
      #expect(mono[0].count == Self.frames, "\(told)")
      #expect(loudest(mono[0]) > 0.35 && loudest(mono[0]) <= 0.5, "\(told)")
      #expect(try devices.play(path, "plug2").status == 0)
      let stereo = heard(devices, "plug2", 2)
      #expect(stereo[0].count == Self.frames, "\(told)")
      let (left, right) = (loudest(stereo[0]), loudest(stereo[1]))
      switch places[alone] {
      case .frontLeft: #expect(left > 0.49 && right == 0, "\(told)")
      case .frontRight: #expect(right > 0.49 && left == 0, "\(told)")
      case .rearLeft, .sideLeft: #expect(left > 0.4 && right > 0.2 && left > right, "\(told)")
      case .rearRight, .sideRight: #expect(right > 0.4 && left > 0.2 && right > left, "\(told)")
      default: #expect(left > 0.35 && stereo[0] == stereo[1], "\(told)")
      }
      #expect(try devices.play(path, "plug6").status == 0)
      let six = heard(devices, "plug6", 6)
      #expect(six[0].count == Self.frames, "\(told)")
      #expect(six.map { loudest($0) }.max() ?? 0 > 0.35, "\(told)")
    }
  }

  /// The devices that take one number of channels and no other.
  @Test(arguments: 1...8)
  func S5_everyChannelIsHeardOnEveryCountThatADeviceTakes(_ target: Int) throws {
    let devices = TestDevices()
    for channels in 1...8 {
      for alone in 0..<channels {
        let path = sound(devices.scratch, channels) { $1 == alone && $0 % 9 == 0 ? 0.9 : 0 }
        #expect(try devices.play(path, "exactly\(target)").status == 0)
        let all = heard(devices, "exactly\(target)", target)
        #expect(all[0].count == Self.frames)
        #expect(all.map { loudest($0) }.max() ?? 0 > 0.4, "\(alone) of \(channels) on \(target)")
      }
    }
  }

  /// Noise at full scale in every channel: the mix is that of the samples, only fainter.
  @Test(arguments: 3...8, [1, 2, 3, 4, 6])
  func S5_aMixNeverClips(_ channels: Int, _ target: Int) throws {
    guard channels > target else { return }
    let devices = TestDevices()
    var random = Xorshift(state: 28)
    var samples = (0..<Self.frames * channels).map { _ in
      Double(Int64(bitPattern: random.next()) >> 40) / Double(1 << 23)
    }
    // All at their loudest at once, too.
    for index in 0..<channels { samples[index] = 1 }
    let path = sound(devices.scratch, channels) { samples[$0 * channels + $1] }
    #expect(try devices.play(path, "plug\(target)").status == 0)
    let map = ChannelMap(
      from: ChannelPlace.usual(channels), to: ChannelPlace.ofDevice(target))
    var mixed: [Double] = []
    samples.withUnsafeBufferPointer { map.convert($0, to: &mixed) }
    let all = heard(devices, "plug\(target)", target)
    let scale = 1 / loudest(mixed)
    #expect(scale < 0.7)
    for (index, expected) in mixed.enumerated() {
      let got = all[index % target][index / target]
      #expect(abs(got - expected * scale) < 3 / Self.full, "sample \(index)")
    }
    #expect(all.map { loudest($0) }.max() ?? 0 > 0.999)
  }

  /// What does not reach full scale when mixed is not made fainter.
  @Test func S5_aMixThatFitsKeepsItsLevel() throws {
    let devices = TestDevices()
    let path = sound(devices.scratch, 6) { $1 == 2 ? Sine.of(turns: 0.05 * Double($0)) : 0 }
    #expect(try devices.play(path, "plug1").status == 0)
    #expect(loudest(heard(devices, "plug1", 1)[0]) > 0.999)
  }

  /// A device that has as many gets the sound's own samples.
  @Test(arguments: [3, 4, 6, 8])
  func S5_asManyChannelsAsTheDeviceHasComeOutByteForByte(_ channels: Int) throws {
    let devices = TestDevices()
    let path = devices.scratch.file("many.wav")
    try makeSound(path, codec: "pcm_s16le", rate: 48_000, channels: channels, seconds: 0.1)
    let oracle = try run(["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-"])
    for device in ["capture", channels == 6 ? "plug6" : "exactly\(channels)"] {
      #expect(try devices.play(path, device).status == 0)
      #expect(devices.played(device) == [UInt8](oracle.output), "\(device)")
    }
  }

  /// A device that says where its loudspeakers stand gets each channel there.
  @Test func S5_channelsGoWhereTheDeviceHasThem() {
    let surround = (3...8).map { ChannelPlace(alsa: $0) }
    #expect(surround == ChannelPlace.ofDevice(6))
    let map = ChannelMap(from: ChannelPlace.usual(6), to: surround)
    var out: [Double] = []
    [1, 2, 3, 4, 5, 6].withUnsafeBufferPointer { map.convert($0, to: &out) }
    #expect(out == [1, 2, 5, 6, 3, 4])
    // A map that names no front is not one.
    let unknown = ChannelMap(
      from: ChannelPlace.usual(6), to: [ChannelPlace](repeating: .anywhere, count: 6))
    out = []
    [1, 2, 3, 4, 5, 6].withUnsafeBufferPointer { unknown.convert($0, to: &out) }
    #expect(out == [1, 2, 5, 6, 3, 4])
  }

  /// Which channel is which, as ffmpeg writes it: one of them sounds alone.
  @Test(
    arguments: [
      ("3.0", "LRC"), ("2.1", "LRF"), ("4.0", "LRCc"), ("quad", "LRlr"), ("5.0", "LRClr"),
      ("5.1", "LRCFlr"), ("6.1", "LRCFcsd"), ("7.1", "LRCFlrsd"),
    ] as [(String, StaticString)])
  func S5_theFileSaysWhichChannelIsWhich(_ name: String, _ letters: StaticString) throws {
    let scratch = Scratch()
    let places = ChannelPlace.listed(letters, letters.utf8CodeUnitCount)
    let usual = ["3.0", "quad", "5.0", "5.1", "6.1", "7.1"].contains(name)
    let kinds = ["wav", "caf", "aiff"] + (usual ? ["flac", "ogg"] : [])
    func path(_ index: Int, _ kind: String) -> String { scratch.file("\(index).\(kind)") }
    // All by one process, whose start is most of what it costs.
    let inputs = places.indices.flatMap { index in
      let parts = places.indices.map { $0 == index ? "0.5*sin(440*2*PI*t)" : "0" }
      return [
        "-f", "lavfi", "-i", "aevalsrc=\(parts.joined(separator: "|")):c=\(name):s=44100:d=0.2",
      ]
    }
    let outputs = places.indices.flatMap { index in
      kinds.flatMap { kind in
        ["-map", "\(index):a"] + (kind == "ogg" ? ["-c:a", "libvorbis"] : []) + [path(index, kind)]
      }
    }
    let made = try run(["ffmpeg", "-v", "error", "-y"] + inputs + outputs)
    try #require(made.status == 0, "ffmpeg: \(made.errors)")
    for kind in kinds {
      for (index, place) in places.enumerated() {
        let sound = try SoundFile(path: path(index, kind))
        let samples = try decoded(sound)
        let power = (0..<sound.channels).map { channel in
          stride(from: channel, to: samples.count, by: sound.channels)
            .reduce(0) { $0 + samples[$1] * samples[$1] }
        }
        let loud = power.firstIndex(of: power.max() ?? 0) ?? 0
        #expect(sound.places[loud].isAs(place), "\(place) of \(name) in \(kind)")
      }
    }
  }

  @Test func S5_masksAndLayoutsOfEveryKind() throws {
    #expect(ChannelPlace.masked(0, 6) == ChannelPlace.usual(6))
    #expect(ChannelPlace.masked(0x3F, 6) == ChannelPlace.usual(6))
    #expect(ChannelPlace.masked(0x60F, 6) == ChannelPlace.listed("LRCFsd", 6))
    // More channels than places, and more places than channels.
    #expect(ChannelPlace.masked(3, 4) == [.frontLeft, .frontRight, .anywhere, .anywhere])
    #expect(ChannelPlace.masked(0xFFFF_FFFF, 3) == ChannelPlace.usual(3))
    for channels in 1...8 {
      #expect(ChannelPlace.usual(channels).count == channels)
      #expect(ChannelPlace.ofOgg(channels).count == channels)
      #expect(Set(ChannelPlace.usual(channels)) == Set(ChannelPlace.ofOgg(channels)))
      #expect(ChannelPlace.ofDevice(channels).count == channels)
    }
    func places(_ words: [UInt32], _ channels: Int) -> [ChannelPlace]? {
      let bytes = words.flatMap { withUnsafeBytes(of: $0.bigEndian) { Array($0) } }
      let chunk = Chunk(tag: "chan", body: 0, claimed: Int64(bytes.count))
      return ChannelLayoutChunk.places(
        in: chunk, of: SoundSource(bytes: bytes), channels: channels)
    }
    #expect(places([0x79_0006, 0, 0], 6) == ChannelPlace.usual(6))
    #expect(places([0x7A_0006, 0, 0], 6) == ChannelPlace.listed("LRlrCF", 6))
    #expect(places([0x1_0000, 7, 0], 3) == ChannelPlace.usual(3))
    let one: [UInt32] = [0, 0, 0, 0]
    #expect(
      places([0, 0, 3, 3] + one + [1] + one + [33] + one, 3) == ChannelPlace.listed("CLl", 3))
    // Cut, of another count, or unknown.
    #expect(places([0, 0, 3, 3] + one, 3) == nil)
    #expect(places([0, 0, 2, 3] + one + [1] + one, 3) == nil)
    #expect(places([0xFF_0006, 0, 0], 6) == nil)
    #expect(places([0x79], 6) == nil)
  }
}

extension ChannelPlace {
  /// The same, or what some kinds of file call it.
  fileprivate func isAs(_ other: ChannelPlace) -> Bool {
    let behind: [Set<ChannelPlace>] = [[.rearLeft, .sideLeft], [.rearRight, .sideRight]]
    return self == other || behind.contains { $0.contains(self) && $0.contains(other) }
  }
}
