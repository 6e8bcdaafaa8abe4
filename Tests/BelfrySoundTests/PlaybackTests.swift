import Foundation
import TestSupport
import Testing

@testable import BelfrySound

private let speech = "/usr/share/sounds/alsa/Front_Center.wav"
/// 68,545 frames of 16 bits at 48 kHz.
private let speechSamples = [UInt8](
  (try? Data(contentsOf: URL(fileURLWithPath: speech)).dropFirst(44)) ?? Data())

@Suite(.ownThreads) struct PlaybackTests {
  /// What comes out of libasound is the file's own samples where the device takes them.
  @Test(arguments: [
    ("wav", "pcm_u8", "u8"), ("wav", "pcm_s16le", "s16le"), ("wav", "pcm_s24le", "s24le"),
    ("wav", "pcm_s32le", "s32le"), ("wav", "pcm_f32le", "f32le"), ("wav", "pcm_f64le", "f64le"),
    ("wav", "pcm_mulaw", "s16le"), ("aiff", "pcm_s16be", "s16le"), ("aiff", "pcm_alaw", "s16le"),
    ("caf", "pcm_s24be", "s24le"), ("caf", "adpcm_ima_qt", "s16le"),
    ("aiff", "adpcm_ima_qt", "s16le"),
  ])
  func S1_comesOutByteForByte(_ kind: String, _ codec: String, _ format: String) throws {
    let devices = TestDevices()
    let path = devices.scratch.file("sound.\(kind)")
    for (channels, rate) in [(1, 8000), (2, 96_000)] {
      try makeSound(path, codec: codec, rate: rate, channels: channels, seconds: 0.2)
      let played = try devices.play(path, "capture")
      #expect(played.status == 0, "\(played.errors)")
      let oracle = try run(
        ["ffmpeg", "-v", "error", "-i", path, "-f", format, "-c:a", "pcm_\(format)", "-"])
      #expect(!oracle.output.isEmpty)
      #expect(devices.played("capture") == [UInt8](oracle.output), "\(channels) at \(rate)")
    }
  }

  @Test func S1_theWAVsOfAlsaUtilsComeOutByteForByte() throws {
    let devices = TestDevices()
    for name in ["Front_Center", "Noise", "Rear_Left"] {
      let path = "/usr/share/sounds/alsa/\(name).wav"
      let played = try devices.play(path, "capture")
      #expect(played.status == 0, "\(played.errors)")
      let samples = try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(44)
      #expect(devices.played("capture") == [UInt8](samples))
    }
  }

  @Test func S5_aDeviceOfAnotherRateAndChannelsGetsTheRightLength() throws {
    let devices = TestDevices()
    #expect(try devices.play(speech, "cd").status == 0)
    let frames = (68_545 * 44_100 + 24_000) / 48_000
    #expect(devices.played("cd").count == frames * 4)
    #expect(try devices.play(speech, "slow").status == 0)
    #expect(devices.played("slow").count == (68_545 * 8000 + 24_000) / 48_000 * 2)
  }

