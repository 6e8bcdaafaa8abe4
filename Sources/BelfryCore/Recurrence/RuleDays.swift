/// The days that a rule allows, month by month: a month is a mask, so that none is looked at by
/// itself.
struct RuleDays: Sendable {
  /// All of a rule's days lie before this year, as `Instant` ends in 2262.
  static let endYear: Int64 = 2263

  /// 1 to 12; 0: all.
  let months: UInt64
  private let monthDays: UInt64
  private let monthDaysFromEnd: UInt64
  /// Bit 0 is Monday.
  private let weekdays: UInt64
  /// For each weekday from Monday on, bit n for the nth of the month or year; empty: none.
  private let ordinals: (fromStart: [UInt64], fromEnd: [UInt64])
  /// Ordinals count in the year, not in the month.
  private let countsInYear: Bool
  /// Bit 0 is 1 January; for a common year and for a leap year; empty: all.
  private let yearDays: (common: [UInt64], leap: [UInt64])
  /// Day -366 of a common year is by SKIP the last of the year before.
  private let hasDayBeforeYear: Bool
  private let weeks: UInt64
  private let weeksFromEnd: UInt64
  private let weekStart: Int64
  /// Only where a part makes days, not where it limits them.
  let skip: RecurrenceRule.Skip
  /// Neither weeks, nor days of the year, nor weekdays: what a month's length alone decides.
  private let isPlain: Bool

  /// What the rule leaves open is as on `start` (RFC 5545, 3.3.10: information not contained in the
  /// rule is derived from the start).
  init(_ rule: RecurrenceRule, start: CivilDate) {
    var (months, monthDays, weekdays) = (rule.months, rule.monthDays, rule.weekdays >> 1)
    let day = UInt64(1) << UInt64(start.day)
    let weekday = UInt64(1) << UInt64(start.weekday - 1)
    switch rule.frequency {
    case .yearly where !rule.namesDays:
      if months == 0 { months = 1 << UInt64(start.month) }
      monthDays = day
    case .yearly where rule.namesWeeks && rule.yearDays.isEmpty && !rule.namesMonthDays:
      if weekdays == 0 { weekdays = weekday }
    case .monthly where !rule.namesDays: monthDays = day
    case .weekly where weekdays == 0: weekdays = weekday
    default: break
    }
    self.monthDays = monthDays
    self.weekdays = weekdays
    monthDaysFromEnd = rule.monthDaysFromEnd
    ordinals = Self.masks(rule.ordinalDays)
    countsInYear = rule.frequency == .yearly && rule.months == 0
    skip = rule.frequency >= .monthly ? rule.skip : .omit
    yearDays = (
      Self.mask(rule.yearDays, length: 365, skip), Self.mask(rule.yearDays, length: 366, skip)
    )
    hasDayBeforeYear = skip == .backward && rule.yearDays.first == -366
    weeks = rule.weeks
    weeksFromEnd = rule.weeksFromEnd
    weekStart = Int64(rule.weekStart)
    if rule.namesWeeks || !rule.yearDays.isEmpty {
      // Most months have none of them: they need not be looked at.
      let near = Self.months(of: rule)
      let both = months == 0 ? near : months & near
      if both != 0 { months = both }
    }
    self.months = months
    isPlain =
      yearDays.common.isEmpty && !rule.namesWeeks && weekdays == 0
      && rule.ordinalDays.isEmpty
  }

  /// Every day is allowed.
  var isUnlimited: Bool {
    isPlain && months == 0 && monthDays | monthDaysFromEnd == 0
  }

  /// Two months, or years, may have a day in common: one that SKIP moved out of its own.
  var canShareDays: Bool {
    switch skip {
    case .omit: false
    case .forward: true
    // Only months shorter than that lack a day counted from their end.
    case .backward: hasDayBeforeYear || monthDaysFromEnd >> 29 != 0
    }
  }

  func allows(month: Int64) -> Bool {
    months == 0 || months >> UInt64(month) & 1 == 1
  }

