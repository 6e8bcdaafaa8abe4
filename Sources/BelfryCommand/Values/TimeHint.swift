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
      words: MonthWords.replaced(words, today: zone.civil(now).date) ?? words, text: text,
      written: written, now: now, zone: zone)
    return hint.lacks ?? hint.span ?? hint.half ?? hint.several ?? hint.readings
      ?? hint.otherwise ?? hint.namedZone
  }

  /// A time of day.
  private var lacks: String? {
    if TimeText.date(text[...]) != nil { return " needs a time of day: \(text)T07:00" }
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
    guard words.count == 1 else { return nil }
    if first == "now", written == "--at" { return " is not a time: leave --at out, and say --now" }
    guard TimeText.isDay(first) else { return nil }
    switch written {
    case "--exdate": return " is not a time; write a date, such as 2027-12-24"
    case "--since": return " is not a time that has passed"
    default: return " needs a time of day: '\(text) 07:00'"
    }
  }

  /// Whether a date stands there alone.
  private var takesDates: Bool {
    ["--until", "--since", "--from", "--exdate"].contains(written)
  }

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

  /// `5m`, `+5min`, `in 5 minutes`, `now + 5 minutes`.
  private var span: String? {
    guard written == "--at" else { return nil }
    let rest = words.filter { $0 != "in" && $0 != "now" && $0 != "+" }.joined(separator: " ")
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
    guard words.count > 1, isTime(String(last)) else { return nil }
    let days = words.dropLast().filter { $0 != "at" }.joined(separator: " ")
    guard
      days.contains("-") || days.contains(",") || days.hasSuffix("s") || days.hasPrefix("every"),
      let meant = RepeatWord.every(days)
    else { return nil }
    return " is not one time; write --at \(last) \(meant)"
  }

  /// The same in a form that can be read.
  private var otherwise: String? {
    var parts = words.filter { !["at", "on", "next", "this", "the"].contains($0) }
      .map { Self.plain($0) }
    if parts.last == "a.m." || parts.last == "p.m." {
      parts[parts.count - 1] = parts.last == "a.m." ? "am" : "pm"
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
    let parts = text.split { $0 == "." || $0 == "," }
    if parts.count == 2, parts.allSatisfy(isNumber), parts[1].utf8.count == 2 {
      return parts.joined(separator: ":")
    }
    guard isNumber(text) else { return nil }
    switch text.utf8.count {
    case 1: return "0\(text):00"
    case 2: return "\(text):00"
    case 4: return "\(text.prefix(2)):\(text.suffix(2))"
    case 6: return "\(text.prefix(2)):\(text.dropFirst(2).prefix(2)):\(text.suffix(2))"
    default: return nil
    }
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }
}
