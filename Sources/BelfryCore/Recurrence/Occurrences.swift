/// What a notification will do, told without scheduling it (N18).
public enum Occurrences {
  /// What is due later than `after`, at most `count`, with reasons; `zoneName` is what the reader
  /// calls the zone.
  ///
  /// An occurrence that would be due later than `expires` is none. Takes time in proportion to
  /// `count`.
  public static func next(
    in table: Timetable, after: Instant, expires: Instant?, count: Int32, zoneName: String
  ) -> [UpcomingOccurrence] {
    var meter = StepMeter()
    return next(
      in: table, after: after, expires: expires, count: count, zoneName: zoneName, &meter)
  }

  /// The same, counting steps; where `meter` is spent there may be more.
  public static func next(
    in table: Timetable, after: Instant, expires: Instant?, count: Int32, zoneName: String,
    _ meter: inout StepMeter
  ) -> [UpcomingOccurrence] {
    var found: [UpcomingOccurrence] = []
    add(
      table, after: after, expires: expires, count: count, zoneName: zoneName, to: &found, &meter)
    return found
  }

  /// The same of one that repeats in a plugin's calendar (N6): `ask` puts a question to the plugin,
  /// as often as there is more to know.
  public static func next<E: Error>(
    of reading: PlanReading, after: Instant, expires: Instant?, count: Int32, zoneName: String,
    asking ask: (CalendarQuestion) throws(E) -> CalendarDays
  ) throws(E) -> [UpcomingOccurrence] {
    var found: [UpcomingOccurrence] = []
    var meter = StepMeter()
    // A day earlier, for zones that are behind what a wall clock shows; its own day is another one
    // than that on which it is due (E4).
    let first = CivilTime(after).date.days - 1 + reading.plan.lead
    guard
      var question = reading.plan.question(
        anchor: reading.anchor, firstIndex: 0, firstDay: first,
        count: min(count, CalendarQuestion.maxDays))
    else { return found }
    while found.count < Int(count), question.isSound {
      let days = try ask(question)
      let table = reading.timetable(days: days)
      let isOver = add(
        table, after: found.last?.instant ?? after, expires: expires, count: count,
        zoneName: zoneName, to: &found, &meter)
      guard !isOver, table.isOpen, let last = days.days.last else { return found }
      question.firstIndex = last.k + 1
      question.count = CalendarQuestion.maxDays
    }
    return found
  }

  /// Adds until there are `count`; whether the notification expires before the next.
  @discardableResult
  private static func add(
    _ table: Timetable, after: Instant, expires: Instant?, count: Int32, zoneName: String,
    to found: inout [UpcomingOccurrence], _ meter: inout StepMeter
  ) -> Bool {
    var place = after
    while found.count < Int(count), let due = table.first(after: place, &meter) {
      guard due.instant <= expires ?? .distantFuture else { return true }
      found.append(
        UpcomingOccurrence(
          instant: due.instant, because: table.words(for: due, zoneName: zoneName)))
      place = due.instant
    }
    return false
  }
}

/// An occurrence that will come, as `next` tells of it.
public struct UpcomingOccurrence: Hashable, Sendable {
  public var instant: Instant
  /// Which rule moved or merged it; nil: none.
  public var because: String?

  public init(instant: Instant, because: String?) {
    self.instant = instant
    self.because = because
  }
}

extension Notification {
  /// Due of occurrence 0 if this is scheduled at `now`: its `fireDate`, but now where that is nil,
  /// the distant past, or past for a one-shot (N2, N5); `fireIn` counts from now. What has an offset
  /// may be due in the future although its `fireDate` is past (E4).
  public func anchor(scheduledAt now: Instant) -> Instant {
    if let fireIn { return now.advanced(by: fireIn) }
    guard let fireDate, fireDate != .distantPast else { return now }
    return repeats || !offset.isNone ? fireDate : max(fireDate, now)
  }
}
