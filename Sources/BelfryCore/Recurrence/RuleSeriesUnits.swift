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
    var left = number
    let end = Self.lastDay * 86400
    let found = self.unit(from: start, before: end, having: &left, &meter)
    return found.flatMap { $0 < end ? $0 : nil }
  }

  /// The beginning of the first unit from that of `time` on that has this number, from 0, among those
  /// that an interval of a day or more reaches and that are allowed; the number is less by those before
  /// it. `end` if it is none before `end`. nil: `meter` is spent.
  func unit(
    from time: Int64, before end: Int64, having number: inout Int64, _ meter: inout StepMeter
  ) -> Int64? {
    var place = alignedUnit(time, unit)
    while place < end {
      let date = CivilDate(days: floorDivide(place, 86400))
      let begin = floorDivide(place, 86400) - date.day + 1
      let length = CivilDate.length(ofMonth: date.month, year: date.year)
      let mask = days.mask(year: date.year, month: date.month, first: begin)
      let monthEnd = min(end, (begin + length) * 86400)
      if mask == 0 {
        // On to the first that is reached behind it.
        guard meter.take() else { return nil }
        place = alignedUnit(monthEnd, unit)
        continue
      }
      guard meter.take(1 + 4 / max(1, interval * unit / 86400)) else { return nil }
      while place < monthEnd {
        let day = floorDivide(place, 86400)
        if mask.has(day - begin + 1), limited(place - day * 86400, unit) == nil {
          if number == 0 { return place }
          number -= 1
        }
        place += interval * unit
      }
    }
    return end
  }

  /// Intervals come to other times on each day.
  private func unit(
    number: Int64, from first: Int64, changing meter: inout StepMeter
  ) -> Int64? {
    let perDay = 86400 / unit
    let counts = countsByPhase(&meter)
    var left = number
    let end = Self.lastDay + 1
    guard
      let day = day(from: startDay, before: end, having: &left, counts, &meter), day < end
    else { return nil }
    let phase = floorModulo(first - (day - startDay) * perDay, interval)
    return day * 86400 + unitOfDay(left, from: phase) * unit
  }

  /// The first day from `day` on that has the one with this number, from 0, which is less by what the
  /// days before it have; `end` if none before `end` has it. `counts` are by the first unit of a
  /// day that an interval, shorter than a day, reaches. nil: `meter` is spent.
  func day(
    from day: Int64, before end: Int64, having number: inout Int64, _ counts: [Int32],
    _ meter: inout StepMeter
  ) -> Int64? {
    let areAllEqual = 86400 / unit % interval == 0
    var place = day
    while place < end, let found = firstDay(onOrAfter: place, &meter), found < end {
      let date = CivilDate(days: found)
      let begin = found - date.day + 1
      place = begin + CivilDate.length(ofMonth: date.month, year: date.year)
      var mask = days.mask(year: date.year, month: date.month, first: begin)
      mask &= ~0 << UInt64(date.day)
      if areAllEqual, place <= end {
        let whole = Int64(mask.nonzeroBitCount) * count(ofDay: found, counts)
        if number >= whole {
          number -= whole
          continue
        }
      }
      guard meter.take(Int64(mask.nonzeroBitCount) / 8) else { return nil }
      while mask != 0 {
        let day = begin - 1 + mask.firstBit
        guard day < end else { return end }
        let count = count(ofDay: day, counts)
        if number < count { return day }
        number -= count
        mask &= mask - 1
      }
    }
    return meter.isSpent ? nil : end
  }

  /// How many a whole day has, by the first of its units that an interval reaches; for intervals
  /// shorter than a day.
  func countsOfDay(_ meter: inout StepMeter) -> [Int32] {
    let each = positions.isEmpty ? perUnit : chosenCount(of: perUnit)
    return countsByPhase(&meter).map { $0 * Int32(each) }
  }

  /// The same of one allowed day.
  private func count(ofDay day: Int64, _ counts: [Int32]) -> Int64 {
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
