import BelfryCore

/// Reads the events of an iCalendar file (RFC 5545) as days.
///
/// An event covers every day that some of it lies on. Cancelled and transparent ones do not count; of
/// other components nothing does. VTIMEZONE is not needed: a time with TZID has the day that it is
/// written with, a UTC time the day that the board's clocks show.
struct EventParser {
  private let context: DaysReader
  private var lines: ContentLines
  private var events: [CalendarEvent] = []

  static func read(
    _ bytes: [UInt8], _ context: DaysReader
  ) throws(DaysError) -> [DayCalendar.Range] {
    var parser = EventParser(context: context, lines: ContentLines(bytes.withoutByteOrderMark))
    try parser.readCalendars()
    return try parser.days()
  }

  private init(context: DaysReader, lines: ContentLines) {
    self.context = context
    self.lines = lines
  }

  // MARK: Components

  private mutating func readCalendars() throws(DaysError) {
    var hasCalendar = false
    while let line = try first(isFirst: !hasCalendar) {
      guard line.name == "BEGIN", line.word == "VCALENDAR" else {
        throw DaysError(
          line: line.number, "this is no iCalendar file: it begins with BEGIN:VCALENDAR")
      }
      hasCalendar = true
      try readCalendar(line)
    }
    guard hasCalendar else {
      throw DaysError(line: 1, "this is no iCalendar file: it begins with BEGIN:VCALENDAR")
    }
  }

  /// What is no text at all is told in the same words.
  private mutating func first(isFirst: Bool) throws(DaysError) -> ContentLine? {
    do throws(DaysError) {
      return try lines.next()
    } catch {
      guard isFirst else { throw error }
      throw DaysError(
        line: error.line, "this is no iCalendar file: it begins with BEGIN:VCALENDAR")
    }
  }

  private mutating func readCalendar(_ begin: ContentLine) throws(DaysError) {
    // Those that are open within it, outermost first.
    var open = [begin]
    var event: CalendarEvent?
    while let last = open.last {
      guard let line = try lines.next() else {
        throw DaysError(
          line: lines.number,
          "the file ends within the \(last.word) that begins in line \(last.number): it is cut off"
        )
      }
      switch line.name {
      case "BEGIN":
        guard open.count < 8 else {
          throw DaysError(line: line.number, "these components lie too deep in each other")
        }
        open.append(line)
        if open.count == 2, line.word == "VEVENT" { event = CalendarEvent(line: line.number) }
      case "END":
        guard line.word == last.word else {
          throw DaysError(
            line: line.number, "END:\(last.word) is missing: it begins in line \(last.number)")
        }
        open.removeLast()
        if open.count == 1, let whole = event {
          event = nil
          guard events.count < DayCalendar.Limit.ranges else {
            throw DaysReader.tooMany(line.number)
          }
          events.append(whole)
        }
      default:
        // VALARM has properties of the same names.
        if open.count == 2 { try event?.read(line, context) }
      }
    }
  }

  // MARK: Days

  private func days() throws(DaysError) -> [DayCalendar.Range] {
    // RECURRENCE-ID: these stand for an occurrence of another event.
    var moved: [ByteString: [EventTime]] = [:]
    for event in events where !event.uid.isEmpty {
      if let time = event.recurrenceID { moved[event.uid, default: []].append(time) }
    }
    var meter = StepMeter(limit: Self.steps)
    var found: [DayCalendar.Range] = []
    for event in events where event.counts {
      let gone = event.recurrenceID == nil ? moved[event.uid] ?? [] : []
      try event.add(to: &found, without: gone, context, &meter)
    }
    return found
  }

  /// Of looking for all that repeats in one file (A2).
  private static let steps: Int64 = 1_000_000
}

/// A date, or a wall clock as if it showed UTC.
struct EventTime: Hashable {
  var wall: Instant
  var isDate: Bool

  var day: Int64 { CivilTime(wall).date.days }

  /// Whether an EXDATE or a RECURRENCE-ID means what begins then.
  func means(_ start: Instant) -> Bool {
    isDate ? CivilTime(start).date.days == day : start == wall
  }
}
