import BelfryCore

/// A TIME of the command line, as it was meant.
enum TimeText: Hashable, Sendable {
  /// With an offset.
  case instant(Instant)
  /// Without one: what a clock shows, counted as if it showed UTC; where it shows that twice, on
  /// which pass.
  case wall(Instant, isLastPass: Bool)

  var isWallClock: Bool {
    if case .wall = self { true } else { false }
  }

  /// When it is, its wall clock being that of `zone`.
  func instant(in zone: BoardZone) -> Instant {
    switch self {
    case .instant(let instant): instant
    case .wall(let wall, let isLastPass): zone.instant(ofWall: wall, isLastPass: isLastPass)
    }
  }

  /// All instants that it may mean, first the one that it does.
  func instants(in zone: BoardZone) -> [Instant] {
    let meant = instant(in: zone)
    guard case .wall(let wall, let isLastPass) = self, zone.doubles(wall) else { return [meant] }
    return [meant, zone.instant(ofWall: wall, isLastPass: !isLastPass)]
  }

  /// Whether `zone` shows it twice, and the last pass is meant.
  func isLastPass(in zone: BoardZone) -> Bool {
    guard case .wall(let wall, isLastPass: true) = self else { return false }
    return zone.doubles(wall)
  }

  /// Reads RFC 3339 with an offset, or a wall clock: `2027-01-01T07:00`, `07:00`, `7am`, `noon` (the
  /// next such), `today 07:00`, `tomorrow 07:00`, `mon 7:30pm` (the next such in `zone`).
  ///
  /// What clocks show twice is meant on its first pass that is not past (T5); `overlap` says that
  /// only the first or the last is.
  static func parse(
    _ text: String, option: OptionName, now: Instant, zone: BoardZone,
    overlap: OverlapPolicy = .both
  ) throws(CommandError) -> TimeText {
    let written = "--" + option.rawValue
    if let time = try read(text, option: option, now: now, zone: zone, overlap: overlap) {
      return time
    }
    throw .usage(
      written + ": " + FieldError.quoted(text)
        + (TimeHint.of(text, written, now: now, zone: zone)
          ?? " is not a time; use " + TimeHint.forms(written)))
  }

  /// The same; nil: it is of none of these forms.
  static func read(
    _ text: String, option: OptionName, now: Instant, zone: BoardZone,
    overlap: OverlapPolicy = .both
  ) throws(CommandError) -> TimeText? {
    let written = "--" + option.rawValue
    let passes = Passes(now: now, zone: zone, overlap: overlap)
    if let wall = try wallClock(text, written, passes) { return wall }
    guard text.utf8.contains(UInt8(ascii: "-")) else { return nil }
    do throws(FieldError) {
      return .instant(try RFC3339.parse(text, field: written))
    } catch {
      // The hint says which time is meant.
      let isMidnight = text.lowercased().hasSuffix("t24:00")
      guard error.code == .outOfRange, !isMidnight else { return nil }
      // A year that can be had has no such day or hour, which cannot be read as a time either.
      guard let year = ClockTime.number(text.prefix(4)), (1678...2261).contains(year) else {
        throw .refused(error, .call)
      }
      throw .usage(
        written + ": " + FieldError.quoted(text) + " is not a time: " + error.reason)
    }
  }

  /// The end of something: also so long from now, or a date or a day alone (`friday`, today if it is
  /// one), which lasts to its last microsecond, the second time that clocks show it.
  static func parseEnd(
    _ text: String, option: OptionName, now: Instant, zone: BoardZone,
    overlap: OverlapPolicy = .both
  ) throws(CommandError) -> TimeText {
    let last = Nanoseconds.day - 1000
    if let date = day(text, today: zone.civil(now).date),
      let wall = CivilTime(date: date, nanosecondOfDay: last).instant()
    {
      return .wall(wall, isLastPass: true)
    }
    if DurationArgument.isMeant(text) {
      return .instant(
        now.advanced(by: try DurationArgument.parse(text, "--" + option.rawValue)))
    }
    return try parse(text, option: option, now: now, zone: zone, overlap: overlap)
  }

  /// A day that stands alone: a date, or `tomorrow` and `friday`, today if it is one; nil: it is none.
  static func day(_ text: String, today: CivilDate) -> CivilDate? {
    date(text[...]) ?? DayWord(text[...])?.first(today)
  }

