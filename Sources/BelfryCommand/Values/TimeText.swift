import BelfryCore

/// A TIME of the command line, as it was meant.
enum TimeText: Hashable, Sendable {
  /// With an offset.
  case instant(Instant)
  /// Without one: what a clock shows, counted as if it showed UTC.
  case wall(Instant)

  var isWallClock: Bool {
    if case .wall = self { true } else { false }
  }

  /// When it is, its wall clock being that of `zone`.
  func instant(in zone: BoardZone) -> Instant {
    switch self {
    case .instant(let instant): instant
    case .wall(let wall): zone.instant(ofWall: wall)
    }
  }

  /// Reads RFC 3339 with an offset, or a wall clock: `2027-01-01T07:00`, `07:00`, `7am`, `noon` (the
  /// next such), `today 07:00`, `tomorrow 07:00`, `mon 7:30pm` (the next such in `zone`).
  static func parse(
    _ text: String, option: OptionName, now: Instant, zone: BoardZone
  ) throws(CommandError) -> TimeText {
    let written = "--" + option.rawValue
    if let wall = try wallClock(text, written, now, zone) {
      return .wall(wall)
    }
    do throws(FieldError) {
      return .instant(try RFC3339.parse(text, field: written))
    } catch {
      guard error.code == .outOfRange else { throw unreadable(text, written) }
      // A year that can be had has no such day or hour, which cannot be read as a time either.
      guard let year = ClockTime.number(text.prefix(4)), (1678...2261).contains(year) else {
        throw .refused(error, .call)
      }
      throw .usage(
        written + ": " + FieldError.quoted(text) + " is not a time: " + error.reason)
    }
  }

  /// The end of something: also a date alone, which lasts to its last microsecond.
  static func parseEnd(
    _ text: String, option: OptionName, now: Instant, zone: BoardZone
  ) throws(CommandError) -> TimeText {
    let last = Nanoseconds.day - 1000
    if let date = date(text[...]),
      let wall = CivilTime(date: date, nanosecondOfDay: last).instant()
    {
      return .wall(wall)
    }
    return try parse(text, option: option, now: now, zone: zone)
  }

  static let forms =
    "2027-01-01T07:00Z, 2027-01-01T07:00+01:00, 2027-01-01T07:00, 07:00, 7am, noon,"
    + " 'tomorrow 07:00', 'mon 07:00'"

  private static func unreadable(_ text: String, _ written: String) -> CommandError {
    .usage(written + ": " + FieldError.quoted(text) + " is not a time; use " + forms)
  }

  /// nil: not of these forms.
  private static func wallClock(
    _ text: String, _ written: String, _ now: Instant, _ zone: BoardZone
  ) throws(CommandError) -> Instant? {
    var words = text.split(separator: " ")
    // `7 am` is one word that was written as two.
    if words.count > 1, ClockTime.isHalf(words[words.count - 1]) {
      let half = words.removeLast()
      words[words.count - 1] += half
    }
    guard let last = words.last else { return nil }
    if words.count == 2, let time = ClockTime(last), let day = DayWord(words[0]) {
      return try day.instant(at: time, now: now, zone: zone, written)
    }
    if words.count == 1, let time = ClockTime(last) {
      return try DayWord.any.instant(at: time, now: now, zone: zone, written)
    }
    let parts =
      words.count == 2
      ? words : text.split(maxSplits: 1, whereSeparator: { $0 == "T" || $0 == "t" })
    guard parts.count == 2, let time = ClockTime(parts[1]) else { return nil }
    guard let date = date(parts[0]) else { return nil }
    let civil = CivilTime(date: date, nanosecondOfDay: time.nanosecondOfDay)
    guard let wall = civil.instant() else {
      throw .refused(written + ": outside the years 1678 to 2262")
    }
    return wall
  }

