/// COUNT of rules by the hour, the minute and the second.
extension RuleSeries {
  /// So many steps are tried one by one before whole days are counted.
  private static let fewSteps: Int64 = 1000

  func counted(_ count: Int64, byUnits meter: inout StepMeter) -> Int64? {
    if isUnlimited {
      let (way, tooFar) = (count - 1).multipliedReportingOverflow(by: interval * unit)
      return tooFar ? nil : next(onOrAfter: start, &meter).map { $0 + way }
    }
    var few = StepMeter(limit: min(Self.fewSteps, meter.limit))
    let found = counted(count, oneByOne: &few)
    _ = meter.take(few.steps)
    if !few.isSpent { return found }
    let each = positions.isEmpty ? perUnit : chosenCount(of: perUnit)
    let begin = floorDivide(start, unit) * unit
    guard each > 0, let first = unit(number: 0, &meter) else { return nil }
    var place = count - 1
    if first == begin {
      // What its first unit has before the start does not count.
      let before = countInUnit(before: start - begin)
      place += positions.isEmpty ? before : chosenCount(before: before, of: perUnit)
    }
    guard let found = unit(number: place / each, &meter) else { return nil }
    var index = place % each
    if !positions.isEmpty { index = chosenPlace(number: index, of: perUnit) }
    return found + valueInUnit(index)
  }

  /// The beginning of the allowed unit with this number, from 0, that an interval reaches, counted
  /// from the start's.
  private func unit(number: Int64, _ meter: inout StepMeter) -> Int64? {
    let perDay = 86400 / unit
    if interval >= perDay { return unit(number: number, oneADay: &meter) }
    let first = floorDivide(start, unit) - startDay * perDay
    // What the start's day has before it is counted with the rest.
    var left = number
    if firstDay(onOrAfter: startDay, &meter) == startDay {
      left += countOfDay(from: first % interval, before: first, &meter)
    }
    guard perDay % interval == 0 else {
      return unit(number: left, from: first, changing: &meter)
    }
    let each = countOfDay(from: first % interval, before: perDay, &meter)
    guard each > 0, let day = day(number: left / each, &meter) else { return nil }
    return day * 86400 + unitOfDay(left % each, from: first % interval) * unit
  }

  /// Intervals come to a day once at most.
  private func unit(number: Int64, oneADay meter: inout StepMeter) -> Int64? {
    var (time, left) = (floorDivide(start, unit) * unit, number)
    var month = (begin: Int64.max, end: Int64.min, mask: UInt64(0))
    while time <= Self.lastDay * 86400, meter.take() {
      let day = floorDivide(time, 86400)
      if day < month.begin || day >= month.end {
        let date = CivilDate(days: day)
        month.begin = day - date.day + 1
        month.end = month.begin + CivilDate.length(ofMonth: date.month, year: date.year)
        month.mask = days.mask(year: date.year, month: date.month, first: month.begin)
      }
      if month.mask.has(day - month.begin + 1), limited(time - day * 86400, unit) == nil {
        if left == 0 { return time }
        left -= 1
      }
      time += interval * unit
    }
    return nil
  }

  /// Intervals come to other times on each day.
  private func unit(
    number: Int64, from first: Int64, changing meter: inout StepMeter
  ) -> Int64? {
    let perDay = 86400 / unit
    let counts = countsByPhase(&meter)
    var (day, left) = (startDay, number)
    while let found = firstDay(onOrAfter: day, &meter) {
      let date = CivilDate(days: found)
      let begin = found - date.day + 1
      var mask = days.mask(year: date.year, month: date.month, first: begin)
      mask &= ~0 << UInt64(date.day)
      while mask != 0, meter.take() {
        day = begin - 1 + mask.firstBit
        let phase = floorModulo(first - (day - startDay) * perDay, interval)
        let count = Int64(counts[Int(phase)])
        if left < count { return day * 86400 + unitOfDay(left, from: phase) * unit }
        left -= count
        mask &= mask - 1
      }
      if meter.isSpent { return nil }
      day = begin + CivilDate.length(ofMonth: date.month, year: date.year)
    }
    return nil
  }

  /// How many a whole day has, by the first of its units that an interval reaches; for intervals
  /// shorter than a day.
  func countsOfDay(_ meter: inout StepMeter) -> [Int32] {
    let each = positions.isEmpty ? perUnit : chosenCount(of: perUnit)
    return countsByPhase(&meter).map { $0 * Int32(each) }
  }

  /// The same of one allowed day.
  func count(ofDay day: Int64, _ counts: [Int32]) -> Int64 {
    let way = floorDivide(start, unit) - day * (86400 / unit)
    return Int64(counts[Int(floorModulo(way, interval))])
  }

  /// How many of a day an interval reaches, by the first unit of the day that it does.
  private func countsByPhase(_ meter: inout StepMeter) -> [Int32] {
    var counts = [Int32](repeating: 0, count: Int(interval))
    var index: Int64 = 0
    let perDay = 86400 / unit
    _ = meter.take(perDay / 8)
    while index < perDay {
      if let next = limited(index * unit, unit) {
        index = (next + unit - 1) / unit
      } else {
        counts[Int(index % interval)] += 1
        index += 1
      }
    }
    return counts
  }

  /// How many of a day's units from `phase` on, and before `end`, are allowed.
  private func countOfDay(
    from phase: Int64, before end: Int64, _ meter: inout StepMeter
  ) -> Int64 {
    _ = meter.take((end - phase) / interval / 8)
    var (count, index) = (Int64(0), phase)
    while index < end {
      if limited(index * unit, unit) == nil { count += 1 }
      index += interval
    }
    return count
  }

  /// The allowed one with this number, from 0; there is one.
  private func unitOfDay(_ number: Int64, from phase: Int64) -> Int64 {
    var (left, index) = (number, phase)
    while index < 86400 / unit {
      if limited(index * unit, unit) == nil {
        if left == 0 { return index }
        left -= 1
      }
      index += interval
    }
    return index
  }
}
