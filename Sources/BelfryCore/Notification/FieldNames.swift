extension RepeatUnit {
  /// The unit as N4, the wire and the command line call it.
  public var name: String {
    switch self {
    case .year: "year"
    case .month: "month"
    case .day: "day"
    case .hour: "hour"
    case .minute: "minute"
    case .second: "second"
    case .week: "week"
    case .weekday: "weekday"
    case .weekdayOrdinal: "weekdayOrdinal"
    case .quarter: "quarter"
    case .weekOfMonth: "weekOfMonth"
    case .weekOfYear: "weekOfYear"
    case .yearForWeekOfYear: "yearForWeekOfYear"
    }
  }

  /// Reads a unit's name; throws `FieldError` with the name given in `field`.
  public static func parse(_ name: String, field: String) throws(FieldError) -> RepeatUnit {
    for unit in allCases where unit.name == name { return unit }
    let reason =
      switch name {
      case "era", "nanosecond": "nothing can repeat every \(name)"
      case "daily": "there is no unit \(FieldError.quoted(name)); did you mean day?"
      case "weekdays", "workdays": "workdays are the rrule FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
      default: FieldError.unknownName(name, among: allCases.map { $0.name }, what: "unit")
      }
    throw FieldError(field, .unknown, reason)
  }
}

extension LatePolicy {
  /// `fire`, `drop` or a number of seconds, as on the wire and the command line.
  public var text: String {
    switch self {
    case .fire: "fire"
    case .drop: "drop"
    case .seconds(let seconds): "\(seconds)"
    }
  }

  /// Reads what `text` writes; throws `FieldError` with the name given in `field`.
  public static func parse(_ text: String, field: String) throws(FieldError) -> LatePolicy {
    switch text {
    case "fire": return .fire
    case "drop": return .drop
    default:
      guard var reader = ByteReader(text, limit: 20), let seconds = reader.canonicalInteger(),
        reader.isAtEnd
      else {
        let second = Nanoseconds.second
        let span = (try? Nanoseconds.parse(text, field: field)).flatMap {
          $0 % second == 0 ? $0 / second : nil
        }
        throw FieldError(
          field, .malformed,
          "this is fire, drop or a whole number of seconds"
            + (span.map { "; for \(text) write \($0)" } ?? ""))
      }
      return .seconds(seconds)
    }
  }
}

extension FieldError {
  /// The sentence about a name that is none of those known, with the one that may be meant.
  public static func unknownName(
    _ name: String, among known: [String], what: String
  ) -> String {
    let meant = NameSuggestion.nearest(to: name, among: known)
    return "there is no \(what) \(quoted(name))" + (meant.map { "; did you mean \($0)?" } ?? "")
  }

  /// The same with all of the few that are known.
  public static func unknownWord(
    _ word: String, among known: [String], what: String
  ) -> String {
    unknownName(word, among: known, what: what) + " (one of \(known.joined(separator: ", ")))"
  }
}
