import Testing

@testable import BelfryCore

/// Wall clocks that the clocks of a zone skip or show twice (T5), and the policies for them.
struct TimetableTests {
  static let berlin = try! ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
  /// Half an hour of daylight saving (Lord Howe).
  static let howe = try! ZoneRules(posix: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")
  /// Two hours of it (Troll).
  static let troll = try! ZoneRules(posix: "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3")
  /// Winter is the one with the negative offset (Dublin).
  static let dublin = try! ZoneRules(posix: "IST-1GMT0,M10.5.0,M3.5.0/1")
  /// A day is missing (Apia, 30 December 2011), as if it were so every year.
  static let apia = try! ZoneRules(posix: "<-10>10<+14>-14,J364/0,J60/0")

  struct Row: CustomTestStringConvertible {
    var what: String
    var anchor: String
    var unit = RepeatUnit.day
    var gap = GapPolicy.shift
    var overlap = OverlapPolicy.first
    var zone = TimetableTests.berlin
    var expected: [String]
    var testDescription: String { what }
  }

  static let rows = [
    Row(
      what: "spring: shifted forward by the gap, once", anchor: "2027-03-27T02:30",
      expected: ["03-27T01:30Z", "03-28T01:30Z", "03-29T00:30Z"]),
    Row(
      what: "spring, gap next: the first instant behind the gap", anchor: "2027-03-27T02:30",
      gap: .next, expected: ["03-27T01:30Z", "03-28T01:00Z", "03-29T00:30Z"]),
    Row(
      what: "spring, gap skip", anchor: "2027-03-27T02:30", gap: .skip,
      expected: ["03-27T01:30Z", "03-29T00:30Z", "03-30T00:30Z"]),
    Row(
      what: "autumn: on its first pass, once", anchor: "2027-10-30T02:30",
      expected: ["10-30T00:30Z", "10-31T00:30Z", "11-01T01:30Z"]),
    Row(
      what: "autumn, overlap last", anchor: "2027-10-30T02:30", overlap: .last,
      expected: ["10-30T00:30Z", "10-31T01:30Z", "11-01T01:30Z"]),
    Row(
      what: "autumn, overlap both", anchor: "2027-10-30T02:30", overlap: .both,
      expected: ["10-30T00:30Z", "10-31T00:30Z", "10-31T01:30Z", "11-01T01:30Z"]),
    Row(
      what: "hours count elapsed time through the gap", anchor: "2027-03-28T01:15", unit: .hour,
      expected: ["03-28T00:15Z", "03-28T01:15Z", "03-28T02:15Z"]),
    Row(
      what: "and neither skip nor double in the overlap", anchor: "2027-10-31T01:15", unit: .hour,
      expected: ["10-30T23:15Z", "10-31T00:15Z", "10-31T01:15Z", "10-31T02:15Z"]),
    Row(
      what: "minutes too, from the first pass of an anchor that is shown twice",
      anchor: "2027-10-31T02:59", unit: .minute,
      expected: ["10-31T00:59Z", "10-31T01:00Z", "10-31T01:01Z"]),
    Row(
      what: "half an hour in Lord Howe", anchor: "2027-10-02T02:15", zone: howe,
      expected: ["10-01T15:45Z", "10-02T15:45Z", "10-03T15:15Z"]),
    Row(
      what: "two hours in Troll", anchor: "2027-03-27T01:30", zone: troll,
      expected: ["03-27T01:30Z", "03-28T01:30Z", "03-28T23:30Z"]),
    Row(
      what: "summer is standard time in Dublin", anchor: "2027-03-27T01:30", zone: dublin,
      expected: ["03-27T01:30Z", "03-28T01:30Z", "03-29T00:30Z"]),
    Row(
      what: "a missing day goes into the next: the same instant, one occurrence",
      anchor: "2027-12-29T07:00", zone: apia,
      expected: ["12-29T17:00Z", "12-30T17:00Z", "12-31T17:00Z"]),
  ]

  @Test(arguments: rows)
  func T5_wallClocksThatAreSkippedOrShownTwice(_ row: Row) throws {
    var plan = RepeatPlan(.unit(row.unit, every: 1))
    plan.gap = row.gap
    plan.overlap = row.overlap
    let anchor = try RFC3339.parse(row.anchor + "Z", field: "anchor")
    for mode in [ZoneMode.floating, .zoned] {
      let table = Timetable(plan: plan, anchor: anchor, mode: mode, zone: row.zone)
      var found: [String] = []
      var due = table.first(after: .distantPast)
      for _ in row.expected {
        guard let known = due else { break }
        let text = RFC3339.text(known.instant)
        found.append(text.dropFirst(5).prefix(11) + "Z")
        due = table.next(after: known)
      }
      #expect(found == row.expected)
    }
  }

  /// All that is due of a notification of Berlin, scheduled at noon of 30 March 2027 or October.
  private func due(_ now: String, _ change: (inout Notification) throws -> Void) throws -> [String]
  {
    var notification = Notification()
    notification.timeZone = "Europe/Berlin"
    notification.zoneMode = .zoned
    try change(&notification)
    let reading = notification.reading(
      scheduledAt: try RFC3339.parse(now, field: "now"), named: Self.berlin, board: Self.berlin)
    var found: [String] = []
    let table = reading.timetable()
    var place = Instant.distantPast
    while found.count < 4, let due = table.first(after: place) {
      found.append(RFC3339.text(due.instant).dropFirst(5).prefix(11) + "Z")
      #expect(table.due(k: due.k) == due)
      #expect(table.next(afterIndex: due.k) == table.next(after: due))
      place = due.instant
    }
    return found
  }

  @Test(arguments: [
    ("2027-10-31T01:20:00Z", RepeatUnit?.none, ["10-31T01:20Z"]),
    ("2027-10-31T00:20:00Z", nil, ["10-31T00:20Z"]),
    // Only the first occurrence keeps it.
    ("2027-10-31T01:20:00Z", .day, ["10-31T01:20Z", "11-01T01:20Z", "11-02T01:20Z"]),
    ("2027-10-31T01:20:00Z", .year, ["10-31T01:20Z", "10-31T01:20Z", "10-31T01:20Z"]),
    ("2027-10-31T01:20:00Z", .hour, ["10-31T01:20Z", "10-31T02:20Z", "10-31T03:20Z"]),
  ])
  func T5_anInstantNamesItsPass(date: String, unit: RepeatUnit?, expected: [String]) throws {
    let found = try due("2027-10-31T01:10:00Z") {
      $0.fireDate = try RFC3339.parse(date, field: "fireDate")
      $0.repeatInterval = unit
    }
    guard date.contains("T01") else {
      // The first pass is over: at once.
      return #expect(found == ["10-31T01:10Z"])
    }
    #expect(Array(found.prefix(expected.count)) == expected)
  }

  @Test(arguments: ["2027-03-28T01:30:00Z", "2027-03-28T01:30:00.5Z"])
  func T6_anEXDATENamesTheInstantToWhichAGapMoved(exdate: String) throws {
    let found = try due("2027-03-26T12:00:00Z") {
      // 02:30 in Berlin.
      $0.fireDate = try RFC3339.parse("2027-03-27T01:30:00Z", field: "fireDate")
      $0.rrule = try RecurrenceRule.parse("FREQ=DAILY")
      $0.exdate = [try RFC3339.parse(exdate, field: "exdate")]
    }
    #expect(found.prefix(3) == ["03-27T01:30Z", "03-29T00:30Z", "03-30T00:30Z"])
  }

  @Test func T1_absoluteIsUTCWhateverTheZone() {
    let anchor = instant(2027, 3, 27, 2 * Nanoseconds.hour + 30 * Nanoseconds.minute)
    let table = Timetable(
      plan: RepeatPlan(.unit(.day, every: 1)), anchor: anchor, mode: .absolute, zone: Self.berlin)
    for k in Int64(0)..<400 {
      #expect(table.due(k: k)?.instant == anchor.advanced(by: k * Nanoseconds.day))
    }
  }
}
