import BelfryCore

/// What to write for what is nearly a TIME.
struct TimeHint {
  /// In small letters.
  private let words: [Substring]
  private let text: String
  /// The option, or what else takes it, such as `--at`.
  private let written: String
  private let now: Instant
  private let zone: BoardZone

  /// The end of the sentence that `text` begins; nil: nobody knows.
  static func of(
    _ text: String, _ written: String, now: Instant, zone: BoardZone
  ) -> String? {
    guard text.utf8.count <= 128 else { return nil }
    let words = text.lowercased().split(separator: " ")
    let hint = TimeHint(
      words: DateWords.replaced(words, today: zone.civil(now).date) ?? words, text: text,
      written: written, now: now, zone: zone)
    return hint.impossible ?? hint.lacks ?? hint.meant
  }

  private var meant: String? {
    if let words = past ?? range ?? repeated { return words }
    if let span = hours ?? span ?? half ?? several { return span }
    if let words = readings ?? otherwise ?? offset { return words }
    return epoch ?? yearless ?? namedZone
  }

  /// The forms of what `written` takes.
  static func forms(_ written: String) -> String {
    (ofDates.contains(written) ? "2027-12-24, " : "") + TimeText.forms
  }

  /// What no clock or calendar shows.
  private var impossible: String? {
    if words.isEmpty { return " is no time; for example 07:00 or 'tomorrow 07:00'" }
    guard let last = words.last, last != "24:00" else { return nil }
    let parts = last.split(separator: ":", omittingEmptySubsequences: false)
    if (2...3).contains(parts.count), parts.allSatisfy({ Self.isNumber($0) && $0.utf8.count <= 2 }),
      (Int(parts[0]) ?? 0) > 23 || parts.dropFirst().contains(where: { (Int($0) ?? 0) > 59 })
    {
      return " is not a time: hours are 0 to 23, minutes and seconds 0 to 59"
    }
    let date = words[0].split(separator: "-", omittingEmptySubsequences: false)
    if words.count == 1, date.map({ $0.utf8.count }) == [4, 2, 2], date.allSatisfy(Self.isNumber),
      TimeText.date(words[0]) == nil
    {
      return " is not a time: there is no such day"
    }
    return nil
  }

  /// Yesterday, of what is yet to come.
  private var past: String? {
    let ahead = ["--at", "--until", "--expires", "--exdate", "--rdate", "--from"]
    guard words.first == "yesterday", ahead.contains(written) else { return nil }
    return " is past" + (written == "--at" ? "; for at once there is --now" : "")
  }

  /// `2027-12-24..2027-12-31`, several days of a calendar.
  private var range: String? {
    guard written == "--exdate" else { return nil }
    let ends = text.split { " ./:".contains($0) }.filter { $0 != "to" && $0 != "-" }
    guard ends.count == 2, ends.allSatisfy({ TimeText.date($0) != nil }) else { return nil }
    return " is no day; name each, or a calendar of days by --except-on NAME"
  }

  /// `daily`, `@weekly`, a line of cron: how it repeats, where its first time should stand.
  private var repeated: String? {
    guard written == "--at" else { return nil }
    if let cron = RuleHint.cron(text) { return " is a line of cron, not a time" + cron }
    guard let word = words.first, words.count == 1,
      let option = Synonyms.option(String(word.drop { $0 == "@" })), option.hasPrefix("repeat ")
    else { return nil }
    return " is no time; write --at 07:00 --\(option)"
  }

  /// A time of day.
  private var lacks: String? {
    if TimeText.date(text[...]) != nil { return " needs a time of day: \(text)T07:00" }
    if words == ["tonight"] {
      let hour = max(21, zone.civil(now).hour + 1)
      return " needs a time of day: 'today \(hour < 24 ? "\(hour):00" : "23:59")'"
    }
    if words.count == 1, let date = words.first.flatMap({ Self.date($0) }),
      TimeText.date(date[...]) != nil
    {
      return takesDates
        ? " is not a time; did you mean \(date)?" : " needs a time of day: \(date)T07:00"
    }
    guard let first = words.first, let last = words.last else { return nil }
    if last == "24:00" || last.hasSuffix("t24:00") {
      return " is not a time: it is 00:00 of the next day"
    }
    let days = words.filter { !["next", "this", "on", "the"].contains($0) }
    if words.count == 2, days.count == 1, TimeText.isDay(days[0]) {
      return " needs a time of day: '\(days[0]) 07:00'"
    }
    guard words.count == 1 else { return nil }
    if first == "now", written == "--at" { return " is not a time: leave --at out, and say --now" }
    guard TimeText.isDay(first) else { return nil }
    if written == "--since" { return " is not a time that has passed" }
    return " needs a time of day: '\(text) 07:00'"
  }