  /// Whether it is a time of day, with no day.
  static func isClock(_ text: String) -> Bool {
    var words = text.split(separator: " ")
    if words.count == 2, ClockTime.isHalf(words[1]) { words[0] += words.removeLast() }
    return words.count == 1 && ClockTime(words[0]) != nil
  }

  /// Of `today`, `yesterday` and a weekday the last such day, today included; nil: it is none.
  static func lastDate(_ word: String, _ today: CivilDate) -> CivilDate? {
    if word.lowercased() == "yesterday" { return CivilDate(days: today.days - 1) }
    guard let day = DayWord(word[...]) else { return nil }
    let dates = (0...6).map { CivilDate(days: today.days - $0) }
    return dates.first { day.fits($0, today: today.days) }
  }

  static let forms =
    "2027-01-01T07:00Z, 2027-01-01T07:00+01:00, 2027-01-01T07:00, 07:00, 7am, noon,"
    + " 'tomorrow 07:00', 'mon 07:00'"

  /// Whether it is a word for a day: `tomorrow`, `mon`.
  static func isDay(_ word: Substring) -> Bool { DayWord(word) != nil }

  /// `mon`, which comes again in a week.
  static func isWeekday(_ text: String) -> Bool {
    if case .weekday? = DayWord(text[...]) { true } else { false }
  }

  /// nil: not of these forms.
  private static func wallClock(
    _ text: String, _ written: String, _ passes: Passes
  ) throws(CommandError) -> TimeText? {
    var words = text.split(separator: " ")
    // `7 am` is one word that was written as two.
    if words.count > 1, ClockTime.isHalf(words[words.count - 1]) {
      let half = words.removeLast()
      words[words.count - 1] += half
    }
    guard let last = words.last else { return nil }
    if words.count == 2, let time = ClockTime(last), let day = DayWord(words[0]) {
      return try day.next(at: time, passes, written)
    }
    if words.count == 1, let time = ClockTime(last) {
      return try DayWord.any.next(at: time, passes, written)
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
    return passes.meant(wall)
  }

  /// `2027-01-31`, days that exist only.
  static func date(_ text: Substring) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
      parts[2].utf8.count == 2, let year = ClockTime.number(parts[0]),
      let month = ClockTime.number(parts[1]), let day = ClockTime.number(parts[2]),
      month >= 1, month <= 12, day >= 1, day <= CivilDate.length(ofMonth: month, year: year)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}

/// Which pass of a wall clock is meant that clocks show twice.
private struct Passes {
  let now: Instant
  let zone: BoardZone
  let overlap: OverlapPolicy

  /// The first that is not past; the first of two that are. The second in which it is read may be
  /// meant.
  func meant(_ wall: Instant) -> TimeText {
    let start = now.advanced(by: -Nanoseconds.second)
    return ahead(wall) { $0 >= start } ?? .wall(wall, isLastPass: overlap == .last)
  }

  /// The first that is still to come; nil: none is.
  func next(_ wall: Instant) -> TimeText? { ahead(wall) { $0 > now } }

  private func ahead(_ wall: Instant, _ isAhead: (Instant) -> Bool) -> TimeText? {
    let passes: [Bool] =
      switch overlap {
      case .first: [false]
      case .last: [true]
      case .both: [false, true]
      }
    let pass = passes.first { isAhead(zone.instant(ofWall: wall, isLastPass: $0)) }
    return pass.map { .wall(wall, isLastPass: $0) }
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
  func next(
    at time: ClockTime, _ passes: Passes, _ written: String
  ) throws(CommandError) -> TimeText {
    let today = passes.zone.civil(passes.now).date.days
    for days in today...today + 7 {
      let date = CivilDate(days: days)
      guard fits(date, today: today) else { continue }
      let civil = CivilTime(date: date, nanosecondOfDay: time.nanosecondOfDay)
      guard let wall = civil.instant() else { break }
      if self == .today { return passes.meant(wall) }
      if let next = passes.next(wall) { return next }
    }
    throw .refused(written + ": outside the years 1678 to 2262")
  }

  /// The first day of this kind, from `today` on.
  func first(_ today: CivilDate) -> CivilDate? {
    for days in today.days...today.days + 7 {
      let date = CivilDate(days: days)
      if fits(date, today: today.days) { return date }
    }
    return nil
  }

  fileprivate func fits(_ date: CivilDate, today: Int64) -> Bool {
    switch self {
    case .any: true
    case .today: date.days == today
    case .tomorrow: date.days == today + 1
    case .weekday(let weekday): date.weekday == weekday
    }
  }
}
