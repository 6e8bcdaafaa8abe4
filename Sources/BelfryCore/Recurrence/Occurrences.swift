/// What a notification will do, told without scheduling it (N18).
public enum Occurrences {
  /// The due instants that follow `after`, at most `count`, of a notification that is scheduled at
  /// `scheduledAt`; with `after` nil, those from `scheduledAt` on.
  ///
  /// An occurrence that would be due later than the notification expires is none. Takes time in
  /// proportion to `count`.
  public static func next(
    of notification: Notification, scheduledAt: Instant, after: Instant?, count: Int32
  ) -> [Instant] {
    let anchor = notification.anchor(scheduledAt: scheduledAt)
    let unit = notification.repeatInterval
    let after = max(after ?? .distantPast, scheduledAt.advanced(by: -1))
    var found: [Instant] = []
    guard count > 0, var k = Recurrence.firstIndex(anchor: anchor, unit: unit, after: after) else {
      return found
    }
    while found.count < Int(count),
      let due = Recurrence.instant(anchor: anchor, unit: unit, k: k),
      due <= notification.expires ?? .distantFuture
    {
      found.append(due)
      k += 1
    }
    return found
  }

  /// The same of one that repeats in a plugin's calendar (N6): `ask` puts a question to the plugin,
  /// as often as there is more to know.
  public static func next<E: Error>(
    of notification: Notification, scheduledAt: Instant, after: Instant?, count: Int32,
    asking ask: (CalendarQuestion) throws(E) -> CalendarDays
  ) throws(E) -> [Instant] {
    let plan = notification.plan(reading: .utc)
    let anchor = notification.anchor(scheduledAt: scheduledAt)
    var place = max(after ?? .distantPast, scheduledAt.advanced(by: -1))
    var found: [Instant] = []
    guard
      var question = plan.question(
        anchor: anchor, firstIndex: 0, firstDay: CivilTime(place).date.days,
        count: min(count, CalendarQuestion.mostDays))
    else { return found }
    while found.count < Int(count), question.isSound {
      let days = try ask(question)
      let table = Timetable(plan: plan, anchor: anchor, mode: .absolute, zone: .utc, days: days)
      while found.count < Int(count), let due = table.first(after: place) {
        guard due.instant <= notification.expires ?? .distantFuture else { return found }
        found.append(due.instant)
        place = due.instant
      }
      guard table.isOpen, let last = days.days.last else { return found }
      question.firstIndex = last.k + 1
      question.count = CalendarQuestion.mostDays
    }
    return found
  }
}

extension Notification {
  /// Due of occurrence 0 if this is scheduled at `now`: its `fireDate`, but now where that is nil,
  /// the distant past, or past for a one-shot (N2, N5); `fireIn` counts from now.
  public func anchor(scheduledAt now: Instant) -> Instant {
    if let fireIn { return now.advanced(by: fireIn) }
    guard let fireDate, fireDate != .distantPast else { return now }
    return repeats ? fireDate : max(fireDate, now)
  }
}
