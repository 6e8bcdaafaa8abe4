import Testing

@testable import BelfryCore

/// Files made for the purpose, of every version, and files that nobody should have made.
@Suite struct ZoneFormatTests {
  private static let second = Nanoseconds.second

  private func build(_ change: (inout TZifBuilder) -> Void) -> [UInt8] {
    var builder = TZifBuilder()
    change(&builder)
    return builder.bytes()
  }

  private func offset(_ rules: ZoneRules, _ text: String) throws -> Int32 {
    rules.offset(at: try ZoneFixture.instant(text))
  }

  @Test(arguments: [0, UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4")])
  func T7_readsVersion(_ version: UInt8) throws {
    let rules = try ZoneRules(
      tzif: build {
        $0.version = version
        ($0.times, $0.order) = ([1000, 2000], [1, 0])
      })
    let expected: [(Int64, Int32)] = [(999, 3600), (1000, 7200), (1999, 7200), (2000, 3600)]
    for (time, offset) in expected {
      #expect(rules.offset(at: Instant(nanoseconds: time * Self.second)) == offset)
    }
    #expect(rules.period(at: Instant(nanoseconds: 1500 * Self.second)).abbreviation == "CEST")
    #expect(rules.period(at: Instant(nanoseconds: 1500 * Self.second)).isDST)
    #expect(rules.offset(at: .distantPast) == 3600)
    #expect(rules.offset(at: .distantFuture) == 3600)
  }

  @Test func T7_footerHoldsBehindTheLastTransition() throws {
    let rules = try ZoneRules(
      tzif: build {
        ($0.times, $0.order) = ([0], [0])
        $0.footer = "CET-1CEST,M3.5.0,M10.5.0/3"
      })
    #expect(try offset(rules, "1970-07-01T00:00Z") == 7200)
    #expect(try offset(rules, "2261-12-01T00:00Z") == 3600)
    #expect(try offset(rules, "2261-07-01T00:00Z") == 7200)
    #expect(try offset(rules, "1969-07-01T00:00Z") == 3600)
  }

  /// The last transition of the file may change nothing: the footer holds from there all the same.
  @Test func T7_footerBeginsAtATransitionThatChangesNothing() throws {
    let rules = try ZoneRules(
      tzif: build {
        ($0.times, $0.order) = ([0, 1_000_000_000], [0, 0])
        $0.footer = "CET-1CEST,M3.5.0,M10.5.0/3"
      })
    #expect(try offset(rules, "1999-07-01T00:00Z") == 3600)
    #expect(try offset(rules, "2002-07-01T00:00Z") == 7200)
  }

  @Test func T7_footerAloneHoldsAlways() throws {
    let rules = try ZoneRules(tzif: build { $0.footer = "CET-1CEST,M3.5.0,M10.5.0/3" })
    #expect(try offset(rules, "1700-07-01T00:00Z") == 7200)
    #expect(try offset(rules, "1700-01-01T00:00Z") == 3600)
    #expect(rules.offset(at: .distantPast) == 7200)
  }

  /// RFC 8536, 3.3.1: from the first moment of the year to its last, and longer.
  @Test(arguments: ["EST5EDT,0/0,J365/25", "EST5EDT,0/0,J365/26", "EST5EDT,J1/-100,J365/120"])
  func T7_daylightSavingAllYear(_ text: String) throws {
    let rules = try ZoneRules(posix: text)
    for month in 1...12 {
      for time in ["01T00:00Z", "01T05:00Z", "15T00:00Z"] {
        #expect(try offset(rules, "2030-\(month < 10 ? "0" : "")\(month)-\(time)") == -14400)
      }
    }
    #expect(rules.transition(after: try ZoneFixture.instant("2000-01-01T00:00Z")) == nil)
  }

  @Test func T7_transitionsBeyondInstantsAreFolded() throws {
    let rules = try ZoneRules(
      tzif: build {
        ($0.times, $0.order) = ([-1 << 59, 0, 1 << 59], [1, 0, 1])
        $0.footer = "CEST-2"
      })
    #expect(rules.offset(at: .distantPast) == 7200)
    #expect(rules.offset(at: .distantFuture) == 3600)
    let end = Instant.distantFuture.advanced(by: -3600 * Self.second)
    #expect(rules.resolve(wall: .distantFuture) == .once(end))
    #expect(rules.resolve(wall: .distantPast) == .once(.distantPast))
  }

  static let closeTogether: [(Int64, LocalTime)] = [
    (39_599, .once(at(35_999))), (39_600, gap(36_000)), (40_199, gap(36_000)),
    (40_200, .once(at(36_600))), (40_800, gap(36_000)), (43_200, .once(at(36_000))),
    (43_800, gap(37_200)), (44_400, .once(at(37_200))),
  ]

  /// Two hours ahead from 36000 to 36600 and from 37200 on, else one.
  @Test(arguments: closeTogether)
  func T5_transitionsCloseTogether(_ wall: Int64, _ expected: LocalTime) throws {
    let rules = try ZoneRules(
      tzif: build { ($0.times, $0.order) = ([36000, 36600, 37200], [1, 0, 1]) })
    #expect(rules.resolve(wall: Self.at(wall)) == expected)
  }

  private static func at(_ seconds: Int64) -> Instant {
    Instant(nanoseconds: seconds * second)
  }

  private static func gap(_ transition: Int64) -> LocalTime {
    .skipped(before: 3600, after: 7200, transition: at(transition))
  }
}