  /// The allowed days of a month that begins `first` days after 1970: bit n for day n; with SKIP
  /// also the day before the month's first, bit 0, and the one after its last.
  func mask(year: Int64, month: Int64, first: Int64) -> UInt64 {
    guard allows(month: month) else { return 0 }
    let length = UInt64(CivilDate.length(ofMonth: month, year: year))
    let all = ((UInt64(1) << length) - 1) << 1
    var days = all
    if monthDays | monthDaysFromEnd != 0 {
      days = monthDays & all
      if monthDaysFromEnd != 0 {
        days |= monthDaysFromEnd.bitReversed >> (62 - length) & all
      }
      if skip != .omit {
        if monthDays & ~all != 0 { days |= 1 << (skip == .backward ? length : length + 1) }
        if monthDaysFromEnd & ~all != 0 { days |= skip == .backward ? 1 : 2 }
      }
    }
    guard !isPlain else { return days }
    if !yearDays.common.isEmpty {
      let inYear = maskOfYearDays(year, month, first)
      days = monthDays | monthDaysFromEnd != 0 ? days & inYear : inYear
    }
    if weeks | weeksFromEnd != 0 { days &= maskOfWeeks(year, first, Int64(length)) }
    if weekdays != 0 || !ordinals.fromStart.isEmpty {
      days &= maskOfWeekdays(first) | maskOfOrdinals(year, first, Int64(length))
    }
    return days
  }

  // MARK: Parts

  private func maskOfWeekdays(_ first: Int64) -> UInt64 {
    guard weekdays != 0 else { return 0 }
    let turn = UInt64(floorModulo(first + 3, 7))
    let week = (weekdays >> turn | weekdays << (7 - turn)) & 0x7F
    // Five weeks in a row, the first from bit 1, and the day before them.
    return week &* 0x2_0408_1020_4081 << 1 | week >> 6
  }

  private func maskOfOrdinals(_ year: Int64, _ first: Int64, _ length: Int64) -> UInt64 {
    guard !ordinals.fromStart.isEmpty else { return 0 }
    var (begin, end) = (first, first + length)
    if countsInYear {
      begin = CivilDate(year: year, month: 1, day: 1).days
      end = begin + (CivilDate.isLeap(year) ? 366 : 365)
    }
    var mask: UInt64 = 0
    for weekday in 0..<7 where ordinals.fromStart[weekday] | ordinals.fromEnd[weekday] != 0 {
      let place = Int64(weekday)
      let opening = begin + floorModulo(place - begin - 3, 7)
      let closing = end - 1 - floorModulo(end + 2 - place, 7)
      var day = first + floorModulo(place - first - 3, 7)
      while day < first + length {
        if ordinals.fromStart[weekday].has((day - opening) / 7 + 1)
          || ordinals.fromEnd[weekday].has((closing - day) / 7 + 1)
        {
          mask |= 1 << UInt64(day - first + 1)
        }
        day += 7
      }
    }
    return mask
  }

  private static func masks(
    _ days: [RecurrenceRule.OrdinalDay]
  ) -> (fromStart: [UInt64], fromEnd: [UInt64]) {
    guard !days.isEmpty else { return ([], []) }
    var (fromStart, fromEnd) = ([UInt64](repeating: 0, count: 7), [UInt64](repeating: 0, count: 7))
    for day in days {
      let bit = UInt64(1) << UInt64(abs(Int64(day.ordinal)))
      if day.ordinal > 0 {
        fromStart[Int(day.weekday) - 1] |= bit
      } else {
        fromEnd[Int(day.weekday) - 1] |= bit
      }
    }
    return (fromStart, fromEnd)
  }

  /// Weeks that have four days or more in the year are its (RFC 5545, 3.3.10).
  private func maskOfWeeks(_ year: Int64, _ first: Int64, _ length: Int64) -> UInt64 {
    let starts = (firstWeek(year - 1), firstWeek(year), firstWeek(year + 1), firstWeek(year + 2))
    var mask: UInt64 = 0
    var day = first
    while day < first + length {
      let (begin, end) =
        day < starts.1
        ? (starts.0, starts.1) : day < starts.2 ? (starts.1, starts.2) : (starts.2, starts.3)
      let week = (day - begin) / 7
      let next = min(begin + week * 7 + 7, first + length)
      let fromEnd = (end - begin) / 7 - week
      if weeks >> UInt64(week + 1) & 1 == 1 || weeksFromEnd >> UInt64(fromEnd) & 1 == 1 {
        mask |= ((1 << UInt64(next - day)) - 1) << UInt64(day - first + 1)
      }
      day = next
    }
    return mask
  }

