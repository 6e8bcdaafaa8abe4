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

  /// A wall clock of the hour that comes twice, told at a moment of it.
  struct Fold: Sendable, CustomTestStringConvertible {
    var zone: BoardZone
    var now: String
    var text: String
    var expected: String
    var overlap = OverlapPolicy.both
    var testDescription: String { "\(zone.name) \(now) \(text) \(overlap)" }
  }

  static let newYork = BoardZone(
    name: "America/New_York", rules: try! ZoneRules(posix: "EST5EDT,M3.2.0,M11.1.0"))
  static let lordHowe = BoardZone(
    name: "Australia/Lord_Howe",
    rules: try! ZoneRules(posix: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"))
  static let santiago = BoardZone(
    name: "America/Santiago", rules: try! ZoneRules(posix: "<-04>4<-03>,M9.1.6/24,M4.1.6/24"))

  static let folds: [Fold] = [
    // 02:40 for the second time.
    Fold(zone: berlin, now: "2027-10-31T01:40Z", text: "02:50", expected: "2027-10-31T01:50Z"),
    Fold(zone: berlin, now: "2027-10-31T01:40Z", text: "2:50am", expected: "2027-10-31T01:50Z"),
    Fold(zone: berlin, now: "2027-10-31T01:40Z", text: "sun 02:50", expected: "2027-10-31T01:50Z"),
    Fold(
      zone: berlin, now: "2027-10-31T01:40Z", text: "today 02:50", expected: "2027-10-31T01:50Z"),
    Fold(
      zone: berlin, now: "2027-10-31T01:40Z", text: "2027-10-31T02:50",
      expected: "2027-10-31T01:50Z"),
    Fold(
      zone: berlin, now: "2027-10-31T01:40Z", text: "2027-10-31 2:50 am",
      expected: "2027-10-31T01:50Z"),
    Fold(
      zone: berlin, now: "2027-10-31T01:40Z", text: "02:50", expected: "2027-11-01T01:50Z",
      overlap: .first),
    Fold(
      zone: berlin, now: "2027-10-31T01:40Z", text: "02:50", expected: "2027-10-31T01:50Z",
      overlap: .last),
    // Neither pass is ahead.
    Fold(zone: berlin, now: "2027-10-31T01:40Z", text: "02:30", expected: "2027-11-01T01:30Z"),
    Fold(
      zone: berlin, now: "2027-10-31T01:40Z", text: "today 02:30", expected: "2027-10-31T00:30Z"),
    Fold(
      zone: berlin, now: "2027-10-31T01:40Z", text: "2027-10-31T02:30",
      expected: "2027-10-31T00:30Z"),
    // 02:40 for the first time.
    Fold(zone: berlin, now: "2027-10-31T00:40Z", text: "02:50", expected: "2027-10-31T00:50Z"),
    Fold(zone: berlin, now: "2027-10-31T00:40Z", text: "02:30", expected: "2027-10-31T01:30Z"),
    Fold(
      zone: berlin, now: "2027-10-31T00:40Z", text: "02:50", expected: "2027-10-31T01:50Z",
      overlap: .last),
    Fold(zone: berlin, now: "2027-10-31T00:40Z", text: "sun 02:30", expected: "2027-10-31T01:30Z"),
    // The second in which it is read may be meant.
    Fold(
      zone: berlin, now: "2027-10-31T00:50:00.4Z", text: "2027-10-31T02:50",
      expected: "2027-10-31T00:50Z"),
    // A week before.
    Fold(
      zone: berlin, now: "2027-10-24T01:40Z", text: "2027-10-31T02:50",
      expected: "2027-10-31T00:50Z"),
    Fold(
      zone: berlin, now: "2027-10-24T01:40Z", text: "2027-10-31T02:50",
      expected: "2027-10-31T01:50Z", overlap: .last),
    Fold(zone: newYork, now: "2027-11-07T06:40Z", text: "01:50", expected: "2027-11-07T06:50Z"),
    Fold(zone: newYork, now: "2027-11-07T06:40Z", text: "sun 01:50", expected: "2027-11-07T06:50Z"),
    Fold(
      zone: newYork, now: "2027-11-07T06:40Z", text: "today 01:50", expected: "2027-11-07T06:50Z"),
    Fold(
      zone: newYork, now: "2027-11-07T06:40Z", text: "2027-11-07T01:50",
      expected: "2027-11-07T06:50Z"),
    Fold(zone: newYork, now: "2027-11-07T05:40Z", text: "01:30", expected: "2027-11-07T06:30Z"),
    // Half an hour comes twice: 01:30 to 02:00.
    Fold(zone: lordHowe, now: "2027-04-03T15:10Z", text: "01:50", expected: "2027-04-03T15:20Z"),
    Fold(
      zone: lordHowe, now: "2027-04-03T15:10Z", text: "sun 01:50", expected: "2027-04-03T15:20Z"),
    Fold(
      zone: lordHowe, now: "2027-04-03T15:10Z", text: "2027-04-04T01:50",
      expected: "2027-04-03T15:20Z"),
    Fold(zone: lordHowe, now: "2027-04-03T14:40Z", text: "01:35", expected: "2027-04-03T15:05Z"),
    // The last hour of a day comes twice.
    Fold(zone: santiago, now: "2027-04-04T03:10Z", text: "23:30", expected: "2027-04-04T03:30Z"),
    Fold(
      zone: santiago, now: "2027-04-04T03:10Z", text: "today 23:30", expected: "2027-04-04T03:30Z"),
    Fold(zone: santiago, now: "2027-04-04T02:50Z", text: "23:30", expected: "2027-04-04T03:30Z"),
  ]

  @Test(arguments: folds)
  func T5_whatIsStillAheadInTheSecondPassIsMeant(_ fold: Fold) throws {
    let time = try TimeText.parse(
      fold.text, option: .at, now: instant(fold.now), zone: fold.zone, overlap: fold.overlap)
    #expect(time.isWallClock)
    #expect(RFC3339.text(time.instant(in: fold.zone)) == RFC3339.text(try instant(fold.expected)))
  }

  @Test func T5_aDateThatEndsSomethingLastsThroughBothPasses() throws {
    let now = try instant("2027-04-01T12:00Z")
    let end = try TimeText.parseEnd("2027-04-03", option: .until, now: now, zone: Self.santiago)
    #expect(end.instant(in: Self.santiago) == (try instant("2027-04-04T03:59:59.999999Z")))
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

  /// Told on a Friday evening, when it is Saturday in UTC.
  @Test(arguments: [
    ("today", "2027-01-01"), ("friday", "2027-01-01"), ("tomorrow", "2027-01-02"),
    ("Sat", "2027-01-02"), ("thu", "2027-01-07"),
  ])
  func T6_aDayThatEndsSomethingLastsToItsEnd(_ text: String, _ date: String) throws {
    let now = try instant("2027-01-01T23:30:00-03:00")
    let end = try TimeText.parseEnd(text, option: .until, now: now, zone: Self.santiago)
    let whole = try TimeText.parseEnd(date, option: .until, now: now, zone: Self.santiago)
    #expect(end == whole && end.isWallClock)
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
    "", "m", "1x", "1.h", ".5h", "1.5h30m", "1h1h", "1.0000000001s", "soon",
    "p1m", "P1Y", "PT", "p", "t", "1s5",
  ])
  func whatIsNoDurationIsToldWhatIs(_ text: String) {
    let says = "--in: \"\(text)\" is not a duration; use 90s, 10m, 1h30m, 2d, 1w"
    #expect(throws: CommandError.usage(says)) { _ = try DurationArgument.parse(text, "--in") }
  }

  @Test(arguments: [
    ("90min", "90m"), ("1 h", "1h"), ("2hours", "2h"), ("5 Minutes", "5m"), ("1week", "1w"),
    ("30secs", "30s"), ("3days", "3d"), ("1h30", "1h30m"), ("1w2", "1w2d"), ("P1D", "1d"),
    ("PT5M", "5m"), ("P1DT2H", "1d2h"),
  ])
  func whatIsNearlyADurationIsToldWhichOne(_ text: String, _ meant: String) {
    let says = "--in: \"\(text)\" is not a duration; did you mean \(meant)?"
    #expect(throws: CommandError.usage(says)) { _ = try DurationArgument.parse(text, "--in") }
  }

  @Test func E1_T6_anEndMayBeSoLongFromNow() throws {
    let now = try instant(now)
    let end = try TimeText.parseEnd("1h30m", option: .until, now: now, zone: berlin)
    #expect(end == .instant(now.advanced(by: 90 * Nanoseconds.minute)))
    for (text, says) in [
      ("5", "is not a time; did you mean 05:00, or 5m?"),
      ("90", "is not a duration; did you mean 90s or 90m?"),
      ("1h30", "is not a duration; did you mean 1h30m?"),
    ] {
      #expect(throws: CommandError.usage("--until: \"\(text)\" \(says)")) {
        try TimeText.parseEnd(text, option: .until, now: now, zone: berlin)
      }
    }
  }

  /// Text, option, the end of what is said.
  @Test(arguments: [
    ("13pm", OptionName.at, "did you mean 13:00 or 1pm?"), ("0am", .at, "did you mean 00:00?"),
    ("19:30 PM", .at, "did you mean 19:30 or 7:30pm?"),
    ("2027-1-5", .at, "needs a time of day: 2027-01-05T07:00"),
    ("2027-1-5", .until, "did you mean 2027-01-05?"),
    ("31.12.2027", .until, "did you mean 2027-12-31?"),
    ("2027-1-5T7:30", .at, "did you mean 2027-01-05T7:30?"),
    ("31-12-2027 07:00", .at, "did you mean '2027-12-31 07:00'?"),
    ("01/02/2027 07:00", .at, "did you mean '2027-02-01 07:00' or '2027-01-02 07:00'?"),
    ("01/02/2027", .until, "did you mean 2027-02-01 or 2027-01-02?"),
    ("12/31/2027", .until, "did you mean 2027-12-31?"),
    ("t", .at, "use \(TimeText.forms)"), ("/", .at, "use \(TimeText.forms)"),
  ])
  func A4_E8_whatIsNearlyATimeIsToldWhichOne(
    _ text: String, _ option: OptionName, _ says: String
  ) throws {
    let now = try instant(now)
    let error = try #require(throws: CommandError.self) {
      try TimeText.parseEnd(text, option: option, now: now, zone: berlin)
    }
    #expect(error.status == .wrongUsage && error.message.hasSuffix(" " + says), "\(error.message)")
  }

  /// On a Friday.
  @Test(arguments: [
    ("today", "2026-12-25"), ("Yesterday", "2026-12-24"), ("fri", "2026-12-25"),
    ("saturday", "2026-12-19"), ("Thu", "2026-12-24"), ("tomorrow", nil), ("noon", nil), ("", nil),
  ])
  func D9_ofADayThatIsPastTheLastIsMeant(_ word: String, _ date: String?) throws {
    let today = berlin.civil(try instant(now)).date
    #expect(TimeText.lastDate(word, today).map { LocalWords.date($0) } == date)
  }

  @Test(arguments: [
    ("dec 31 07:00", "'2026-12-31 07:00'"), ("25 Dec 9:00", "'2026-12-25 9:00'"),
    ("1st january 7am", "'2027-01-01 7am'"), ("feb 29 07:00", "'2028-02-29 07:00'"),
    ("dec 31 1930", "'2026-12-31 19:30'"), ("feb 29 2027 07:00", nil),
    ("march 07:00", nil), ("7 07:00", nil),
  ])
  func A4_E8_aMonthThatIsAWordIsToldAsADate(_ text: String, _ meant: String?) throws {
    let says = TimeHint.of(text, "--at", now: try instant(now), zone: berlin)
    #expect(says == meant.map { " is not a time; did you mean \($0)?" })
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
