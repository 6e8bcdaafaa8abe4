import BelfryWire
import Foundation
import Testing

@testable import BelfrySound

struct SoundResolverTests {
  @Test func S8_foldersAreSearchedInOrderTheAppsFirst() throws {
    let scratch = Scratch()
    for folder in ["app", "one", "two"] {
      try FileManager.default.createDirectory(
        atPath: scratch.file(folder), withIntermediateDirectories: true)
    }
    let settings = SoundSettings([
      Setting(key: "folder", value: scratch.file("one")),
      Setting(key: "folder", value: scratch.file("two")),
      Setting(key: "folder:shop", value: scratch.file("app")),
    ])
    let resolver = SoundResolver(settings, defaults: [])
    _ = scratch.write("two/bell.wav", LyingWAV().bytes)
    #expect(resolver.choose(app: "shop", name: "bell.wav").origin == scratch.file("two/bell.wav"))
    _ = scratch.write("one/bell.wav", LyingWAV().bytes)
    #expect(resolver.choose(app: "shop", name: "bell.wav").origin == scratch.file("one/bell.wav"))
    _ = scratch.write("app/bell.wav", LyingWAV().bytes)
    #expect(resolver.choose(app: "shop", name: "bell.wav").origin == scratch.file("app/bell.wav"))
    #expect(resolver.choose(app: "other", name: "bell.wav").origin == scratch.file("one/bell.wav"))
    #expect(resolver.choose(app: "shop", name: "bell.wav").fallback == nil)
  }

  @Test(arguments: ["", ".", "..", "../bell.wav", "/etc/passwd", "a/b.wav", "missing.wav"])
  func S3_aNameThatGivesNothingPlaysTheDefaultSound(_ name: String) {
    let scratch = Scratch()
    let settings = SoundSettings([Setting(key: "folder", value: scratch.path)])
    let choice = SoundResolver(settings, defaults: []).choose(app: "a", name: name)
    #expect(choice.origin == SoundChoice.builtIn)
    #expect(choice.fallback?.hasPrefix(name + ": ") == true)
  }

  @Test func S4_theDefaultSoundIsTheSettingThenTheShippedFileThenTheTone() {
    let scratch = Scratch()
    let shipped = scratch.file("default.wav")
    let own = scratch.file("own.wav")
    let settings = SoundSettings([Setting(key: "default", value: own)])
    let resolver = SoundResolver(settings, defaults: [shipped])
    let tone = resolver.choose(app: "a", name: "default")
    #expect(tone.origin == SoundChoice.builtIn)
    #expect(tone.fallback == "[sound] default = \(own): there is no such file")
    _ = scratch.write("default.wav", LyingWAV().bytes)
    #expect(resolver.choose(app: "a", name: "default").origin == shipped)
    _ = scratch.write("own.wav", LyingWAV().bytes)
    let chosen = resolver.choose(app: "a", name: "default")
    #expect(chosen.origin == own)
    #expect(chosen.fallback == nil)
  }

  @Test func S4_aBrokenShippedFileLeavesTheTone() {
    let scratch = Scratch()
    let shipped = scratch.write("default.wav", Array("RIFF but broken".utf8))
    let resolver = SoundResolver(SoundSettings(), defaults: [shipped])
    #expect(resolver.choose(app: "a", name: "default").origin == SoundChoice.builtIn)
  }

  @Test func S4_theShippedFileIsWhatItsGeneratorMakes() throws {
    let path = checkout + "/Sources/BelfrySound/Resources/default.wav"
    let shipped = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(shipped == BuiltInTone.wav())
    #expect(shipped.count <= 100_000)
    let scratch = Scratch()
    let made = scratch.file("made.wav")
    #expect(try run([speakerProgram, "--write-default-sound", made]).status == 0)
    #expect(FileManager.default.contentsEqual(atPath: made, andPath: path))
    let sound = try SoundFile(path: path)
    #expect(sound.milliseconds == 2000)
    // Loud enough to be heard, and never clipped.
    let peak = try decoded(sound).map { abs($0) }.max() ?? 0
    #expect(peak > 0.5 && peak < 0.99)
  }
}
