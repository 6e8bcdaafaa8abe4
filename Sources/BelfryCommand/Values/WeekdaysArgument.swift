import BelfryCore

/// `--weekdays`: `mon-fri`, `sat,sun`, `weekdays`, as the rule that says so (E8).
enum WeekdaysArgument {
  /// Monday first, as rules count them from 1.
  private static let days = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let forms =
    "write days (mon,wed,fri), a span (mon-fri), weekdays, weekends or daily"

  static func rule(_ text: String) throws(CommandError) -> RecurrenceRule {
    if let meant = meant(text) {
      throw .usage(
        "--weekdays: \(FieldError.quoted(text)) is no list of days; did you mean \(meant)?")
    }
    return try read(text)
  }

  /// `mon..fri`, `mon tue`, `mon;tue`, `all`, `1-5`; nil: nobody knows, or it needs no hint.
  private static func meant(_ text: String) -> String? {
    guard (try? read(text)) == nil else { return nil }
    switch text.lowercased() {
    case "all", "everyday", "every day", "*": return "daily"
    default: break
    }
    let parts = text.lowercased().split { " ,;+/&".contains($0) }.map { part in
      part.split { $0 == "." || $0 == "-" }.map { end in
        // 0 and 7 are Sunday, as in crontab(5).
        guard let number = Int(end), (0...7).contains(number) else { return String(end) }
        return String(days[(number + 6) % 7].prefix(3))
      }.joined(separator: "-")
    }
    let list = parts.filter { $0 != "and" }.joined(separator: ",")
    return list != text.lowercased() && (try? read(list)) != nil ? list : nil
  }

  private static func read(_ text: String) throws(CommandError) -> RecurrenceRule {
    var rule = RecurrenceRule(.weekly)
    for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      rule.weekdays |= try bits(part.drop { $0 == " " }, of: text)
    }
    return rule
  }

  private static func bits(_ part: Substring, of text: String) throws(CommandError) -> UInt64 {
    switch part {
    case "weekdays", "weekday", "workdays": return 0b0011_1110
    case "weekends", "weekend": return 0b1100_0000
    case "daily": return 0b1111_1110
    default: break
    }
    let ends = part.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count <= 2, let from = ends.first, let to = ends.last else {
      throw .usage("--weekdays: " + FieldError.quoted(text) + " is not understood; " + forms)
    }
    let first = try day(from, of: text)
    let last = try day(to, of: text)
    var bits: UInt64 = 0
    var day = first
    // A span may go over the weekend: sat-mon.
    while true {
      bits |= 1 << UInt64(day)
      if day == last { return bits }
      day = day % 7 + 1
    }
  }

  /// The day that a word names, as `--as-on` takes it; nil: none.
  static func day(_ word: Substring) -> AsOn.Weekday? {
    place(of: word.lowercased()[...])
      .flatMap { AsOn.Weekday(rawValue: String(days[$0].prefix(3))) }
  }

  /// From 0, which is Monday; two letters, three, or the whole word.
  private static func place(of word: Substring) -> Int? {
    guard word.utf8.count == 2 || word.utf8.count == 3 || days.contains(where: { $0 == word })
    else { return nil }
    return days.firstIndex { $0.hasPrefix(word) }
  }

  /// 1 Monday to 7 Sunday.
  private static func day(_ word: Substring, of text: String) throws(CommandError) -> Int {
    if let place = place(of: word) { return place + 1 }
    if word.isEmpty {
      throw .usage("--weekdays: " + FieldError.quoted(text) + " lacks a day; " + forms)
    }
    let names = days.map { String($0.prefix(3)) } + days + ["weekdays", "weekends", "daily"]
    throw .usage(
      "--weekdays: " + FieldError.quoted(String(word)) + " is no day"
        + CommandLineParser.suggestion(String(word), among: names, prefix: "") + "; " + forms)
  }
}
