import Testing

@testable import BelfryCore

struct NameSuggestionTests {
  static let names = ["alertBody", "alertTitle", "soundName", "fireDate", "late", "volume"]

  @Test(
    arguments: [
      ("alertbody", "alertBody"), ("alertBdoy", "alertBody"), ("alert_body", "alertBody"),
      ("alertTitel", "alertTitle"), ("sound", nil), ("firedate", "fireDate"), ("late", "late"),
      ("vol", nil), ("volme", "volume"), ("xyz", nil), ("", nil), ("LATE", "late"),
      (String(repeating: "a", count: 100_000), nil),
    ] as [(String, String?)])
  func A4_suggestsWhatWasMeant(_ word: String, _ expected: String?) {
    #expect(NameSuggestion.nearest(to: word, among: Self.names) == expected)
  }
}
