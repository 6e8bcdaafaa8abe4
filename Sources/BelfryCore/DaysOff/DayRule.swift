/// What calendars of days say of one notification's occurrences (E3): `exceptOn`, then `onlyOn`, then
/// `asOn`.
///
/// A calendar that was never read is no calendar here: its condition is ignored, and it rings.
struct DayRule {
  struct Named {
    var name: String
    var days: DayCalendar
  }

  struct Treated {
    var name: String
    var days: DayCalendar
    var weekday: AsOn.Weekday
  }

  /// By whose clocks an occurrence has its day.
  var zone: ZoneRules
  /// By which an occurrence may be due at another time than its own (E4); nil: at its own.
  var plan: OccurrencePlan?
  var exceptOn: [Named] = []
  /// Empty: every day will do.
  var onlyOn: [Named] = []
  var asOn: [Treated] = []
  /// The weekdays of the rule as bits 1 to 7; 0: it goes by no weekdays.
  var weekdays: UInt64 = 0

  var isEmpty: Bool { exceptOn.isEmpty && onlyOn.isEmpty && weekdays == 0 }

  /// The civil day of an occurrence: what the clocks show at the occurrence itself.
  func civilDay(of occurrence: PlannedOccurrence) -> Int64 {
    let instant = plan?.occurrence(of: occurrence) ?? occurrence.due
    return floorDivide(zone.wall(at: instant).nanoseconds, Nanoseconds.day)
  }

  /// nil: it rings.
  func cause(of occurrence: PlannedOccurrence) -> DayCause? {
    verdict(on: civilDay(of: occurrence)).cause
  }

  /// An instant through which what holds for an occurrence holds for those after it, too.
  func end(of occurrence: PlannedOccurrence) -> Instant {
    let last = verdict(on: civilDay(of: occurrence)).last
    guard last < DayCalendar.Limit.days.upperBound,
      let midnight = Instant(days: last + 1, nanosecondOfDay: 0)
    else { return .distantFuture }
    let end = zone.instants(ofWall: midnight).first.advanced(by: -1)
    return max(occurrence.due, plan?.due(ofAllThrough: end) ?? end)
  }

  /// What is said of a day, and of all days from there through `last`.
  struct Verdict: Equatable {
    /// nil: it rings.
    var cause: DayCause?
    var last: Int64
  }

  func verdict(on day: Int64) -> Verdict {
    var last = Int64.max
    for calendar in exceptOn {
      if let range = calendar.days.range(on: day) {
        return Verdict(cause: DayCause(.off, calendar.name, range), last: range.last)
      }
      if let next = calendar.days.nextStart(after: day) { last = min(last, next - 1) }
    }
    if !onlyOn.isEmpty {
      guard let range = onlyOn.lazy.compactMap({ $0.days.range(on: day) }).first else {
        var verdict = without(day)
        verdict.last = min(last, verdict.last)
        return verdict
      }
      last = min(last, range.last)
    }
    if weekdays == 0 { return Verdict(cause: nil, last: last) }
    return byWeekday(day, last)
  }

  /// Of a day that is none of `onlyOn`'s.
  private func without(_ day: Int64) -> Verdict {
    let names = onlyOn.map { $0.name }.joined(separator: ", ")
    let before = onlyOn.compactMap { $0.days.previousEnd(before: day) }.max()
    let first = before.map { $0 + 1 } ?? .min
    guard let next = onlyOn.compactMap({ $0.days.nextStart(after: day) }).min() else {
      let gap = DayCalendar.Range(first: first, last: .max, name: "")
      return Verdict(cause: DayCause(.ended, names, gap), last: .max)
    }
    let gap = DayCalendar.Range(first: first, last: next - 1, name: "")
    return Verdict(cause: DayCause(.outside, names, gap), last: next - 1)
  }

  private func byWeekday(_ day: Int64, _ limit: Int64) -> Verdict {
    var limit = limit
    for calendar in asOn {
      if let range = calendar.days.range(on: day) {
        limit = min(limit, range.last)
        if has(calendar.weekday.number) { return Verdict(cause: nil, last: limit) }
        if has(Self.weekday(of: day)) {
          let cause = DayCause(.treated(calendar.weekday), calendar.name, range)
          return Verdict(cause: cause, last: day)
        }
        return Verdict(cause: .notItsWeekday, last: day)
      }
      if let next = calendar.days.nextStart(after: day) { limit = min(limit, next - 1) }
    }
    // On ordinary days the weekday decides, and has done so within a week.
    let rings = has(Self.weekday(of: day))
    var last = day
    while last < limit, last - day < 7, has(Self.weekday(of: last + 1)) == rings { last += 1 }
    if last - day == 7 { last = limit }
    return Verdict(cause: rings ? nil : .notItsWeekday, last: last)
  }

  private func has(_ weekday: Int64) -> Bool { weekdays & (1 << UInt64(weekday)) != 0 }

  /// 1 Monday to 7 Sunday.
  private static func weekday(of day: Int64) -> Int64 { floorModulo(day + 3, 7) + 1 }
}

/// Why a day keeps an occurrence from ringing.
struct DayCause: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A day of `exceptOn`.
    case off
    /// None of `onlyOn`'s, between two of them.
    case outside
    /// Behind the last of `onlyOn`.
    case ended
    /// By `asOn` it counts as a weekday that the rule does not have, though its own is one.
    case treated(AsOn.Weekday)
    /// The rule does not have its weekday: nobody expects it, so nobody is told.
    case otherWeekday
  }

  var kind: Kind
  /// The calendar's name, or names.
  var calendar: String
  /// The days that are in one with it.
  var days: DayCalendar.Range

  init(_ kind: Kind, _ calendar: String, _ days: DayCalendar.Range) {
    self.kind = kind
    self.calendar = calendar
    self.days = days
  }

  static let notItsWeekday = DayCause(
    .otherWeekday, "", DayCalendar.Range(first: 0, last: 0, name: ""))

  /// Whether history, events and lists say it.
  var isTold: Bool { kind != .otherWeekday }

  var reason: String {
    switch kind {
    case .off:
      spanned + (days.first == days.last ? " is a day off: " : " are days off: ") + named
    case .outside: spanned + " is not in " + calendar
    case .ended:
      "calendar-ended: \(calendar) has no day"
        + (days.first == .min ? "" : " after " + CivilDate(days: days.first - 1).text)
    case .treated(let weekday):
      spanned + " counts as \(weekday.word): " + named
    case .otherWeekday: "it is not for this weekday"
    }
  }

  /// `Christmas (holidays)`
  private var named: String { days.name.isEmpty ? calendar : "\(days.name) (\(calendar))" }

  /// `2026-12-24..2027-01-06`
  private var spanned: String {
    let last = CivilDate(days: days.last).text
    if days.first == days.last { return last }
    return days.first == .min ? "all up to " + last : CivilDate(days: days.first).text + ".." + last
  }

  /// Tells apart what skips, as the numbers of pauses do, and from those: below zero.
  var number: Int64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    let add = { (byte: UInt8) in sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    switch kind {
    case .off: add(1)
    case .outside: add(2)
    case .ended: add(3)
    case .treated: add(4)
    case .otherWeekday: add(5)
    }
    for byte in calendar.utf8 { add(byte) }
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      add(UInt8(truncatingIfNeeded: UInt64(bitPattern: days.first) >> shift))
    }
    return -1 - Int64(sum >> 1)
  }
}
