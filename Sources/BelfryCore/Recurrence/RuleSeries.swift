/// A rule from its start: its wall clocks in order, in whole seconds since 1970 as if they showed
/// UTC.
///
/// Nothing is kept between questions; what does not match is jumped over by the day, the month or
/// the year, so that each question takes a bounded number of steps, which its `StepMeter` counts:
/// mostly one or two, some thousands for a rule that matches nothing until 2262.
struct RuleSeries: Sendable {
  let frequency: RecurrenceRule.Frequency
  let interval: Int64
  let start: Int64
  let startDay: Int64
  let startDate: CivilDate
  /// 0 Monday to 6 Sunday.
  let weekStart: Int64
  let weekdays: UInt64
  let days: RuleDays
  /// The same without SKIP; nil: there is none.
  private let unmovedDays: RuleDays?
  let times: RuleTimes
  /// BYSETPOS; empty: all.
  let positions: [Int16]
  /// No day of `Instant`'s range is later.
  static let lastDay: Int64 = 106_752
  /// None later than this.
  private(set) var last = Int64.max

  init(_ rule: RecurrenceRule, start: Int64) {
    var meter = StepMeter()
    self.init(rule, start: start, &meter)
  }

  /// Where `meter` is spent, the end of a COUNT is not known, and nothing may be asked.
  init(_ rule: RecurrenceRule, start: Int64, _ meter: inout StepMeter) {
    frequency = rule.frequency
    interval = rule.interval
    self.start = start
    startDay = floorDivide(start, 86400)
    startDate = CivilDate(days: startDay)
    weekStart = Int64(rule.weekStart) - 1
    let ownWeekday = UInt64(1) << UInt64(startDate.weekday)
    // Bit 0 is the day on which weeks begin.
    let week = (rule.weekdays == 0 ? ownWeekday : rule.weekdays) >> 1
    weekdays = (week >> UInt64(weekStart) | week << UInt64(7 - weekStart)) & 0x7F
    days = RuleDays(rule, start: startDate)
    var unmoved = rule
    unmoved.skip = .omit
    unmovedDays = days.skip == .omit ? nil : RuleDays(unmoved, start: startDate)
    times = RuleTimes(rule, start: start - startDay * 86400)
    positions = rule.positions
    guard canMatch else {
      last = .min
      return
    }
    switch rule.end {
    case .never, .untilInstant: break
    case .untilDate(let days): last = days * 86400 + 86399
    case .untilWall(let wall): last = floorDivide(wall.nanoseconds, Nanoseconds.second)
    case .count(let count): last = time(ofCount: count, &meter) ?? .max
    }
  }

  /// The first at `time` or later; nil if there is none before 2263.
  func first(onOrAfter time: Int64, _ meter: inout StepMeter) -> Int64? {
    let time = max(time, start)
    guard time <= last, let found = next(onOrAfter: time, &meter), found <= last else {
      return nil
    }
    return found
  }

  /// The same, however many steps it takes.
  func first(onOrAfter time: Int64) -> Int64? {
    var meter = StepMeter()
    return first(onOrAfter: time, &meter)
  }

  /// What SKIP did to one that `first` gave.
  func because(_ time: Int64) -> Due.Because {
    guard let unmovedDays else { return [] }
    let day = floorDivide(time, 86400)
    let date = CivilDate(days: day)
    let mask = unmovedDays.mask(
      year: date.year, month: date.month, first: day - date.day + 1)
    guard !mask.has(date.day) else { return [] }
    return days.skip == .backward ? .clamped : .rolled
  }

  func next(onOrAfter time: Int64, _ meter: inout StepMeter) -> Int64? {
    if frequency < .daily { return within(onOrAfter: time, &meter) }
    if !positions.isEmpty { return chosen(onOrAfter: time, &meter) }
    let day = floorDivide(time, 86400)
    guard var found = firstDay(onOrAfter: day, &meter) else { return nil }
    if found == day {
      if let time = times.first(ofDayFrom: time - day * 86400) { return day * 86400 + time }
      guard let later = firstDay(onOrAfter: day + 1, &meter) else { return nil }
      found = later
    }
    return found * 86400 + times.firstOfDay
  }
}
