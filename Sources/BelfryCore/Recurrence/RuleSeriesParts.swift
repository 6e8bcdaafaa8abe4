/// Rules by the hour, the minute and the second; and BYSETPOS.
extension RuleSeries {
  /// Seconds of the frequency, shorter than a day.
  var unit: Int64 {
    switch frequency {
    case .hourly: 3600
    case .minutely: 60
    default: 1
    }
  }

  /// False: it never will, and a search would go through every second to say so.
  var canMatch: Bool {
    guard frequency <= .daily else { return true }
    if !positions.isEmpty {
      let count = frequency == .daily ? times.perDay : perUnit
      guard positions.contains(where: { abs(Int64($0)) <= count }) else { return false }
    }
    return frequency == .daily || isReachable
  }

  /// Nothing but the interval decides; for frequencies below the day.
  var isUnlimited: Bool {
    days.isUnlimited && positions.isEmpty && perUnit == 1
      && times.perDay == 86400 / unit
  }

  /// How many an hour, a minute or a second has.
  private var perUnit: Int64 {
    frequency == .hourly ? times.perHour : frequency == .minutely ? times.perMinute : 1
  }

  /// Whether an interval ever comes to one of the allowed times of day.
  ///
  /// Intervals come to every `step`th unit of the day, sooner or later, and to no other.
  private var isReachable: Bool {
    let perDay = 86400 / unit
    var (step, rest) = (perDay, interval % perDay)
    while rest > 0 { (step, rest) = (rest, step % rest) }
    guard step > 1 else { return true }
    let first = floorModulo(floorDivide(start, unit), step)
    for hour in Int64(0)..<24 where times.hours.has(hour) {
      guard unit < 3600 else {
        if hour % step == first { return true }
        continue
      }
      for minute in Int64(0)..<60 where times.minutes.has(minute) {
        guard unit < 60 else {
          if (hour * 60 + minute) % step == first { return true }
          continue
        }
        for second in Int64(0)..<60 where times.seconds.has(second) {
          if (hour * 3600 + minute * 60 + second) % step == first { return true }
        }
      }
    }
    return false
  }

  /// For frequencies below the day.
  func within(onOrAfter time: Int64) -> Int64? {
    let unit = unit
    var begin = alignedUnit(time, unit)
    var day = Int64.min
    while true {
      if begin >= day + 86400 || begin < day {
        guard let found = firstDay(onOrAfter: floorDivide(begin, 86400)) else { return nil }
        day = found * 86400
        if begin < day {
          begin = alignedUnit(day, unit)
          continue
        }
      }
      if let next = limited(begin - day, unit) {
        begin = alignedUnit(day + next, unit)
        continue
      }
      if let found = inUnit(max(time - begin, 0)) { return begin + found }
      begin += interval * unit
    }
  }

  /// nil if this time of day is allowed as far as the unit limits it, else when to go on.
  private func limited(_ time: Int64, _ unit: Int64) -> Int64? {
    let hour = time / 3600
    guard times.hours.has(hour) else {
      return (times.hours.bit(after: hour) ?? 24) * 3600
    }
    guard unit < 3600 else { return nil }
    let minute = time / 60 % 60
    guard times.minutes.has(minute) else {
      return hour * 3600 + (times.minutes.bit(after: minute) ?? 60) * 60
    }
    guard unit < 60 else { return nil }
    let second = time % 60
    guard times.seconds.has(second) else {
      return time - second + (times.seconds.bit(after: second) ?? 60)
    }
    return nil
  }

  /// The first of a unit that is reached and allowed, in seconds of it, from `time` on.
  private func inUnit(_ time: Int64) -> Int64? {
    guard positions.isEmpty else {
      return chosen(of: perUnit, from: time) { index in
        switch frequency {
        case .hourly:
          times.minutes.bit(at: index / times.perMinute) * 60
            + times.seconds.bit(at: index % times.perMinute)
        case .minutely: times.seconds.bit(at: index)
        default: 0
        }
      }
    }
    switch frequency {
    case .hourly: return time < 3600 ? times.first(ofHourFrom: time) : nil
    case .minutely: return time < 60 ? times.first(ofMinuteFrom: time) : nil
    default: return time < 1 ? 0 : nil
    }
  }

  /// The beginning of the unit that `time` lies in if an interval reaches it, else of the next one.
  private func alignedUnit(_ time: Int64, _ unit: Int64) -> Int64 {
    let index = floorDivide(time, unit)
    guard interval > 1 else { return index * unit }
    let rest = floorModulo(index - floorDivide(start, unit), interval)
    return (rest > 0 ? index + interval - rest : index) * unit
  }

  // MARK: BYSETPOS

  /// The smallest chosen one of `count` that is not below `lowest`.
  private func chosen(
    of count: Int64, from lowest: Int64, value: (Int64) -> Int64
  ) -> Int64? {
    var best: Int64?
    for position in positions {
      let index = position > 0 ? Int64(position) - 1 : count + Int64(position)
      guard index >= 0, index < count else { continue }
      let found = value(index)
      if found >= lowest, found < best ?? .max { best = found }
    }
    return best
  }

  /// For frequencies of a day and above: set by set.
  func chosen(onOrAfter time: Int64) -> Int64? {
    var set: [Int64] = []
    var place = floorDivide(time, 86400)
    if days.skip == .forward { place -= 1 }
    while let next = days(ofPeriodAt: place, into: &set) {
      let count = Int64(set.count) * times.perDay
      let found = chosen(of: count, from: time) { index in
        set[Int(index / times.perDay)] * 86400 + times.time(at: index % times.perDay)
      }
      if let found { return found }
      place = next
    }
    return nil
  }

  /// The days of the period that `day` lies in, or of a later one if none of it is allowed; gives
  /// the first day behind it.
  private func days(ofPeriodAt day: Int64, into set: inout [Int64]) -> Int64? {
    set.removeAll(keepingCapacity: true)
    switch frequency {
    case .daily:
      guard let found = firstDay(onOrAfter: day) else { return nil }
      set.append(found)
      return found + 1
    case .weekly:
      guard let found = firstDay(onOrAfter: week(of: day)) else { return nil }
      let end = week(of: found) + 7
      var next = found
      while next < end {
        set.append(next)
        guard let later = firstDay(onOrAfter: next + 1) else { break }
        next = later
      }
      return end
    default:
      let date = CivilDate(days: day)
      return months(from: date.year, frequency == .yearly ? 1 : date.month, into: &set)
    }
  }

  private func months(from year: Int64, _ month: Int64, into set: inout [Int64]) -> Int64? {
    guard let begin = reached(year, month) else { return nil }
    var (year, month) = begin
    while year == begin.year, frequency == .yearly || month == begin.month {
      let first = CivilDate(year: year, month: month, day: 1).days
      var mask = days.mask(year: year, month: month, first: first)
      while mask != 0 {
        let day = first + mask.firstBit - 1
        // By SKIP two months may have the same day.
        if set.last != day { set.append(day) }
        mask &= mask - 1
      }
      guard let next = reached(year, month + 1) else { return .max / 86400 }
      (year, month) = next
    }
    return CivilDate(year: year, month: month, day: 1).days
  }
}
