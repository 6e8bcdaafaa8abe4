/// Rules by the hour, the minute and the second.
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
  var perUnit: Int64 {
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

  /// For frequencies below the day; no unit that begins at `end` or later is looked at.
  func within(
    onOrAfter time: Int64, before end: Int64 = .max, _ meter: inout StepMeter
  ) -> Int64? {
    let unit = unit
    var begin = alignedUnit(time, unit)
    var day = Int64.min
    while begin < end, meter.take() {
      if begin >= day + 86400 || begin < day {
        guard let found = firstDay(onOrAfter: floorDivide(begin, 86400), &meter) else {
          return nil
        }
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
    return nil
  }

  /// nil if this time of day is allowed as far as the unit limits it, else when to go on.
  func limited(_ time: Int64, _ unit: Int64) -> Int64? {
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
      return chosenPlace(from: countInUnit(before: time), of: perUnit).map { valueInUnit($0) }
    }
    switch frequency {
    case .hourly: return time < 3600 ? times.first(ofHourFrom: time) : nil
    case .minutely: return time < 60 ? times.first(ofMinuteFrom: time) : nil
    default: return time < 1 ? 0 : nil
    }
  }

  /// The beginning of the unit that `time` lies in if an interval reaches it, else of the next one.
  func alignedUnit(_ time: Int64, _ unit: Int64) -> Int64 {
    let index = floorDivide(time, unit)
    guard interval > 1 else { return index * unit }
    let rest = floorModulo(index - floorDivide(start, unit), interval)
    return (rest > 0 ? index + interval - rest : index) * unit
  }

  /// How many of a unit lie before `time`, in seconds of it.
  func countInUnit(before time: Int64) -> Int64 {
    if time >= unit { return perUnit }
    switch frequency {
    case .hourly: return times.count(ofHourBefore: time)
    case .minutely: return times.count(ofMinuteBefore: time)
    default: return time > 0 ? 1 : 0
    }
  }

  /// The one with this number, from 0, in seconds of its unit.
  func valueInUnit(_ index: Int64) -> Int64 {
    switch frequency {
    case .hourly:
      times.minutes.bit(at: index / times.perMinute) * 60
        + times.seconds.bit(at: index % times.perMinute)
    case .minutely: times.seconds.bit(at: index)
    default: 0
    }
  }
}
