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
        + zone.period(at: due.instant).abbreviation
    }
    let shown = zone.civil(at: due.instant)
    let date = shown.date == wall.date ? "" : shown.date.text + " "
    return "\(wall.clockText) does not exist \(place)\(date)\(shown.clockText)"
  }
}

extension CivilDate {
  /// `2027-03-28`.
  fileprivate var text: String {
    monthText + "-" + Self.padded(day)
  }

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