  /// A device that cannot buffer as it should is no device to play on: the next one is.
  @Test(arguments: ["buffer", "period"])
  func S4_aDeviceThatRefusesItsBufferIsSkipped(_ refused: String) throws {
    let devices = TestDevices()
    let played = try run(
      [speakerProgram, "--play", speech, "--device", "good"],
      environment: devices.environment.merging(
        ["LD_PRELOAD": TestDevices.refuser, "BELFRY_REFUSED": refused]) { $1 })
    #expect(played.status == 1)
    #expect(
      played.errors.contains("good: \(refused)_time: Input/output error"), "\(played.errors)")
  }

  @Test func S5_pacedPlayingTakesAsLongAsTheSound() throws {
    let devices = TestDevices()
    let played = try devices.play(speech, "good")
    #expect(played.status == 0)
    #expect(devices.played("good") == speechSamples)
    #expect(played.seconds > 1.3)
  }

  @Test(arguments: ["xrun", "suspend", "sleep"])
  func S5_underrunAndSuspendLoseNothing(_ device: String) throws {
    let devices = TestDevices()
    let played = try devices.play(speech, device)
    #expect(played.status == 0, "\(played.errors)")
    #expect(devices.played(device) == speechSamples)
  }

  @Test func S5_aBusyDeviceIsAskedAgain() throws {
    let devices = TestDevices()
    let played = try devices.play(speech, "busy")
    #expect(played.status == 0, "\(played.errors)")
    #expect(devices.played("busy") == speechSamples)
    #expect(devices.played("busy.opens").count == 5)
  }

  @Test func S5_aDeviceThatStaysBusyIsReported() throws {
    let devices = TestDevices()
    let played = try devices.play(speech, "always")
    #expect(played.status == 1)
    #expect(
      played.errors.contains(
        "another program has the device (always: open: Device or resource busy)"))
    #expect(try devices.play(speech, "always", "other").text.contains("on device other"))
  }

  @Test func S5_theListGoesOnWhereADeviceIsMissing() throws {
    let devices = TestDevices()
    let played = try devices.play(speech, "hw:7,7", "nonsense", "capture")
    #expect(played.text.contains("on device capture"))
    #expect(devices.played("capture") == speechSamples)
    let none = try devices.play(speech, "hw:7,7", "nonsense")
    #expect(none.status == 1)
    #expect(none.errors.contains("no device to play on (hw:7,7: open: "))
    // libasound itself prints nothing.
    #expect(none.errors.split(separator: "\n").count == 1)
  }

  @Test func S5_aDeviceLostInMidSoundIsFollowedByTheNext() throws {
    let devices = TestDevices()
    let played = try devices.play(speech, "lost", "good")
    #expect(played.status == 0, "\(played.errors)")
    #expect(played.text.contains("on device good; lost lost: write: No such device"))
    #expect(devices.played("lost") == Array(speechSamples.prefix(20_480 * 2)))
    let rest = devices.played("good")
    #expect(rest == Array(speechSamples.suffix(rest.count)))
    #expect(rest.count > 40_000 * 2)
    let alone = try TestDevices().play(speech, "lost")
    #expect(alone.status == 1)
    #expect(alone.errors.contains("no device to play on (lost: write: No such device"))
  }

  @Test(arguments: ["fifo", "hang"])
  func S5_aDeviceThatHangsIsLeftBehind(_ device: String) throws {
    let devices = TestDevices()
    let played = try devices.play(speech, device, "capture")
    #expect(played.status == 0, "\(played.errors)")
    #expect(devices.played("capture") == speechSamples)
  }

  @Test func S3_whatCannotPlayIsReplacedByTheDefaultSound() throws {
    let devices = TestDevices()
    let played = try devices.play("/dev/zero", "capture")
    #expect(played.status == 1)
    #expect(played.text.contains("the default sound instead of /dev/zero: it is a pipe"))
    #expect(devices.played("capture") == Array(BuiltInTone.wav().dropFirst(44)))
  }

  @Test func S_checkSaysWhatWouldBePlayedAndWhy() throws {
    let good = try run([speakerProgram, "--check", speech])
    #expect(good.status == 0)
    #expect(
      good.text == "\(speech): WAV, linear PCM, 16 bits, 48000 Hz, 1 channel, 1.428 s: "
        + "plays as it is\n")
    let bad = try run([speakerProgram, "--check", "/nowhere", "--json"])
    #expect(bad.status == 1)
    let object = try #require(
      JSONSerialization.jsonObject(with: bad.output) as? [String: Any])
    #expect(object["plays"] as? Bool == false)
    #expect(object["reason"] as? String == "there is no such file")
    #expect(try run([speakerProgram, "--chekc", "x"]).status == 2)
    let short = try run([speakerProgram, "--check", speech, "--longest", "1s"])
    #expect(short.status == 1 && short.text.contains("1.428 s: it lasts longer than 1 s; "))
    #expect(try run([speakerProgram, "--check", speech, "--longest", "0s"]).status == 2)
  }

  /// A tone stays that tone, as loud as before, whatever rates it goes between.
  @Test(arguments: [(8000, 48_000), (44_100, 48_000), (48_000, 44_100), (96_000, 8000)])
  func S5_resamplingKeepsToneAndLoudness(_ from: Int, _ to: Int) {
    let input = (0..<from).map { Sine.of(turns: 1000 * Double($0) / Double(from)) / 2 }
    var resampler = Resampler(channels: 1, from: from, to: to)
    var output: [Double] = []
    input.withUnsafeBufferPointer { all in
      for start in stride(from: 0, to: all.count, by: 700) {
        let piece = all[start..<min(start + 700, all.count)]
        resampler.convert(
          UnsafeBufferPointer(rebasing: piece), last: start + 700 >= all.count, to: &output)
      }
    }
    #expect(output.count == to)
    var worst = 0.0
    for index in to / 10..<to - to / 10 {
      let tone = Sine.of(turns: 1000 * Double(index) / Double(to)) / 2
      worst = max(worst, abs(output[index] - tone))
    }
    // Better than one part in a thousand of full scale: 60 dB.
    #expect(worst < 0.001)
  }
}
