/// Why an occurrence is when it is, in words: the one place that makes them.
extension Timetable {
  /// What `Due.because` says of an occurrence of this timetable, such as `02:30 does not exist on
  /// 2027-03-28 in Europe/Berlin: 03:30`; nil: it is plainly when its fields say.
  ///
  /// `zoneName` is what the reader calls the zone.
  public func words(for due: Due, zoneName: String) -> String? {
    var reasons: [String] = []
    if due.because.contains(.added) { reasons.append("added by rdate") }
    if let day = dayWords(due) { reasons.append(day) }
    if let passing = passingWords(due, zoneName) { reasons.append(passing) }
    if let offset = offsetWords(due, zoneName) { reasons.append(offset) }
    if due.because.contains(.merged) {
      reasons.append("another comes to the same instant, so they fire once")
    }
    return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
  }

  // MARK: Days that are missing

  /// T4.
  private func dayWords(_ due: Due) -> String? {
    let isClamped = due.because.contains(.clamped)
    guard isClamped || due.because.contains(.rolled) else { return nil }
    guard let wall = series.wall(key: key(of: due.k)) else { return nil }
    let date = CivilTime(wall).date
    guard case .unit(let unit, _) = plan.pattern, let anchor = series.wall(key: 0) else {
      return "a day that its month does not have: "
        + (isClamped ? "the one before, " : "the one after, ") + date.text
    }
    if unit == .yearForWeekOfYear {
      let week = isClamped ? date.isoWeek : CivilDate(days: date.days - 7).isoWeek
      return "\(week.year) has no week \(week.week + 1): "
        + (isClamped ? "the one before, " : "the one after, ") + date.text
    }
    let month = isClamped ? date : CivilDate(days: date.days - 1)
    let day = CivilTime(anchor).date.day
    return "\(month.monthText) has no day \(day): "
      + (isClamped ? "its last, " : "the day after its last, ") + date.text
  }

  // MARK: Wall clocks that are missing, or come twice

  /// T5.
  private func passingWords(_ due: Due, _ zoneName: String) -> String? {
    guard !due.because.isDisjoint(with: [.gapShifted, .gapNext, .firstPass, .lastPass]),
      let wall = series.wall(key: key(of: due.k)).map({ CivilTime($0) })
    else { return nil }
    let place = "on \(wall.date.text) in \(zoneName): "
    if due.because.contains(.firstPass) || due.because.contains(.lastPass) {
      return "\(wall.clockText) comes twice \(place)"
        + (due.because.contains(.firstPass) ? "the first time, " : "the last time, ")
        + zone.period(at: due.occurrence).abbreviation
    }
    let shown = zone.civil(at: due.occurrence)
    let date = shown.date == wall.date ? "" : shown.date.text + " "
    return "\(wall.clockText) does not exist \(place)\(date)\(shown.clockText)"
  }
}

extension Timetable {
  /// E4: which occurrence it belongs to.
  fileprivate func offsetWords(_ due: Due, _ zoneName: String) -> String? {
    guard let shift else { return nil }
    let (at, shown) = (shift.zone.civil(at: due.occurrence), shift.zone.civil(at: due.instant))
    let way = plan.offset.days < 0 || plan.offset.seconds < 0 ? "before" : "after"
    let words =
      plan.offset.words + " \(way) the occurrence at \(at.date.text) \(at.clockText) in "
      + (shift.zone === ZoneRules.utc ? "UTC" : zoneName)
    guard due.because.contains(.offsetMoved) else { return words }
    return words + ", moved over a gap of the clocks to \(shown.clockText)"
  }
}

extension DueOffset {
  /// `1 week`, `1 day 2 h`, `15 min`; without its direction.
  var words: String {
    let (days, seconds) = (days.magnitude, seconds.magnitude)
    var words: [String] = []
    if days > 0, days % 7 == 0 {
      words.append(counted(days / 7, "week"))
    } else if days > 0 {
      words.append(counted(days, "day"))
    }
    for (size, name) in [(UInt64(3600), "h"), (60, "min"), (1, "s")] {
      let count = size == 3600 ? seconds / size : seconds / size % 60
      if count > 0 { words.append("\(count) \(name)") }
    }
    return words.joined(separator: " ")
  }
}

extension CivilDate {
  /// `2027-03`.
  fileprivate var monthText: String {
    "\(year)-" + Self.padded(month)
  }

  fileprivate static func padded(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension CivilTime {
  /// `02:30`, with seconds where there are any.
  fileprivate var clockText: String {
    let minutes = CivilDate.padded(hour) + ":" + CivilDate.padded(minute)
    return second == 0 ? minutes : minutes + ":" + CivilDate.padded(second)
  }
}