  /// `2027-01-31`, days that exist only.
  private static func date(_ text: Substring) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
      parts[2].utf8.count == 2, let year = ClockTime.number(parts[0]),
      let month = ClockTime.number(parts[1]), let day = ClockTime.number(parts[2]),
      month >= 1, month <= 12, day >= 1, day <= CivilDate.length(ofMonth: month, year: year)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}

/// `07:00`, `7:00`, `07:00:30.5`, `7am`, `7:30pm`, `noon`, `midnight`.
private struct ClockTime {
  var nanosecondOfDay: Int64

  init?(_ text: Substring) {
    let word = text.lowercased()
    switch word {
    case "noon": nanosecondOfDay = 12 * Nanoseconds.hour
    case "midnight": nanosecondOfDay = 0
    default:
      guard let time = Self.isHalf(word.suffix(2)) ? Self.halves(word) : Self.whole(word[...])
      else {
        return nil
      }
      nanosecondOfDay = time
    }
  }

  /// Whether it says which half of the day is meant.
  static func isHalf(_ text: Substring) -> Bool {
    let word = text.lowercased()
    return word == "am" || word == "pm"
  }

  /// By the clock of twelve hours, whose 12 comes before its 1.
  private static func halves(_ word: String) -> Int64? {
    let digits = word.dropLast(2)
    let time = digits.contains(":") ? digits : digits + ":00"
    guard let read = whole(time), read >= Nanoseconds.hour, read < 13 * Nanoseconds.hour else {
      return nil
    }
    return read % (12 * Nanoseconds.hour) + (word.hasSuffix("pm") ? 12 * Nanoseconds.hour : 0)
  }

  private static func whole(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[0].utf8.count <= 2,
      parts[1].utf8.count == 2, let hour = number(parts[0]),
      let minute = number(parts[1]), hour < 24, minute < 60
    else { return nil }
    guard let seconds = parts.count == 3 ? seconds(parts[2]) : 0 else { return nil }
    return hour * Nanoseconds.hour + minute * Nanoseconds.minute + seconds
  }

  /// Decimal digits only.
  static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int64(text)
  }

  /// Two digits and a fraction, in nanoseconds.
  private static func seconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts[0].utf8.count == 2, let whole = number(parts[0]), whole < 60
    else { return nil }
    guard parts.count == 2 else { return whole * Nanoseconds.second }
    guard parts[1].utf8.count <= 9, var fraction = number(parts[1]) else { return nil }
    for _ in parts[1].utf8.count..<9 { fraction *= 10 }
    return whole * Nanoseconds.second + fraction
  }
}

/// The day that a clock time is meant for.
private enum DayWord: Hashable {
  case any, today, tomorrow
  /// 1 Monday to 7 Sunday.
  case weekday(Int64)

  init?(_ text: Substring) {
    let word = text.lowercased()
    switch word {
    case "today": self = .today
    case "tomorrow": self = .tomorrow
    default:
      for (index, name) in LocalWords.weekdays.enumerated() {
        if word == name.lowercased() || word == String(name.lowercased().prefix(3)) {
          self = .weekday(Int64(index) + 1)
          return
        }
      }
      return nil
    }
  }

  /// The first day of this kind on which the time is still to come; `today` may be past.
  func instant(
    at time: ClockTime, now: Instant, zone: BoardZone, _ written: String
  ) throws(CommandError) -> Instant {
    let today = zone.civil(now).date.days
    for days in today...today + 7 {
      let date = CivilDate(days: days)
      guard fits(date, today: today) else { continue }
      let civil = CivilTime(date: date, nanosecondOfDay: time.nanosecondOfDay)
      guard let wall = civil.instant() else { break }
      if zone.instant(ofWall: wall) > now || self == .today { return wall }
    }
    throw .refused(written + ": outside the years 1678 to 2262")
  }

  private func fits(_ date: CivilDate, today: Int64) -> Bool {
    switch self {
    case .any: true
    case .today: date.days == today
    case .tomorrow: date.days == today + 1
    case .weekday(let weekday): date.weekday == weekday
    }
  }
}
