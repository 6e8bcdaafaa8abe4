/// The rules about when a notification is due, as far as they can be judged without a clock.
extension Notification {
  func checkTimes() throws(FieldError) {
    try checkZone()
    try checkRelative()
    try checkRepeat()
    try checkRules()
    try checkEnds()
    try checkOffset()
    try checkExpiry()
    try checkUnits()
    guard tolerance >= 0, tolerance <= Limit.tolerance else {
      throw FieldError("tolerance", .outOfRange, "the time must be between 0 and one day")
    }
  }

  /// Whether there is such a zone is for those to say who have its files.
  private func checkZone() throws(FieldError) {
    try Self.checkName(timeZone, "timeZone")
    guard let zoneMode, zoneMode != .absolute, timeZone == nil else { return }
    throw FieldError(
      "timeZone", .missing,
      "the mode \(zoneMode.rawValue) needs the zone whose clocks fireDate is read from")
  }

  /// N2: what would be due at once, or over at once, since somebody sent another unit.
  private func checkUnits() throws(FieldError) {
    try Self.checkUnit(of: fireIn ?? 0, "fireIn", least: Nanoseconds.second)
    try Self.checkUnit(of: tolerance, "tolerance", least: 10 * Nanoseconds.millisecond)
    guard !datesAreOld, hasOldDates else { return }
    try fireDate?.checkUnit("fireDate")
    try until?.checkUnit("until")
    try expires?.checkUnit("expires")
    for (field, dates) in [("exdate", exdate), ("rdate", rdate)] {
      for (index, date) in dates.enumerated() { try date.checkUnit("\(field)[\(index)]") }
    }
  }

  /// N2: spans on the wire count microseconds; what is less than nobody means counts something else.
  static func checkUnit(
    of span: Int64, _ field: String, least: Int64
  ) throws(FieldError) {
    guard span > 0, span < least else { return }
    throw FieldError(
      field, .outOfRange,
      "it counts microseconds, and these are \(span / 1000): for seconds multiply by 1,000,000")
  }

  private func checkRelative() throws(FieldError) {
    guard let fireIn else { return }
    guard fireIn >= 0, fireIn <= Limit.fireIn else {
      throw FieldError("fireIn", .outOfRange, "the time must be between 0 and 100 years")
    }
    guard !repeats else {
      throw FieldError("fireIn", .conflict, "what repeats goes by the clock: give a fireDate")
    }
    guard mode == .absolute else {
      throw FieldError("fireIn", .conflict, "what goes by a zone's clocks has a fireDate")
    }
  }

  private func checkRepeat() throws(FieldError) {
    guard every >= 1, every <= Limit.times else {
      throw FieldError("every", .outOfRange, "the number must be between 1 and \(Limit.times)")
    }
    guard repeatInterval == nil else { return }
    if every != 1 {
      throw FieldError("every", .conflict, "there is no repeatInterval that it could count")
    }
    if monthEnd != .clamp {
      throw FieldError("monthEnd", .conflict, "there is no repeatInterval that could need it")
    }
    if overlap == .both, !repeats {
      throw FieldError("overlap", .conflict, "what fires once takes the first pass or the last")
    }
  }

  private func checkRules() throws(FieldError) {
    try checkDates(exdate, "exdate")
    try checkDates(rdate, "rdate")
    guard !rules.isEmpty else { return }
    let field = rrule == nil ? "rrules" : "rrule"
    guard rrule == nil || rrules.isEmpty else {
      throw FieldError("rrules", .conflict, "there is an rrule too: put all of them into rrules")
    }
    guard rrules.count <= RepeatPlan.mostRules else {
      throw FieldError(
        "rrules", .tooLong,
        "at most \(RepeatPlan.mostRules) rules are allowed, not \(rrules.count)")
    }
    if repeatInterval != nil {
      throw FieldError(field, .conflict, "repeatInterval says already how it repeats")
    }
    if let repeatCalendar, !Self.gregorianCalendars.contains(repeatCalendar) {
      throw FieldError("repeatCalendar", .conflict, "a rule is reckoned in the Gregorian calendar")
    }
    if count != nil, rrules.count > 1 {
      throw FieldError("count", .conflict, "each of several rules has a COUNT of its own")
    }
    for (place, rule) in rules.enumerated() {
      try check(rule, rrule == nil ? "rrules[\(place)]" : "rrule")
    }
  }

