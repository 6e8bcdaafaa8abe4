extension Notification.Limit {
  /// Calendars in `exceptOn`, in `onlyOn` and in `asOn`.
  public static let dayCalendars = 8
}

extension Notification {
  /// E3. Whether the calendars are there does not matter: one may come later.
  func checkDays() throws(FieldError) {
    try Self.checkCalendars(exceptOn, "exceptOn")
    try Self.checkCalendars(onlyOn, "onlyOn")
    for (index, name) in onlyOn.enumerated() where exceptOn.contains(name) {
      throw FieldError(
        "onlyOn[\(index)]", .conflict,
        "\(FieldError.quoted(name)) stands in exceptOn, too, so nothing would ever be due")
    }
    guard asOn.count <= Limit.dayCalendars else {
      throw FieldError(
        "asOn", .tooLong, "name at most \(Limit.dayCalendars) calendars, not \(asOn.count)")
    }
    for (index, one) in asOn.enumerated() {
      try Self.checkCalendarName(one.calendar, "asOn[\(index)].calendar")
      guard !asOn[..<index].contains(where: { $0.calendar == one.calendar }) else {
        throw FieldError(
          "asOn[\(index)].calendar", .conflict, "the calendar stands in the list twice")
      }
    }
    guard let field = namedDays.first?.field else { return }
    if region != nil {
      throw FieldError(
        field, .conflict, "what has a region comes whenever the board crosses it: leave it out")
    }
    if !repeats, fireIn == nil, fireDate == nil || fireDate == .distantPast {
      throw FieldError(
        field, .conflict,
        "what is delivered at once asks for no day: leave it out, or give a fireDate"
      )
    }
    if !asOn.isEmpty { try checkWeekdays() }
  }

  /// `asOn` needs weekdays that it can decide about.
  private func checkWeekdays() throws(FieldError) {
    guard rrules.isEmpty else {
      throw FieldError("asOn", .conflict, "it goes with a single rule, and several are given")
    }
    guard let rrule, rrule.frequency == .daily || rrule.frequency == .weekly, rrule.weekdays != 0,
      rrule.ordinalDays.isEmpty
    else {
      throw FieldError(
        "asOn", .conflict,
        "it needs an rrule by days or weeks that names weekdays without numbers, such as"
          + " FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    }
    guard rrule.positions.isEmpty else {
      throw FieldError("asOn", .conflict, "it does not go with BYSETPOS: name the weekdays alone")
    }
    var counts = count != nil
    if case .count = rrule.end { counts = true }
    guard !counts else {
      throw FieldError(
        "asOn", .conflict, "nobody can count what a calendar may change: say until when instead")
    }
  }

  private static func checkCalendars(_ names: [String], _ field: String) throws(FieldError) {
    guard names.count <= Limit.dayCalendars else {
      throw FieldError(
        field, .tooLong, "name at most \(Limit.dayCalendars) calendars, not \(names.count)")
    }
    for (index, name) in names.enumerated() {
      try checkCalendarName(name, "\(field)[\(index)]")
      guard !names[..<index].contains(name) else {
        throw FieldError("\(field)[\(index)]", .conflict, "the calendar stands in the list twice")
      }
    }
  }

  private static func checkCalendarName(_ name: String, _ field: String) throws(FieldError) {
    guard DayCalendar.isName(name) else {
      throw FieldError(
        field, .malformed,
        "a calendar's name is that of its file without .days or .ics: 1 to \(DayCalendar.Limit.name)"
          + " bytes, without / and control characters, and no dot in front")
    }
  }
}

extension DayCalendar {
  /// Whether a calendar can have this name.
  public static func isName(_ name: String) -> Bool {
    (1...Limit.name).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
      && !name.utf8.contains(UInt8(ascii: "/"))
      && !name.unicodeScalars.contains { FieldError.isControl($0) }
  }
}
