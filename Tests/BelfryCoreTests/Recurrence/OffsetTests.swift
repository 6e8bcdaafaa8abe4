import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// When occurrences with an offset are due (E4).
struct OffsetTests {
  struct Row: CustomTestStringConvertible {
    var what: String
    var anchor: String
    var pattern: RepeatPlan.Pattern = .unit(.day, every: 1)
    var offset: String
    var mode = ZoneMode.zoned
    var zone = TimetableTests.berlin
    var expected: [String]
    var testDescription: String { what }
  }

  static func rule(_ text: String) -> RepeatPlan.Pattern {
    .rule(try! RecurrenceRule.parse(text))
  }

  static let rows = [
    Row(
      what: "hours and below are exact: 15 minutes before", anchor: "2027-01-29T09:00",
      offset: "-PT15M", expected: ["01-29T07:45Z", "01-30T07:45Z"]),
    Row(
      what: "the day before at the same wall clock, over spring", anchor: "2027-03-29T09:00",
      offset: "-P1D", expected: ["03-28T07:00Z", "03-29T07:00Z"]),
    Row(
      what: "24 hours before are exact", anchor: "2027-03-28T09:00", offset: "-PT24H",
      expected: ["03-27T07:00Z", "03-28T07:00Z"]),
    Row(
      what: "a day before that, nominal", anchor: "2027-03-28T09:00", offset: "-P1D",
      expected: ["03-27T08:00Z", "03-28T07:00Z"]),
    Row(
      what: "a wall clock that does not exist the day after: shifted by the gap",
      anchor: "2027-03-26T02:30", offset: "P1D",
      expected: ["03-27T01:30Z", "03-28T01:30Z", "03-29T01:30Z"]),
    Row(
      what: "one that comes twice: its first pass", anchor: "2027-10-29T02:30", offset: "P1D",
      expected: ["10-30T00:30Z", "10-31T00:30Z", "11-01T01:30Z"]),
    Row(
      what: "days first, then hours", anchor: "2027-03-28T03:30", offset: "-P1DT2H",
      expected: ["03-27T00:30Z", "03-27T23:30Z"]),
    Row(
      what: "absolute: a day is 24 hours of UTC", anchor: "2027-03-28T09:00", offset: "-P1D",
      mode: .absolute, expected: ["03-27T09:00Z", "03-28T09:00Z"]),
    Row(
      what: "a one-shot", anchor: "2027-05-01T12:00", pattern: .once, offset: "P1W",
      expected: ["05-08T10:00Z"]),
    Row(
      what: "the rule is not shifted: UNTIL names occurrences", anchor: "2027-01-29T09:00",
      pattern: rule("FREQ=DAILY;UNTIL=20270130T090000"), offset: "P1D",
      expected: ["01-30T08:00Z", "01-31T08:00Z"]),
    Row(
      what: "a rule by the hour whose two passes come to one due instant",
      anchor: "2027-10-31T02:00", pattern: rule("FREQ=HOURLY"), offset: "P1D",
      expected: ["11-01T01:00Z", "11-01T02:00Z", "11-01T03:00Z"]),
    Row(
      what: "units by the hour count their days in the zone", anchor: "2027-03-26T23:30",
      pattern: .unit(.hour, every: 1), offset: "P1D",
      expected: ["03-27T22:30Z", "03-27T23:30Z", "03-28T00:30Z", "03-28T01:30Z", "03-28T02:30Z"]),
    Row(
      what: "where the order of due is not that of k", anchor: "2027-03-27T02:45",
      pattern: rule("FREQ=DAILY;BYHOUR=2,3;BYMINUTE=15,45"), offset: "P1D",
      expected: ["03-28T01:15Z", "03-28T01:45Z", "03-29T01:15Z"]),
  ]