  private func check(_ rule: RecurrenceRule, _ field: String) throws(FieldError) {
    guard rule.end != .never else { return }
    if until != nil || count != nil {
      throw FieldError(
        until == nil ? "count" : "until", .conflict, "the rule itself has an UNTIL or a COUNT")
    }
    if case .untilInstant(let end) = rule.end, let fireDate,
      end.advanced(by: Nanoseconds.second) <= fireDate
    {
      throw rule.endsTooSoon(field: field)
    }
  }

  /// E4.
  private func checkOffset() throws(FieldError) {
    guard !offset.isNone else { return }
    try offset.check()
    if region != nil {
      throw FieldError("offset", .conflict, "what goes by a region has no time that it could shift")
    }
    if fireIn != nil {
      throw FieldError("offset", .conflict, "fireIn says already how long from now: add it there")
    }
    if !repeats, fireDate ?? .distantPast == .distantPast {
      throw FieldError("offset", .conflict, "what is due at once has no time that it could shift")
    }
  }

  private func checkDates(_ dates: [Instant], _ field: String) throws(FieldError) {
    guard !dates.isEmpty else { return }
    guard !rules.isEmpty else {
      throw FieldError(
        field, .conflict,
        repeatInterval == nil
          ? "there is no rrule whose dates it could change"
          : "it changes the dates of an rrule alone: write repeatInterval as one, such as FREQ=DAILY"
      )
    }
    guard dates.count <= Limit.dates else {
      throw FieldError(
        field, .tooLong, "at most \(Limit.dates) dates are allowed, not \(dates.count)")
    }
    for (index, date) in dates.enumerated() where date == .distantPast || date == .distantFuture {
      throw FieldError("\(field)[\(index)]", .outOfRange, "this is no date")
    }
  }

  private func checkEnds() throws(FieldError) {
    if let count {
      guard count >= 1, count <= Limit.times else {
        throw FieldError("count", .outOfRange, "the number must be between 1 and \(Limit.times)")
      }
      guard repeats else {
        throw FieldError("count", .conflict, "there is no repeat that it could end")
      }
    }
    guard let until else { return }
    guard repeats else {
      throw FieldError("until", .conflict, "there is no repeat that it could end")
    }
    if let fireDate, until < fireDate {
      // Its unit is told rather than where it lies for that.
      if !datesAreOld, !fireDate.isOld { try until.checkUnit("until") }
      throw FieldError("until", .conflict, "it lies before fireDate, so nothing would ever be due")
    }
  }

  /// What floats is due by the board's clocks, which are not known here; what has an offset is due
  /// at another time than its `fireDate`.
  private func checkExpiry() throws(FieldError) {
    guard mode != .floating, offset.isNone, let fireDate else { return }
    try checkExpiry(due: fireDate)
  }

  /// Throws if it would have expired by the time it is due.
  func checkExpiry(due: Instant) throws(FieldError) {
    guard let expires, due != .distantFuture, expires <= due else { return }
    // Its unit is told rather than where it lies for that.
    if !datesAreOld, !due.isOld { try expires.checkUnit("expires") }
    throw FieldError("expires", .conflict, "it would expire before it is due, never shown")
  }
}

extension Notification {
  /// Whether a date of it is one that counts only where `datesAreOld` says that it is meant (N2).
  public var hasOldDates: Bool {
    fireDate?.isOld ?? false || until?.isOld ?? false || expires?.isOld ?? false
      || exdate.contains { $0.isOld } || rdate.contains { $0.isOld }
  }
}

extension Instant {
  /// From 1970 to 2000: seconds and milliseconds of today are such microseconds, and so is, a little
  /// earlier, what was to count back from now.
  fileprivate var isOld: Bool {
    -Nanoseconds.minute..<946_684_800 * Nanoseconds.second ~= nanoseconds
  }

  /// N2: of a notification, where nobody has said that such dates are meant.
  fileprivate func checkUnit(_ field: String) throws(FieldError) {
    if isOld { throw otherUnit(field, ifMeant: " (or say datesAreOld: true)") }
  }

  /// N2: of what somebody does now; on a board whose own clock stands in those years they may be meant.
  public func checkUnit(_ field: String, at now: Instant) throws(FieldError) {
    if isOld, !now.isOld { throw otherUnit(field) }
  }

  private func otherUnit(_ field: String, ifMeant: String = "") -> FieldError {
    FieldError(
      field, .outOfRange,
      "it counts microseconds since 1970, and these are in \(CivilTime(self).date.year): for seconds"
        + " multiply by 1,000,000, for milliseconds by 1,000" + ifMeant)
  }
}
