/// BYSETPOS: some of each set.
extension RuleSeries {
  /// The days of a period: masks of its months or of its week, each with the day that bit 0 is.
  struct DaySet {
    private(set) var parts: [(base: Int64, mask: UInt64)] = []
    private(set) var count: Int64 = 0

    mutating func removeAll() {
      parts.removeAll(keepingCapacity: true)
      count = 0
    }

    /// In order; by SKIP a month may begin with what the one before has ended with.
    mutating func append(_ base: Int64, _ mask: UInt64) {
      var mask = mask
      if let last = parts.last {
        let end = last.base + last.mask.lastBit
        if end >= base { mask &= ~0 << UInt64(end - base + 1) }
      }
      guard mask != 0 else { return }
      parts.append((base, mask))
      count += Int64(mask.nonzeroBitCount)
    }

    /// The one with this number, from 0; there is one.
    func day(at index: Int64) -> Int64 {
      var left = index
      for part in parts {
        let count = Int64(part.mask.nonzeroBitCount)
        if left < count { return part.base + part.mask.bit(at: left) }
        left -= count
      }
      return .max / 86400
    }

    func count(before day: Int64) -> Int64 {
      var count: Int64 = 0
      for part in parts where part.base < day {
        let place = day - part.base
        let mask = place > 63 ? part.mask : part.mask & .below(place)
        count += Int64(mask.nonzeroBitCount)
      }
      return count
    }

    func contains(_ day: Int64) -> Bool {
      parts.contains { 0...63 ~= day - $0.base && $0.mask.has(day - $0.base) }
    }
  }

  /// For frequencies of a day and above: set by set.
  func chosen(onOrAfter time: Int64, _ meter: inout StepMeter) -> Int64? {
    var set = DaySet()
    var place = floorDivide(time, 86400)
    if days.skip == .forward { place -= 1 }
    var earlier: Int64?
    while let next = days(ofPeriodAt: place, into: &set, &meter) {
      let count = set.count * times.perDay
      let index = chosenPlace(from: rank(of: time, in: set), of: count)
      let found = index.map { self.time(at: $0, of: set) }
      if let earlier { return min(earlier, found ?? .max) }
      if found != nil, !days.canShareDays { return found }
      // The next set may share the day, and choose a time before this one.
      (earlier, place) = (found, next)
    }
    return earlier
  }

  /// The one with this number, from 0, of a set.
  func time(at index: Int64, of set: DaySet) -> Int64 {
    set.day(at: index / times.perDay) * 86400 + times.time(at: index % times.perDay)
  }

  /// How many of a set lie before `time`.
  func rank(of time: Int64, in set: DaySet) -> Int64 {
    let day = floorDivide(time, 86400)
    let count = set.count(before: day) * times.perDay
    return set.contains(day) ? count + times.count(ofDayBefore: time - day * 86400) : count
  }

  // MARK: Places

  /// The first chosen place, from 0, of a set of `count` that is not below `lowest`.
  func chosenPlace(from lowest: Int64, of count: Int64) -> Int64? {
    var found: Int64?
    let fromEnd = positions.place(ofFirstFrom: lowest - count)
    if fromEnd < positions.count, positions[fromEnd] < 0 {
      found = count + Int64(positions[fromEnd])
    }
    let fromStart = positions.place(ofFirstFrom: lowest + 1)
    if fromStart < positions.count, Int64(positions[fromStart]) <= count {
      found = min(found ?? .max, Int64(positions[fromStart]) - 1)
    }
    return found
  }

  /// How many of a set's first `end` are chosen; `end` nil: of all.
  func chosenCount(before end: Int64? = nil, of count: Int64) -> Int64 {
    if end == nil, count >= 2 * 366 { return Int64(positions.count) }
    let end = end ?? count
    var (found, place) = (Int64(0), Int64(0))
    while let next = chosenPlace(from: place, of: count), next < end {
      found += 1
      place = next + 1
    }
    return found
  }

  /// The chosen place with this number, from 0; there is one.
  func chosenPlace(number: Int64, of count: Int64) -> Int64 {
    var place: Int64 = -1
    for _ in 0...number { place = chosenPlace(from: place + 1, of: count) ?? place }
    return place
  }

  // MARK: Periods

  /// The days of the period that `day` lies in, or of a later one if none of it is allowed; gives
  /// the first day behind it.
  func days(
    ofPeriodAt day: Int64, into set: inout DaySet, _ meter: inout StepMeter
  ) -> Int64? {
    set.removeAll()
    switch frequency {
    case .daily:
      guard let found = firstDay(onOrAfter: day, &meter) else { return nil }
      set.append(found, 1)
      return found + 1
    case .weekly:
      guard let found = firstDay(onOrAfter: week(of: day), &meter) else { return nil }
      let week = week(of: found)
      set.append(week, weekdays & allowedDays(ofWeek: week))
      return week + 7
    default:
      let date = CivilDate(days: day)
      return months(from: date.year, frequency == .yearly ? 1 : date.month, into: &set, &meter)
    }
  }

  /// Bit 0 is the week's first day.
  func allowedDays(ofWeek week: Int64) -> UInt64 {
    guard days.months != 0 else { return 0x7F }
    let date = CivilDate(days: week)
    let rest = CivilDate.length(ofMonth: date.month, year: date.year) - date.day + 1
    let here = UInt64.below(min(rest, 7))
    let next = days.allows(month: date.month % 12 + 1) ? 0x7F & ~here : 0
    return (days.allows(month: date.month) ? here : 0) | next
  }

  private func months(
    from year: Int64, _ month: Int64, into set: inout DaySet, _ meter: inout StepMeter
  ) -> Int64? {
    guard let begin = reached(year, month, &meter) else { return nil }
    var (year, month) = begin
    while year == begin.year, frequency == .yearly || month == begin.month {
      let first = CivilDate(year: year, month: month, day: 1).days
      set.append(first - 1, days.mask(year: year, month: month, first: first))
      guard let next = reached(year, month + 1, &meter) else { return .max / 86400 }
      (year, month) = next
    }
    return CivilDate(year: year, month: month, day: 1).days
  }
}

extension [Int16] {
  /// In ascending order, how many are smaller than `number`.
  fileprivate func place(ofFirstFrom number: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if Int64(self[middle]) < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