  private static let ofDates = ["--until", "--since", "--from", "--exdate", "--after"]

  /// Whether a date stands there alone.
  private var takesDates: Bool { Self.ofDates.contains(written) }

  /// Whether so long from now, or ago, stands there too.
  private var takesSpans: Bool {
    ["--until", "--since", "--from", "--expires"].contains(written) && text.utf8.count <= 2
  }

  /// `13pm`, `0:30am`.
  private var half: String? {
    let word = words.joined()
    let parts = word.dropLast(2).split(separator: ":", omittingEmptySubsequences: false)
    guard word.hasSuffix("am") || word.hasSuffix("pm"), parts.count <= 2,
      let hour = Int(parts[0]), hour == 0 || (13...23).contains(hour)
    else { return nil }
    let minutes = parts.count == 2 ? ":\(parts[1])" : ""
    // The hour after noon is its twelfth.
    if hour == 0, word.hasSuffix("pm") {
      return isTime("12\(minutes)pm") ? " is not a time; did you mean 12\(minutes)pm?" : nil
    }
    let whole = (hour == 0 ? "00" : "\(hour)") + (minutes.isEmpty ? ":00" : minutes)
    guard isTime(whole) else { return nil }
    let other = hour == 0 ? "" : " or \(hour - 12)\(minutes)\(word.suffix(2))"
    return " is not a time; did you mean \(whole)\(other)?"
  }

  /// `01/02/2027 07:00`, by whose month or day may stand in front.
  private var readings: String? {
    let meant = [true, false].map { isDayFirst in
      words.map { Self.slashed($0, isDayFirst: isDayFirst) ?? String($0) }.joined(separator: " ")
    }
    guard meant[0] != meant[1] else { return nil }
    if words.count == 1, takesDates {
      return " is not a time; did you mean \(meant[0]) or \(meant[1])?"
    }
    let times = words.count == 1 ? meant.map { $0 + " 07:00" } : meant
    guard times.allSatisfy({ isTime($0) }) else { return nil }
    return " is not a time; did you mean '\(times[0])' or '\(times[1])'?"
  }

  /// `24/12`, `12/24 07:00`: of the next such days, of `--since` the last.
  private var yearless: String? {
    guard let first = words.first else { return nil }
    let parts = first.split { "/.-".contains($0) }
    guard parts.count == 2, parts.allSatisfy({ Self.isNumber($0) && $0.utf8.count <= 2 }) else {
      return nil
    }
    let today = zone.civil(now).date
    let isAhead = written != "--since"
    var dates: [String] = []
    for (month, day) in [(parts[1], parts[0]), (parts[0], parts[1])] {
      let years = [today.year, isAhead ? today.year + 1 : today.year - 1]
      let readings = years.compactMap { Self.date(["\($0)", month, day]) }
      let date = readings.first { reading in
        guard let date = TimeText.date(reading[...]) else { return false }
        return isAhead ? date.days >= today.days : date.days <= today.days
      }
      if let date, !dates.contains(date) { dates.append(date) }
    }
    if words.count > 1 || !takesDates {
      let time = words.count > 1 ? words.dropFirst().joined(separator: " ") : "07:00"
      dates = dates.map { "'" + $0 + " " + time + "'" }
      guard dates.allSatisfy({ isTime(String($0.dropFirst().dropLast())) }) else { return nil }
    }
    return dates.isEmpty
      ? nil : " has no year; did you mean " + dates.joined(separator: " or ") + "?"
  }

