import BelfryCore

/// A VEVENT, as far as it says which days it covers.
struct CalendarEvent {
  /// Where it begins.
  var line: Int64
  var uid = ""
  private(set) var recurrenceID: EventTime?
  /// Neither cancelled nor transparent.
  private(set) var counts = true
  private var name = ""
  private var start: EventTime?
  private var end: EventTime?
  /// Nanoseconds.
  private var duration: Int64?
  private var rules: [(rule: RecurrenceRule, line: Int64)] = []
  private var added: [EventTime] = []
  private var removed: [EventTime] = []

  /// Rules of one event, and dates of its RDATE and EXDATE (A2).
  private static let mostRules = 8
  private static let mostDates = 10_000

  init(line: Int64) {
    self.line = line
  }

  // MARK: Reading

  mutating func read(_ property: ContentLine, _ context: DaysReader) throws(DaysError) {
    let line = property.number
    switch property.name {
    case "UID": uid = String(decoding: property.value, as: UTF8.self)
    case "SUMMARY": name = Self.name(property.text)
    case "STATUS": if property.word == "CANCELLED" { counts = false }
    case "TRANSP": if property.word == "TRANSPARENT" { counts = false }
    case "DTSTART": start = try EventTimeReader.time(property.value, line, context.zone)
    case "DTEND": end = try EventTimeReader.time(property.value, line, context.zone)
    case "RECURRENCE-ID":
      recurrenceID = try EventTimeReader.time(property.value, line, context.zone)
    case "DURATION": duration = try EventTimeReader.duration(property.value, line)
    case "RDATE": try Self.add(property, context, to: &added)
    case "EXDATE": try Self.add(property, context, to: &removed)
    case "RRULE":
      guard rules.count < Self.mostRules else {
        throw DaysError(line: line, "an event has at most \(Self.mostRules) rules")
      }
      rules.append((try Self.rule(property, context.zone), line))
    default: break
    }
  }

  private static func add(
    _ property: ContentLine, _ context: DaysReader, to times: inout [EventTime]
  ) throws(DaysError) {
    for word in property.value.split(separator: UInt8(ascii: ",")) {
      // Of a period the start; how long it is, DTSTART and DTEND say.
      let time = word.prefix { $0 != UInt8(ascii: "/") }
      guard times.count < mostDates else {
        throw DaysError(line: property.number, "an event has at most \(mostDates) such dates")
      }
      times.append(try EventTimeReader.time(time, property.number, context.zone))
    }
  }

  private static func rule(
    _ property: ContentLine, _ zone: ZoneRules
  ) throws(DaysError) -> RecurrenceRule {
    do throws(FieldError) {
      var rule = try RecurrenceRule.parse(property.text, field: "RRULE")
      // Everything else of the event is a wall clock.
      if case .untilInstant(let until) = rule.end { rule.end = .untilWall(zone.wall(at: until)) }
      return rule
    } catch {
      throw DaysError(line: property.number, "RRULE: " + error.reason)
    }
  }

  /// As much of a summary as a name may have, without control characters.
  private static func name(_ text: String) -> String {
    var name = ""
    for character in text {
      if name.utf8.count + character.utf8.count > DayCalendar.Limit.rangeName { break }
      name.append(character)
    }
    return DaysFileParser.name(Array(name.utf8)[...]) ?? ""
  }

  // MARK: Days

  /// `gone`: what other events stand for.
  func add(
    to found: inout [DayCalendar.Range], without gone: [EventTime], _ context: DaysReader,
    _ meter: inout StepMeter
  ) throws(DaysError) {
    guard let start else {
      throw DaysError(line: line, "this event has no DTSTART: nobody knows when it is")
    }
    // RFC 5545, 3.8.5.3: the start is one of them, whatever the rules say.
    var starts = Set<Instant>(added.map { $0.wall })
    starts.insert(start.wall)
    for (rule, line) in rules {
      try add(rule, line, start, to: &starts, context, &meter)
    }
    let exceptions = Exceptions(removed + gone)
    for one in starts.sorted() where !exceptions.contain(one) {
      guard found.count < DayCalendar.Limit.ranges else { throw DaysReader.tooMany(line) }
      found.append(try range(one, start))
    }
  }

  private func add(
    _ rule: RecurrenceRule, _ line: Int64, _ start: EventTime, to starts: inout Set<Instant>,
    _ context: DaysReader, _ meter: inout StepMeter
  ) throws(DaysError) {
    let year = 366 * Nanoseconds.day
    let last = context.now.advanced(by: 20 * year)
    let plan = RepeatPlan(.rule(rule)).counted(from: start.wall, in: .utc, &meter)
    let table = Timetable(plan: plan, anchor: start.wall, mode: .absolute, zone: .utc)
    var place = max(start.wall, context.now.advanced(by: -3 * year)).advanced(by: -1)
    var count = 0
    while !meter.isSpent, let due = table.first(after: place, &meter), due.instant <= last {
      starts.insert(due.instant)
      place = due.instant
      count += 1
      guard count < DayCalendar.Limit.ranges else { throw DaysReader.tooMany(line) }
    }
    guard !meter.isSpent else {
      throw DaysError(
        line: line, "RRULE: finding its days takes too many steps; write fewer BY parts")
    }
  }

  /// The days of what begins then.
  private func range(
    _ begin: Instant, _ start: EventTime
  ) throws(DaysError) -> DayCalendar.Range {
    let first = EventTime(wall: begin, isDate: true).day
    var length = duration ?? 0
    if let end {
      let (whole, overflow) = end.wall.nanoseconds.subtractingReportingOverflow(
        start.wall.nanoseconds)
      length = overflow ? .max : whole
    }
    // What has no length covers the day that it is on.
    let (last, overflow) = begin.nanoseconds.addingReportingOverflow(max(1, length) - 1)
    let lastDay = CivilTime(Instant(nanoseconds: overflow ? .max : last)).date.days
    guard DayCalendar.Limit.days.contains(first), DayCalendar.Limit.days.contains(lastDay) else {
      throw DaysError(line: line, "days reach from 1700-01-01 to 2261-12-31")
    }
    return DayCalendar.Range(first: first, last: max(first, lastDay), name: name)
  }

  /// EXDATE and the like, to be asked often.
  private struct Exceptions {
    private var days: Set<Int64> = []
    private var walls: Set<Instant> = []

    init(_ times: [EventTime]) {
      for time in times {
        if time.isDate { days.insert(time.day) } else { walls.insert(time.wall) }
      }
    }

    func contain(_ start: Instant) -> Bool {
      walls.contains(start) || days.contains(CivilTime(start).date.days)
    }
  }
}
