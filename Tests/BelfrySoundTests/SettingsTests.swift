import BelfryCore
import BelfryWire
import Testing

@testable import BelfrySound

struct SettingsTests {
  @Test(arguments: [
    ("22:00-06:00", 21 * 60 + 59, false), ("22:00-06:00", 22 * 60, true),
    ("22:00-06:00", 0, true), ("22:00-06:00", 5 * 60 + 59, true), ("22:00-06:00", 360, false),
    ("12:30-13:00", 12 * 60 + 29, false), ("12:30-13:00", 12 * 60 + 30, true),
    ("12:30-13:00", 780, false), ("08:00-08:00", 3, true),
  ])
  func S_quietHours(_ text: String, _ minute: Int, _ isQuiet: Bool) throws {
    #expect(try #require(QuietHours(text)).contains(minute: minute) == isQuiet)
  }

  @Test(arguments: ["", "22:00", "22-06", "24:00-06:00", "22:60-06:00", "a:00-06:00", "1:2-3:4"])
  func S_whatAreNoQuietHours(_ text: String) {
    #expect(QuietHours(text) == nil)
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