  /// `7h30`, which is a time of day or a span.
  private var hours: String? {
    guard let word = words.first, words.count == 1 else { return nil }
    let parts = word.split(separator: "h", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy(Self.isNumber), parts[1].utf8.count == 2,
      isTime("\(parts[0]):\(parts[1])")
    else { return nil }
    let span = written == "--at" ? ", or --in \(word)m" : ""
    return " is not a time; did you mean \(parts[0]):\(parts[1])\(span)?"
  }

  /// `5m`, `+5min`, `in 5 minutes`, `now + 5 minutes`.
  private var span: String? {
    guard written == "--at" else { return nil }
    var rest = words.filter { $0 != "in" && $0 != "now" && $0 != "+" }.joined(separator: " ")
    if rest.hasPrefix("now+") { rest = String(rest.dropFirst(3)) }
    let bare = rest.hasPrefix("+") ? String(rest.dropFirst()) : rest
    guard let last = bare.unicodeScalars.last, last.properties.isAlphabetic else { return nil }
    return DurationArgument.meant(bare).map {
      " is not a time; for so long from now write --in \($0)"
    }
  }

  /// `mon-fri 07:00`, `every day 07:00`, `08:00,10:00`.
  private var several: String? {
    guard written == "--at", let last = words.last else { return nil }
    let times = last.split(separator: ",", omittingEmptySubsequences: false)
    if times.count > 1, times.allSatisfy({ isTime(String($0)) }) {
      return " is not one time; schedule one for each"
    }
    let time = isTime(String(last)) ? String(last) : Self.time(last) ?? ""
    guard words.count > 1, isTime(time) else { return nil }
    // As OnCalendar= of systemd.time(7) writes them, too.
    var days = words.dropLast().filter { $0 != "at" && $0 != "*-*-*" }.joined(separator: " ")
    let ends = days.split(separator: ".")
    if ends.count == 2 { days = ends.joined(separator: "-") }
    if days.isEmpty && words[0] == "*-*-*" || days == "daily" { days = "every day" }
    if days == "weekly" { days = "every week" }
    guard
      days.contains("-") || days.contains(",") || days.hasSuffix("s") || days.hasPrefix("every"),
      let meant = RepeatWord.every(days)
    else { return nil }
    return " is not one time; write --at \(time) \(meant)"
  }

  /// The same in a form that can be read.
  private var otherwise: String? {
    let needless: [Substring] = ["at", "on", "next", "this", "the", "o'clock", "uhr", "*-*-*"]
    var parts = words.filter { !needless.contains($0) }
      .map { Self.plain($0) }
    if parts.last == "a.m." || parts.last == "p.m." {
      parts[parts.count - 1] = parts.last == "a.m." ? "am" : "pm"
    }
    if words.contains("tonight"), !parts.contains(where: { Self.isEvening($0) }) { return nil }
    // `wed-07:00`.
    if words.count == 1, let mark = words[0].firstIndex(where: { "-,@_".contains($0) }),
      TimeText.isDay(words[0][..<mark])
    {
      parts = [words[0][..<mark], words[0][mark...].dropFirst()].map { Self.plain($0) }
    }
    for candidate in [parts, parts.reversed()] {
      let time = candidate.joined(separator: " ")
      guard time != text.lowercased(), isTime(time) else { continue }
      // As RFC 3339 writes it.
      let shown = candidate.count == 1 && time.hasPrefix("2") ? time.uppercased() : time
      let span = takesSpans && Self.isNumber(text[...]) ? ", or \(text)m" : ""
      return " is not a time; did you mean \(shown.contains(" ") ? "'\(shown)'" : shown)\(span)?"
    }
    return nil
  }

  /// `8pm`, `20:00`.
  private static func isEvening(_ word: String) -> Bool {
    let hour = word.split(separator: ":").first.flatMap { Int($0) } ?? 0
    return word.hasSuffix("pm") || (18...23).contains(hour)
  }

  /// `2027-01-01T07:00+1`, and `07:00+01:00`, which says of no day when it is.
  private var offset: String? {
    if words.count == 1, let mark = words[0].lastIndex(where: { "+-".contains($0) }) {
      let (time, hours) = (words[0][..<mark], words[0][mark...].dropFirst())
      let sign = words[0][mark...mark] + (hours.utf8.count == 1 ? "0" : "")
      let whole = (time + sign + hours + ":00").uppercased()
      if (1...2).contains(hours.utf8.count), time.utf8.contains(UInt8(ascii: "t")), isTime(whole) {
        return " is not a time; did you mean \(whole)?"
      }
    }
    guard words.count == 1, let mark = words[0].firstIndex(where: { "z+-".contains($0) }),
      isTime(String(words[0][..<mark])),
      !isTime(String(words[0][mark...].dropFirst()))
        || words[0][mark] == "+"
    else { return nil }
    let today = zone.civil(now).date.days
    let days = written == "--since" ? [today, today - 1] : [today, today + 1]
    for day in days {
      let whole = CivilDate(days: day).text + "T" + text.uppercased()
      guard let instant = try? RFC3339.parse(whole, field: "") else { continue }
      if written == "--since" ? instant <= now : instant > now {
        return " has an offset without a date; write \(whole)"
      }
    }
    return nil
  }

  /// Seconds, or smaller units, since 1970.
  private var epoch: String? {
    guard let digits = words.first?.drop(while: { $0 == "@" }), words.count == 1,
      Self.isNumber(digits), let number = Int64(digits)
    else { return nil }
    let unit: Int64
    switch digits.utf8.count {
    case 10: unit = Nanoseconds.second
    case 13: unit = Nanoseconds.millisecond
    case 16: unit = 1000
    default: return nil
    }
    let (nanoseconds, overflow) = number.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    let moment = LocalWords(now: now, zone: zone).stamp(Instant(nanoseconds: nanoseconds))
    return " counts from 1970; write \(moment)"
  }

  /// `07:00 Europe/Berlin`.
  private var namedZone: String? {
    guard words.count > 1, let last = text.split(separator: " ").last,
      last.contains("/") || last.utf8.allSatisfy({ 0x41...0x5A ~= $0 }),
      isTime(words.dropLast().joined(separator: " "))
    else { return nil }
    let name = last.contains("/") || last == "UTC" ? String(last) : "ZONE"
    return " is not a time; its zone is given as --time-zone \(name)"
  }

  private func isTime(_ text: String) -> Bool {
    (try? TimeText.read(text, option: .at, now: now, zone: zone)) ?? nil != nil
  }

  /// One word: `7.30` and `0730` with a colon, `31.12.2027` and `20271231` with dashes, `tues` and
  /// `wendesday` as days.
  private static func plain(_ word: Substring) -> String {
    let halves = word.split(separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
    let isDate = TimeText.date(halves[0]) != nil
    if halves.count == 2, let date = isDate ? String(halves[0]) : date(halves[0]) {
      let isUTC = halves[1].hasSuffix("z")
      let clock = isUTC ? halves[1].dropLast() : halves[1]
      return date + "t" + (time(clock) ?? String(clock)) + (isUTC ? "z" : "")
    }
    if let known = date(word) ?? time(word) { return known }
    if word == "tonight" { return "today" }
    if word.utf8.count == 2 {
      let day = LocalWords.weekdays.first { $0.lowercased().hasPrefix(word) }
      return day?.prefix(3).lowercased() ?? String(word)
    }
    guard word.utf8.count > 3, word.utf8.allSatisfy({ 0x61...0x7A ~= $0 }) else {
      return String(word)
    }
    let days = LocalWords.weekdays + ["tomorrow", "today"]
    let near = days.first { $0.lowercased().hasPrefix(word) }
    return (near ?? NameSuggestion.nearest(to: String(word), among: days) ?? String(word))
      .lowercased()
  }

  /// nil: it has none of these forms, or more than one meaning.
  private static func date(_ text: Substring) -> String? {
    if text.utf8.count == 8, isNumber(text) {
      return "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
    }
    let readings = [true, false].compactMap { slashed(text, isDayFirst: $0) }
    if let first = readings.first { return first == readings.last ? first : nil }
    let parts = text.split { $0 == "." || $0 == "/" || $0 == "-" }
    guard parts.count == 3 else { return nil }
    return date(parts) ?? date([parts[2], parts[1], parts[0]])
  }

  /// `31/12/2027` or `12/31/2027`, also with dashes; nil: there is no such day.
  private static func slashed(_ text: Substring, isDayFirst: Bool) -> String? {
    let mark: Character = text.contains("/") ? "/" : "-"
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.count == 3,
      let date = date([parts[2], parts[isDayFirst ? 1 : 0], parts[isDayFirst ? 0 : 1]]),
      TimeText.date(date[...]) != nil
    else { return nil }
    return date
  }

  /// Of year, month and day.
  private static func date(_ parts: [Substring]) -> String? {
    guard parts[0].utf8.count == 4, parts.allSatisfy(isNumber) else { return nil }
    return parts.map { $0.utf8.count == 1 ? "0" + $0 : String($0) }.joined(separator: "-")
  }

  private static func time(_ text: Substring) -> String? {
    let short = text.split(separator: ":", omittingEmptySubsequences: false)
    if short.count == 2, short.allSatisfy(isNumber), short[1].utf8.count == 1 {
      return "\(short[0]):0\(short[1])"
    }
    let parts = text.split { $0 == "." || $0 == "," }
    if parts.count == 2, parts.allSatisfy(isNumber), parts[1].utf8.count == 2 {
      return parts.joined(separator: ":")
    }
    if text.hasSuffix("uhr") { return time(text.dropLast(3)) }
    if text.hasSuffix("am") || text.hasSuffix("pm"), (5...7).contains(text.utf8.count),
      !text.utf8.contains(UInt8(ascii: ":"))
    {
      return time(text.dropLast(2)).map { $0 + text.suffix(2) }
    }
    guard isNumber(text) else { return nil }
    switch text.utf8.count {
    case 1: return "0\(text):00"
    case 2: return "\(text):00"
    case 3: return "\(text.prefix(1)):\(text.suffix(2))"
    case 4: return "\(text.prefix(2)):\(text.suffix(2))"
    case 6: return "\(text.prefix(2)):\(text.dropFirst(2).prefix(2)):\(text.suffix(2))"
    default: return nil
    }
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }
}
