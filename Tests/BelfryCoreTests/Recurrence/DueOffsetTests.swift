import Testing

@testable import BelfryCore

/// The text of an offset (RFC 5545, 3.3.6), and its bounds (E4).
struct DueOffsetTests {
  struct Row: CustomTestStringConvertible {
    var text: String
    var days: Int64 = 0
    var seconds: Int64 = 0
    /// nil: as it was written.
    var canonical: String?
    var testDescription: String { text }
  }

  static let rows = [
    Row(text: "-PT15M", seconds: -900),
    Row(text: "P1D", days: 1),
    Row(text: "-P1W", days: -7),
    Row(text: "+P2W", days: 14, canonical: "P2W"),
    Row(text: "p7d", days: 7, canonical: "P1W"),
    Row(text: "P1DT12H", days: 1, seconds: 43_200),
    Row(text: "-P7DT1S", days: -7, seconds: -1),
    Row(text: "PT1H0M30S", seconds: 3630),
    Row(text: "PT1H30S", seconds: 3630, canonical: "PT1H0M30S"),
    Row(text: "PT90M", seconds: 5400, canonical: "PT1H30M"),
    Row(text: "PT24H", seconds: 86_400),
    Row(text: "P366D", days: 366),
    Row(text: "-PT8784H", seconds: -366 * 86_400),
    Row(text: "PT0S"),
    Row(text: "-P0D", canonical: "PT0S"),
  ]

  @Test(arguments: rows)
  func E4_isADurationOfRFC5545(_ row: Row) throws {
    let offset = try DueOffset.parse(row.text)
    #expect(offset == DueOffset(days: row.days, seconds: row.seconds))
    #expect(offset.text == row.canonical ?? row.text)
    #expect(try DueOffset.parse(offset.text) == offset)
  }

  @Test(arguments: [
    "", "P", "-", "PT", "P1DT", "15M", "P1M", "P1Y", "PT1D", "P1H", "P1W1D", "PT1M1H", "PT1.5H",
    "P-1D", "--P1D", "P1D ", " P1D", "P1DT1H1D", "PTM", "P1D1D", "15m", "P1WT1H",
  ])
  func E4_whatIsNoneIsRefused(_ text: String) {
    do {
      _ = try DueOffset.parse(text)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.field == "offset" && error.code == .malformed)
      #expect(error.reason.contains("-PT15M"))
    }
  }

  @Test(arguments: [
    "P367D", "-P400D", "P53W", "PT8785H", "-P366DT1S", "P99999999999999999999D", "PT9999999999S",
  ])
  func E4_beyond366DaysIsRefused(_ text: String) {
    do {
      _ = try DueOffset.parse(text)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.field == "offset" && error.code == .outOfRange)
      #expect(error.reason.contains("366"))
    }
  }

  @Test func E4_twoDirectionsAreRefused() {
    #expect(throws: FieldError.self) { try DueOffset(days: 1, seconds: -1).check() }
    #expect(throws: FieldError.self) { try DueOffset(days: .min, seconds: .min).check() }
    #expect(throws: FieldError.self) { try DueOffset(days: 366, seconds: 1).check() }
    #expect(throws: Never.self) { try DueOffset(days: -366).check() }
  }
}
