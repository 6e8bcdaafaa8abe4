import BelfryCore
import BelfryWire
import Testing

@testable import BelfrySound

struct SettingsTests {
  @Test(arguments: [
    ("22:00-06:00", 21 * 60 + 59, false), ("22:00-06:00", 22 * 60, true),
    ("22:00-06:00", 0, true), ("22:00-06:00", 5 * 60 + 59, true), ("22:00-06:00", 360, false),
    ("12:30-13:00", 12 * 60 + 29, false), ("12:30-13:00", 12 * 60 + 30, true),
    ("12:30-13:00", 780, false), ("00:00-24:00", 0, true), ("00:00-24:00", 1439, true),
    ("22:00-24:00", 1439, true), ("22:00-24:00", 0, false), ("22:00-00:00", 1439, true),
    ("22:00-00:00", 0, false), ("07:59-08:00", 479, true), ("07:59-08:00", 480, false),
  ])
  func S_quietHours(_ text: String, _ minute: Int, _ isQuiet: Bool) throws {
    #expect(try #require(QuietHours(text)).contains(minute: minute) == isQuiet)
  }

  @Test(arguments: [
    "", "22:00", "22-06", "24:00-06:00", "22:60-06:00", "a:00-06:00", "1:2-3:4", "22:00-24:01",
    "22:00-25:00", "24:00-24:00",
  ])
  func S_whatAreNoQuietHours(_ text: String) {
    #expect(QuietHours(text) == nil)
  }

  @Test(arguments: ["22:00-22:00", "00:00-00:00", "9:05-09:05", " 22:00 - 22:00 ", "23:59-23:59"])
  func A4_aSpanOfNoLengthIsNone(_ text: String) {
    #expect(QuietHours(text) == nil)
    let settings = SoundSettings([Setting(key: "quiet", value: text)])
    #expect(settings.quiet == nil)
    #expect(settings.problems.count == 1 && settings.problems[0].contains("[sound] quiet"))
  }

  @Test func S_theSection() {
    let settings = SoundSettings([
      Setting(key: "device", value: "hw:0,0 plughw:CARD=PCH,DEV=0;default"),
      Setting(key: "volume", value: "80%"), Setting(key: "enabled", value: "no"),
      Setting(key: "folder", value: "/one"), Setting(key: "folder", value: "/two"),
      Setting(key: "folder:shop", value: "/shop"), Setting(key: "quiet", value: "late"),
      Setting(key: "loudness", value: "11"),
    ])
    #expect(settings.devices == ["hw:0,0", "plughw:CARD=PCH,DEV=0", "default"])
    #expect(settings.volume == 0.8)
    #expect(!settings.isEnabled)
    #expect(settings.folders == ["/one", "/two"])
    #expect(settings.folders(of: "shop") == ["/shop"])
    #expect(settings.problems.count == 2)
    #expect(SoundSettings([]).devices == PCMDevices.standard)
  }

  @Test func E11_outputs() {
    let settings = SoundSettings([
      Setting(key: "device", value: "hw:0"), Setting(key: "output", value: "amplifier"),
      Setting(key: "device:amplifier", value: "hw:1,0;default"),
      Setting(key: "wake:amplifier", value: "2000000000"), Setting(key: "wake:kitchen", value: "0"),
      Setting(key: "output:shop", value: "kitchen, amplifier"),
      Setting(key: "output:other", value: "kitchen"), Setting(key: "longest", value: "90000000000"),
    ])
    let amplifier = SoundOutput(
      name: "amplifier", devices: ["hw:1,0", "default"], wake: 2 * Nanoseconds.second)
    let kitchen = SoundOutput(name: "kitchen", devices: ["hw:0"])
    #expect(settings.outputs(of: "any") == [amplifier])
    #expect(settings.outputs(of: "shop") == [amplifier, kitchen])
    #expect(settings.outputs(of: "other") == [kitchen])
    #expect(settings.wakingOutputs == [amplifier])
    #expect(settings.longestWake == 2 * Nanoseconds.second)
    #expect(settings.longest == 90 * Nanoseconds.second)
    #expect(settings.problems.isEmpty)
    #expect(SoundSettings([]).longest == 30 * Nanoseconds.second)
  }

  @Test func E11_withoutOutputsSoundsPlayOnTheDevicesAndWithoutAChoiceOnAllOutputs() {
    let none = SoundSettings([Setting(key: "device", value: "hw:0 hw:1")])
    #expect(none.outputs(of: "a") == [SoundOutput(name: "", devices: ["hw:0", "hw:1"])])
    let two = SoundSettings([
      Setting(key: "wake:a", value: "0"), Setting(key: "device:b", value: "hw:1"),
    ])
    #expect(two.outputs(of: "a").map { $0.name } == ["a", "b"])
    #expect(two.outputs(of: "a")[0].devices == PCMDevices.standard)
  }

  @Test(
    arguments: [
      ("1", 1), ("0", 0), ("0.25", 0.25), ("25%", 0.25), ("100%", 1), (".5", 0.5),
      ("1.01", nil), ("101%", nil), ("-1", nil), ("", nil), ("%", nil), ("1e0", nil),
      ("1.2.3", nil),
    ] as [(String, Double?)])
  func S_volume(_ text: String, _ value: Double?) {
    #expect(VolumeText.parse(text) == value)
  }
}
