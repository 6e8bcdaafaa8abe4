import BelfryCore
import Testing

@testable import BelfryCommand

let berlin = BoardZone(
  name: "Europe/Berlin", rules: try! ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))

func instant(_ text: String) throws -> Instant {
  try RFC3339.parse(text, field: "test")
}

struct TimeTextTests {
  /// A Friday.
  let now = "2026-12-25T08:30:00+01:00"

  static let read: [(String, String, Bool)] = [
    ("2027-01-01T07:00Z", "2027-01-01T07:00:00Z", false),
    ("2027-01-01T07:00:00.25+01:00", "2027-01-01T06:00:00.25Z", false),
    ("2027-01-01 07:00+01:00", "2027-01-01T06:00:00Z", false),
    ("2027-01-01T07:00", "2027-01-01T06:00:00Z", true),
    ("2027-07-01T07:00", "2027-07-01T05:00:00Z", true),
    ("2027-01-01 07:00:30.5", "2027-01-01T06:00:30.5Z", true),
    ("09:00", "2026-12-25T08:00:00Z", true),
    ("9:00", "2026-12-25T08:00:00Z", true),
    ("08:30", "2026-12-26T07:30:00Z", true),
    ("07:00", "2026-12-26T06:00:00Z", true),
    ("today 07:00", "2026-12-25T06:00:00Z", true),
    ("tomorrow 07:00", "2026-12-26T06:00:00Z", true),
    ("mon 07:00", "2026-12-28T06:00:00Z", true),
    ("Monday 07:00", "2026-12-28T06:00:00Z", true),
    ("fri 09:00", "2026-12-25T08:00:00Z", true),
    ("fri 08:00", "2027-01-01T07:00:00Z", true),
    ("noon", "2026-12-25T11:00:00Z", true),
    ("midnight", "2026-12-25T23:00:00Z", true),
    ("7am", "2026-12-26T06:00:00Z", true),
    ("9AM", "2026-12-25T08:00:00Z", true),
    ("7:30pm", "2026-12-25T18:30:00Z", true),
    ("7:30 pm", "2026-12-25T18:30:00Z", true),
    ("12am", "2026-12-25T23:00:00Z", true),
    ("12:15pm", "2026-12-25T11:15:00Z", true),
    ("tomorrow noon", "2026-12-26T11:00:00Z", true),
    ("mon 7 am", "2026-12-28T06:00:00Z", true),
    ("2027-01-01 7pm", "2027-01-01T18:00:00Z", true),
    ("2027-01-01T7:30pm", "2027-01-01T18:30:00Z", true),
    // T5: skipped in spring, doubled in autumn.
    ("2027-03-28T02:30", "2027-03-28T01:30:00Z", true),
    ("2027-10-31T02:30", "2027-10-31T00:30:00Z", true),
    ("2027-10-31T03:00", "2027-10-31T02:00:00Z", true),
  ]

  @Test(arguments: read)
  func T5_timesAreReadInTheBoardsZone(_ text: String, _ expected: String, _ wall: Bool) throws {
    let time = try TimeText.parse(text, option: .at, now: instant(now), zone: berlin)
    #expect(time.isWallClock == wall)
    #expect(time.instant(in: berlin) == (try instant(expected)))
  }

  @Test(arguments: [
    ("", EndStatus.wrongUsage), ("tea time", .wrongUsage), ("24:00", .wrongUsage),
    ("07:60", .wrongUsage), ("7", .wrongUsage), ("2027-02-29T07:00", .wrongUsage),
    ("2027-01-01T25:00Z", .wrongUsage),
    ("2027-01-01", .wrongUsage), ("yesterday 07:00", .wrongUsage), ("mon", .wrongUsage),
    ("tomorrow 07:00 Z", .wrongUsage),
    ("0am", .wrongUsage), ("13pm", .wrongUsage), ("am", .wrongUsage), ("7:5pm", .wrongUsage),
    ("tomorrow am", .wrongUsage), ("2027-01-01T07:00X", .wrongUsage),
    ("9999-01-01T00:00Z", .refused), ("9999-01-01T00:00", .refused),
    ("10000-01-01T00:00Z", .refused), ("1600-01-01T00:00Z", .refused),
  ])
  func unreadableTimesNameTheOption(_ text: String, _ status: EndStatus) throws {
    let now = try instant(now)
    do throws(CommandError) {
      _ = try TimeText.parse(text, option: .at, now: now, zone: berlin)
      Issue.record("read: \(text)")
    } catch {
      #expect(error.status == status)
      #expect(error.message.hasPrefix("--at: "))
    }
  }

  @Test func T6_aDateThatEndsSomethingLastsToItsEnd() throws {
    let now = try instant(now)
    let end = try TimeText.parseEnd("2027-01-31", option: .until, now: now, zone: berlin)
    #expect(end.isWallClock)
    #expect(end.instant(in: berlin) == (try instant("2027-01-31T22:59:59.999999Z")))
    let time = try TimeText.parseEnd("2027-01-31T07:00Z", option: .until, now: now, zone: berlin)
    #expect(time == .instant(try instant("2027-01-31T07:00Z")))
    #expect(throws: CommandError.self) {
      try TimeText.parseEnd("2027-02-30", option: .until, now: now, zone: berlin)
    }
  }

  @Test(arguments: [
    ("90s", 90 * Nanoseconds.second), ("10m", 10 * Nanoseconds.minute),
    ("1h30m", 90 * Nanoseconds.minute),
    ("2d", 2 * Nanoseconds.day), ("1w", 7 * Nanoseconds.day), ("1w2d", 9 * Nanoseconds.day),
    ("1.5h", 90 * Nanoseconds.minute), ("0.5s", Nanoseconds.second / 2),
    ("1h0.5m", 3630 * Nanoseconds.second),
    ("0.000000001s", 1), ("15250w", 106750 * Nanoseconds.day),
  ])
  func durationsAreTakenAsMeant(_ text: String, _ expected: Int64) throws {
    #expect(try DurationArgument.parse(text, "--in") == expected)
  }

  @Test(arguments: [
    "", "5", "m", "1x", "1.h", ".5h", "1.5h30m", "30m1h", "1h1h", "-5m", "1 h", "1.0000000001s",
  ])
  func whatIsNoDurationIsToldWhatIs(_ text: String) {
    let says = "--in: \"\(text)\" is not a duration; use 90s, 10m, 1h30m, 2d, 1w"
    #expect(throws: CommandError.usage(says)) { _ = try DurationArgument.parse(text, "--in") }
  }

  @Test(arguments: ["15251w", "99999999999999999999s", "9223372036.9s1"])
  func durationsHaveAnEnd(_ text: String) {
    #expect(throws: CommandError.self) { _ = try DurationArgument.parse(text, "--in") }
  }

  @Test func everyMinuteOfAYearIsFoundAgain() throws {
    let start = try instant("2026-12-31T23:00:00Z")
    for step in 0..<8760 {
      let at = start.advanced(by: Int64(step) * Nanoseconds.hour)
      let civil = berlin.civil(at)
      let found = berlin.instant(ofWall: try #require(civil.instant()))
      // The second pass of the doubled hour is found as the first (T5).
      #expect(found == at || at.nanoseconds(since: found) == Nanoseconds.hour)
    }
  }
}