  @Test(arguments: rows)
  func E4_dueIsTheOccurrenceAndTheOffset(_ row: Row) throws {
    var plan = RepeatPlan(row.pattern)
    plan.offset = try DueOffset.parse(row.offset)
    let anchor = try RFC3339.parse(row.anchor + "Z", field: "anchor")
    let table = Timetable(plan: plan, anchor: anchor, mode: row.mode, zone: row.zone)
    var plain = plan
    plain.offset = .none
    let bare = Timetable(plan: plain, anchor: anchor, mode: row.mode, zone: row.zone)
    var found: [String] = []
    var due = table.first(after: .distantPast)
    for _ in row.expected {
      guard let known = due else { break }
      found.append(RFC3339.text(known.instant).dropFirst(5).prefix(11) + "Z")
      // k is the occurrence's own, and leads back to it.
      #expect(bare.due(k: known.k)?.instant == known.occurrence)
      #expect(table.occurrence(k: known.k)?.instant == known.occurrence)
      #expect(table.due(k: known.k) == known)
      due = table.next(after: known)
      #expect(table.next(afterIndex: known.k) == due)
    }
    #expect(found == row.expected)
  }

  // MARK: The definition

  /// All that comes of the first occurrences without an offset, each moved by itself.
  private static func byDefinition(
    _ bare: Timetable, _ plan: RepeatPlan, _ zone: ZoneRules, count: Int
  ) -> (dues: [Due], isWhole: Bool) {
    var found: [Instant: Due] = [:]
    var next = bare.first(after: .distantPast)
    for _ in 0..<count {
      guard var due = next else { break }
      next = bare.next(after: due)
      var isMoved = false
      if plan.offset.days != 0 {
        let wall = zone.wall(at: due.instant)
          .advanced(by: plan.offset.days * Nanoseconds.day)
        switch zone.resolve(wall: wall) {
        case .once(let instant), .twice(let instant, _): due.instant = instant
        case .skipped(let before, _, _):
          due.instant = wall.advanced(by: -Int64(before) * Nanoseconds.second)
          isMoved = true
        }
      }
      due.instant = due.instant.advanced(by: plan.offset.seconds * Nanoseconds.second)
      due.because = isMoved ? .offsetMoved : []
      if let known = found[due.instant], isMoved || known.because.isEmpty { continue }
      found[due.instant] = due
    }
    return (found.values.sorted { $0.instant < $1.instant }, next == nil)
  }

  private static func plan(_ random: inout SeededRandom) -> RepeatPlan {
    let hourly = ["FREQ=MINUTELY;INTERVAL=7", "FREQ=HOURLY", "FREQ=MINUTELY;INTERVAL=45"]
    let daily = [
      "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=5,35", "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=SA,SU,MO",
      "FREQ=DAILY;BYHOUR=0,2,23",
    ]
    let patterns: [RepeatPlan.Pattern] = [
      .unit(.minute, every: 7), .unit(.hour, every: 1), .unit(.day, every: 1),
      .unit(.month, every: 1), rule((hourly + daily).randomElement(using: &random)!),
      rule(daily.randomElement(using: &random)!),
      .rules(daily.map { try! RecurrenceRule.parse($0) }),
      .rules([hourly[0], daily[0]].map { try! RecurrenceRule.parse($0) }),
    ]
    var plan = RepeatPlan(patterns.randomElement(using: &random)!)
    plan.gap = .allCases.randomElement(using: &random)!
    plan.overlap = .allCases.randomElement(using: &random)!
    let sign: Int64 = Bool.random(using: &random) ? 1 : -1
    let days = [0, 1, 1, 2, 7, 31].randomElement(using: &random)! as Int64
    let seconds = [0, 0, 60, 900, 5400, 86_399].randomElement(using: &random)! as Int64
    plan.offset = DueOffset(days: sign * days, seconds: sign * seconds)
    return plan
  }

