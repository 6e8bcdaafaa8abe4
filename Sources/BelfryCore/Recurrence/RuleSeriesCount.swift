/// The last of a rule with COUNT. It is sought whenever a timetable is made, so mostly by whole days.
extension RuleSeries {
  /// The last of so many; nil if there are fewer.
  func time(ofCount count: Int64) -> Int64? {
    guard frequency < .daily else {
      return positions.isEmpty ? countedByDays(count) : counted(count, from: start).time
    }
    if isUnlimited {
      let (way, tooFar) = (count - 1).multipliedReportingOverflow(by: interval * unit)
      return tooFar ? nil : next(onOrAfter: start).map { $0 + way }
    }
    let repeatsDaily = 86400 / unit % interval == 0
    return repeatsDaily && count > 1000
      ? countedByWholeDays(count) : counted(count, from: start).time
  }

  /// One by one up to `end`; nil, and how many are missing, if there are fewer.
  private func counted(
    _ count: Int64, from place: Int64, before end: Int64 = .max
  ) -> (time: Int64?, left: Int64) {
    var (place, left) = (place, count)
    while let found = next(onOrAfter: place), found < end {
      left -= 1
      if left == 0 { return (found, 0) }
      place = found + 1
    }
    return (nil, left)
  }

  /// For frequencies of a day and above: all days have as many.
  private func countedByDays(_ count: Int64) -> Int64? {
    var left = count
    var day = startDay
    var before = times.count(ofDayBefore: start - startDay * 86400)
    while let found = firstDay(onOrAfter: day) {
      if found > startDay { before = 0 }
      if left <= times.perDay - before {
        return found * 86400 + times.time(at: before + left - 1)
      }
      left -= times.perDay - before
      day = found + 1
    }
    return nil
  }

  /// For frequencies below the day, where intervals come to the same times of every day.
  private func countedByWholeDays(_ count: Int64) -> Int64? {
    let first = counted(count, from: start, before: (startDay + 1) * 86400)
    guard first.time == nil, var day = firstDay(onOrAfter: startDay + 1) else { return first.time }
    var left = first.left
    let ofDay = counted(left, from: day * 86400, before: (day + 1) * 86400)
    guard ofDay.time == nil, ofDay.left < left else { return ofDay.time }
    let perDay = left - ofDay.left
    while left > perDay {
      left -= perDay
      guard let next = firstDay(onOrAfter: day + 1) else { return nil }
      day = next
    }
    return counted(left, from: day * 86400).time
  }
}
