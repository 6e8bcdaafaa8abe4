/// From day to day.
extension RuleSeries {
  /// The first allowed day at `day` or later that an interval reaches; nil if there is none before
  /// 2263. Days before the start too, where an interval would have reached them.
  func firstDay(onOrAfter day: Int64, _ meter: inout StepMeter) -> Int64? {
    switch frequency {
    case .yearly, .monthly: dayByMonth(onOrAfter: day, &meter)
    case .weekly: dayByWeek(onOrAfter: day, &meter)
    case .daily: dayByDay(onOrAfter: day, every: interval, &meter)
    default: dayByDay(onOrAfter: day, every: 1, &meter)
    }
  }

  private func dayByMonth(onOrAfter day: Int64, _ meter: inout StepMeter) -> Int64? {
    // With SKIP=FORWARD the first of a month may belong to the month before.
    let isForward = days.skip == .forward
    let date = CivilDate(days: isForward ? day - 1 : day)
    var (year, month, lowest) = (date.year, date.month, date.day + (isForward ? 1 : 0))
    while let (nextYear, nextMonth) = reached(year, month, &meter) {
      // A later month may by SKIP have the day before its first, which is none before `day`.
      if (nextYear, nextMonth) != (year, month) { lowest = 0 }
      (year, month) = (nextYear, nextMonth)
      let first = CivilDate(year: year, month: month, day: 1).days
      let mask = days.mask(year: year, month: month, first: first) & (~0 << UInt64(lowest))
      if mask != 0 { return first + mask.firstBit - 1 }
      (year, month, lowest) = (year, month + 1, 0)
    }
    return nil
  }

  /// The first allowed month from this one on (its number may be 13) that an interval reaches.
  func reached(
    _ year: Int64, _ month: Int64, _ meter: inout StepMeter
  ) -> (year: Int64, month: Int64)? {
    var (year, month) = (year, month)
    while year < RuleDays.endYear, meter.take() {
      if month > 12 { (year, month) = (year + 1, 1) }
      if frequency == .yearly {
        let rest = floorModulo(year - startDate.year, interval)
        if rest > 0 { (year, month) = (year + interval - rest, 1) }
      } else {
        let index = year * 12 + month - 1
        let rest = floorModulo(index - startDate.year * 12 - startDate.month + 1, interval)
        if rest > 0 {
          (year, month) = (
            floorDivide(index + interval - rest, 12), floorModulo(index + interval - rest, 12) + 1
          )
        }
      }
      guard year < RuleDays.endYear else { return nil }
      if days.allows(month: month) { return (year, month) }
      month = days.months.bit(after: month) ?? 13
    }
    return nil
  }

  private func dayByWeek(onOrAfter day: Int64, _ meter: inout StepMeter) -> Int64? {
    let firstWeek = week(of: startDay)
    var week = self.week(of: day)
    let rest = floorModulo((week - firstWeek) / 7, interval)
    var lowest = day - week
    if rest > 0 { (week, lowest) = (week + (interval - rest) * 7, 0) }
    while week <= Self.lastDay, meter.take() {
      var mask = weekdays & (~0 << UInt64(lowest))
      while mask != 0 {
        let found = week + mask.firstBit
        guard days.months != 0 else { return found }
        let date = CivilDate(days: found)
        if days.allows(month: date.month) { return found }
        // On to the next month that is allowed.
        guard let next = firstOfMonth(after: date) else { return nil }
        mask &= next - week < 7 ? ~0 << UInt64(next - week) : 0
        if mask == 0, next - week > 6 {
          let weeks = max(1, (next - 6 - week) / 7 / interval)
          week += (weeks - 1) * 7 * interval
        }
      }
      (week, lowest) = (week + 7 * interval, 0)
    }
    return nil
  }

  /// The first day of the week of a day.
  func week(of day: Int64) -> Int64 {
    day - floorModulo(day + 3 - weekStart, 7)
  }

  /// The first day of the next allowed month.
  private func firstOfMonth(after date: CivilDate) -> Int64? {
    var (year, month) = (date.year, date.month)
    repeat {
      (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
      guard year < RuleDays.endYear else { return nil }
    } while !days.allows(month: month)
    return CivilDate(year: year, month: month, day: 1).days
  }

  private func dayByDay(
    onOrAfter day: Int64, every interval: Int64, _ meter: inout StepMeter
  ) -> Int64? {
    var day = aligned(day, interval)
    while day <= Self.lastDay, meter.take() {
      let date = CivilDate(days: day)
      let first = day - date.day + 1
      var mask = days.mask(year: date.year, month: date.month, first: first)
      mask &= ~0 << UInt64(date.day)
      while mask != 0 {
        if interval == 1 { return first + mask.firstBit - 1 }
        if mask.has(day - first + 1) { return day }
        // The next allowed day may be far: on to the first that an interval reaches from it.
        guard meter.take() else { return nil }
        mask &= ~0 << UInt64(day - first + 2)
        guard mask != 0 else { break }
        day = aligned(first + mask.firstBit - 1, interval)
        guard day - first + 1 < 32 else { break }
        mask &= ~0 << UInt64(day - first + 1)
      }
      if day < first + CivilDate.length(ofMonth: date.month, year: date.year) {
        guard let next = firstOfMonth(after: date) else { return nil }
        day = aligned(next, interval)
      }
    }
    return nil
  }

  /// The first day from `day` on that lies a whole number of intervals from the start.
  func aligned(_ day: Int64, _ interval: Int64) -> Int64 {
    guard interval > 1 else { return day }
    let rest = floorModulo(day - startDay, interval)
    return rest > 0 ? day + interval - rest : day
  }
}
