/// The last of a rule with COUNT, by arithmetic: sets, days and units that have equally many are not
/// gone through one by one, so that a large COUNT costs some thousand steps.
extension RuleSeries {
  /// The last of so many; nil if there are fewer.
  func time(ofCount count: Int64, _ meter: inout StepMeter) -> Int64? {
    if frequency < .daily { return counted(count, byUnits: &meter) }
    if frequency == .daily || positions.isEmpty { return counted(count, byDays: &meter) }
    if days.canShareDays { return counted(count, bySharingSets: &meter) }
    return counted(count, bySets: &meter)
  }

  func counted(_ count: Int64, oneByOne meter: inout StepMeter) -> Int64? {
    var (place, left) = (start, count)
    while let found = next(onOrAfter: place, &meter) {
      left -= 1
      if left == 0 { return found }
      place = found + 1
    }
    return nil
  }

  // MARK: By days

  /// All days have as many.
  private func counted(_ count: Int64, byDays meter: inout StepMeter) -> Int64? {
    let perDay = positions.isEmpty ? times.perDay : chosenCount(of: times.perDay)
    guard perDay > 0, let first = firstDay(onOrAfter: startDay, &meter) else { return nil }
    var place = count - 1
    if first == startDay {
      // What its first day has before the start does not count.
      let before = times.count(ofDayBefore: start - startDay * 86400)
      place += positions.isEmpty ? before : chosenCount(before: before, of: times.perDay)
    }
    guard let day = day(number: place / perDay, &meter) else { return nil }
    var index = place % perDay
    if !positions.isEmpty { index = chosenPlace(number: index, of: times.perDay) }
    return day * 86400 + times.time(at: index)
  }

  /// The allowed day with this number, from 0, that an interval reaches, counted from the start's.
  func day(number: Int64, _ meter: inout StepMeter) -> Int64? {
    switch frequency {
    case .yearly, .monthly: day(number: number, byMonths: &meter)
    case .weekly: day(number: number, byWeeks: &meter)
    case .daily: day(number: number, every: interval, &meter)
    default: day(number: number, every: 1, &meter)
    }
  }

  private func day(number: Int64, byMonths meter: inout StepMeter) -> Int64? {
    let isForward = days.skip == .forward
    let date = CivilDate(days: isForward ? startDay - 1 : startDay)
    var (year, month, lowest) = (date.year, date.month, date.day + (isForward ? 1 : 0))
    var (left, last) = (number, Int64.min)
    while let next = reached(year, month, &meter) {
      if next != (year, month) { lowest = 0 }
      (year, month) = next
      let first = CivilDate(year: year, month: month, day: 1).days
      var mask = days.mask(year: year, month: month, first: first) & (~0 << UInt64(lowest))
      // By SKIP the month before may have ended with one of its days.
      if last >= first - 1 { mask &= ~0 << UInt64(last - first + 2) }
      let count = Int64(mask.nonzeroBitCount)
      if left < count { return first - 1 + mask.bit(at: left) }
      left -= count
      if mask != 0 { last = first - 1 + mask.lastBit }
      (month, lowest) = (month + 1, 0)
    }
    return nil
  }

  private func day(number: Int64, byWeeks meter: inout StepMeter) -> Int64? {
    var week = week(of: startDay)
    var left = number + Int64((weekdays & .below(startDay - week)).nonzeroBitCount)
    guard days.months != 0 else {
      let perWeek = Int64(weekdays.nonzeroBitCount)
      week += left / perWeek * 7 * interval
      return week <= Self.lastDay ? week + weekdays.bit(at: left % perWeek) : nil
    }
    left = number
    var mask = weekdays & (~0 << UInt64(startDay - week))
    while week <= Self.lastDay, meter.take() {
      mask &= allowedDays(ofWeek: week)
      let count = Int64(mask.nonzeroBitCount)
      if left < count { return week + mask.bit(at: left) }
      left -= count
      week += 7 * interval
      mask = weekdays
    }
    return nil
  }

  private func day(number: Int64, every interval: Int64, _ meter: inout StepMeter) -> Int64? {
    guard !days.isUnlimited else {
      let day = startDay + number * interval
      return day <= Self.lastDay ? day : nil
    }
    var (day, left) = (startDay, number)
    while day <= Self.lastDay, meter.take() {
      let date = CivilDate(days: day)
      let first = day - date.day + 1
      var mask = days.mask(year: date.year, month: date.month, first: first)
      mask &= ~0 << UInt64(date.day)
      if interval > 1, mask != 0 { mask &= reachedDays(from: day, ofMonthAt: first) }
      let count = Int64(mask.nonzeroBitCount)
      if left < count { return first - 1 + mask.bit(at: left) }
      left -= count
      day = first + CivilDate.length(ofMonth: date.month, year: date.year)
    }
    return nil
  }

  private func reachedDays(from day: Int64, ofMonthAt first: Int64) -> UInt64 {
    var mask: UInt64 = 0
    var place = aligned(day, interval) - first + 1
    while place < 32 {
      mask |= 1 << UInt64(place)
      place += interval
    }
    return mask
  }

  // MARK: By sets

  /// For BYSETPOS of a week and above.
  private func counted(_ count: Int64, bySets meter: inout StepMeter) -> Int64? {
    var set = DaySet()
    var left = count - 1
    var place = startDay
    var isFirst = true
    // By the number of days, since few numbers occur.
    var chosen = [Int64](repeating: -1, count: 367)
    while let next = days(ofPeriodAt: place, into: &set, &meter) {
      let size = set.count * times.perDay
      if isFirst { left += chosenCount(before: rank(of: start, in: set), of: size) }
      isFirst = false
      let days = Int(set.count)
      if chosen[days] < 0 { chosen[days] = chosenCount(of: size) }
      if left < chosen[days] { return time(at: chosenPlace(number: left, of: size), of: set) }
      left -= chosen[days]
      place = next
    }
    return nil
  }
}