  @Test func E4_theTimetableIsItsDefinition() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<60 {
      let plan = Self.plan(&random)
      let zone = TimetableRandomTests.zones.randomElement(using: &random)!
      // What is due, or what occurs, lies about one of the changes of 2027.
      let change = zone.transition(
        after: instant(2027, Int64.random(in: 1...11, using: &random), 1))
      let near = change?.instant ?? instant(2027, 1, 31)
      let back = Bool.random(using: &random) ? plan.offset.days : 0
      let quarters = Int64.random(in: -200...8, using: &random) - back * 96
      let anchor = Instant(
        nanoseconds: (near.nanoseconds / Nanoseconds.hour * 4 + quarters) * 15 * Nanoseconds.minute)
      let mode: ZoneMode = zone === ZoneRules.utc ? .absolute : .zoned
      let comment: Comment =
        "seed \(seed): \(plan.text) from \(RFC3339.text(anchor)), \(zone.wall(at: near))"
      try Self.compare(plan, anchor, mode, zone, comment)
    }
  }

  private static func compare(
    _ plan: RepeatPlan, _ anchor: Instant, _ mode: ZoneMode, _ zone: ZoneRules, _ comment: Comment
  ) throws {
    let table = Timetable(plan: plan, anchor: anchor, mode: mode, zone: zone)
    var plain = plan
    plain.offset = .none
    let bare = Timetable(plan: plain, anchor: anchor, mode: mode, zone: zone)
    let all = byDefinition(bare, plan, zone, count: 150)
    // What lies near the last one may lack something that is moved there.
    let last = all.dues.last.map { $0.instant.advanced(by: -54 * Nanoseconds.hour) }
    let expected = all.dues.filter { all.isWhole || $0.instant <= last! }
    var due = table.first(after: .distantPast)
    var previous: Due?
    for (index, wanted) in expected.enumerated() {
      let found = try #require(due, comment)
      try #require(
        found.k == wanted.k && found.instant == wanted.instant
          && found.occurrence == wanted.occurrence, comment)
      let next = table.next(after: found)
      if index % 16 == 1 {
        #expect(table.due(k: found.k) == found, comment)
        #expect(table.next(afterIndex: found.k) == next, comment)
        #expect(table.newest(notAfter: found.instant) == found, comment)
        #expect(table.newest(notAfter: found.instant.advanced(by: -1)) == previous, comment)
        #expect(
          table.count(after: .distantPast, through: found.instant, limit: 1000)
            == Int64(index) + 1, comment)
      }
      (previous, due) = (found, next)
    }
    if all.isWhole { try #require(due == nil, comment) }
  }

  // MARK: Plans of the engine

  /// After a restart what has not fired is still to come, though its k is lower (D7).
  @Test func E4_whatIsToComeFollowsTheOneThatFired() throws {
    var plan = RepeatPlan(Self.rule("FREQ=MINUTELY;INTERVAL=7"))
    plan.offset = DueOffset(days: 1)
    let anchor = try RFC3339.parse("2027-03-27T01:00Z", field: "anchor")
    let occurrences = OccurrencePlan.table(
      Timetable(plan: plan, anchor: anchor, mode: .zoned, zone: TimetableTests.berlin))
    var next = occurrences.first(after: .distantPast)
    #expect(next.map { occurrences.pending(firedThrough: $0.k - 1) } == next)
    for _ in 0..<60 {
      let fired = try #require(next)
      next = occurrences.next(after: fired)
      #expect(occurrences.pending(firedThrough: fired.k) == next)
    }
  }

  @Test func E4_anOccurrenceIsFoundFromWhatIsPlanned() throws {
    var plan = RepeatPlan(.unit(.day, every: 1))
    plan.offset = DueOffset(seconds: -3600)
    let anchor = try RFC3339.parse("2027-01-01T00:30Z", field: "anchor")
    let occurrences = OccurrencePlan.table(
      Timetable(plan: plan, anchor: anchor, mode: .zoned, zone: .utc))
    let first = try #require(occurrences.first(after: .distantPast))
    // It is due on the day before its own.
    #expect(first.due == anchor.advanced(by: -Nanoseconds.hour))
    #expect(occurrences.occurrence(of: first) == anchor)
  }
}