  /// All months in which the weeks and days of the year that a rule names can lie.
  private static func months(of rule: RecurrenceRule) -> UInt64 {
    var days = UInt64(0)
    for day in rule.yearDays {
      // A day more on either side, for leap years.
      let place = day > 0 ? Int64(day) - 1 : 365 + Int64(day)
      days |= months(from: place - 1, through: place + 1)
    }
    guard rule.namesWeeks else { return days }
    var weeks = UInt64(0)
    for week in Int64(1)...53 {
      // A week begins up to three days before or behind its share of the year, which has 52 or 53;
      // and a day more for leap years.
      if rule.weeks.has(week) { weeks |= months(from: week * 7 - 11, through: week * 7 + 3) }
      if rule.weeksFromEnd.has(week) {
        weeks |= months(from: 360 - week * 7, through: 381 - week * 7)
      }
    }
    return days == 0 ? weeks : days & weeks
  }

  /// From day to day of a year, from 0; what lies in the years beside it is next to its ends.
  private static func months(from first: Int64, through last: Int64) -> UInt64 {
    let (first, last) = (monthOfYear(first), monthOfYear(last))
    var months: UInt64 = 0
    var month = first
    while month != last {
      months |= 1 << UInt64(month)
      month = month % 12 + 1
    }
    return months | 1 << UInt64(last)
  }

  private static func monthOfYear(_ day: Int64) -> Int64 {
    CivilDate(days: day).month
  }

  private func firstWeek(_ year: Int64) -> Int64 {
    let january = CivilDate(year: year, month: 1, day: 1).days
    let days = floorModulo(january + 3 - (weekStart - 1), 7)
    return days <= 3 ? january - days : january + 7 - days
  }

  private func maskOfYearDays(_ year: Int64, _ month: Int64, _ first: Int64) -> UInt64 {
    let days = CivilDate.isLeap(year) ? yearDays.leap : yearDays.common
    let place = first - CivilDate(year: year, month: 1, day: 1).days
    let (word, bit) = (Int(place >> 6), UInt64(place & 63))
    var mask = days[word] >> bit
    if bit > 0 { mask |= days[word + 1] << (64 - bit) }
    // The day after the last of the year is there by SKIP alone; of other months it is no end.
    let length = CivilDate.length(ofMonth: month, year: year) + (month == 12 ? 1 : 0)
    let isBegun = month == 1 && hasDayBeforeYear && !CivilDate.isLeap(year)
    return (mask & ((1 << UInt64(length)) - 1)) << 1 | (isBegun ? 1 : 0)
  }

  private static func mask(
    _ numbers: [Int16], length: Int, _ skip: RecurrenceRule.Skip
  ) -> [UInt64] {
    guard !numbers.isEmpty else { return [] }
    var words = [UInt64](repeating: 0, count: 7)
    for number in numbers {
      var place = number > 0 ? Int(number) - 1 : length + Int(number)
      if place == length, skip == .backward { place -= 1 }
      if place < 0, skip == .forward { place = 0 }
      guard place >= 0, place < length || skip == .forward else { continue }
      words[place >> 6] |= 1 << UInt64(place & 63)
    }
    return words
  }
}

extension UInt64 {
  /// Bit n becomes bit 63 - n.
  fileprivate var bitReversed: UInt64 {
    var bits = byteSwapped
    bits = (bits >> 4 & 0x0F0F_0F0F_0F0F_0F0F) | (bits & 0x0F0F_0F0F_0F0F_0F0F) << 4
    bits = (bits >> 2 & 0x3333_3333_3333_3333) | (bits & 0x3333_3333_3333_3333) << 2
    return (bits >> 1 & 0x5555_5555_5555_5555) | (bits & 0x5555_5555_5555_5555) << 1
  }
}
