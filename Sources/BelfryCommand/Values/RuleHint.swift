import BelfryCore

/// What to write for what is nearly a RULE: `every monday`, `weekly`, a line of cron.
enum RuleHint {
  /// The whole sentence; nil: nobody knows.
  static func of(_ text: String) -> String? {
    guard text.utf8.count <= 128, !text.utf8.contains(UInt8(ascii: "=")) else { return nil }
    let quoted = FieldError.quoted(text)
    if let options = RepeatWord.every(text) { return "\(quoted) is no rule; write \(options)" }
    let frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
    if let frequency = frequencies.first(where: { $0 == text.uppercased() }) {
      return "\(quoted) is no rule; did you mean FREQ=\(frequency)?"
    }
    let word = String(text.lowercased().drop { $0 == "@" })
    if let option = Synonyms.option(word), option.hasPrefix("repeat ") {
      return "\(quoted) is no rule; write --\(option)"
    }
    return cron(text).map { quoted + " is a line of cron, not a rule" + $0 }
  }

  /// Minute, hour, day, month and weekday (crontab(5)), with what to write where that is plain; nil: it is
  /// no such line.
  static func cron(_ text: String) -> String? {
    let fields = text.split(separator: " ")
    guard fields.count == 5,
      fields.dropLast().allSatisfy({
        $0.utf8.allSatisfy { 0x30...0x39 ~= $0 || "*/,-".utf8.contains($0) }
      })
    else { return nil }
    let others = fields.dropFirst().allSatisfy { $0 == "*" }
    if others, fields[0] == "*" { return "; write --now --repeat minute" }
    if others, fields[0].hasPrefix("*/"), let step = number(fields[0].dropFirst(2), below: 60) {
      return "; write --now --repeat minute --every \(step)"
    }
    guard let minute = number(fields[0], below: 60), let hour = number(fields[1], below: 24),
      fields[2] == "*", fields[3] == "*"
    else { return "" }
    let clock = LocalWords.digits(hour, 2) + ":" + LocalWords.digits(minute, 2)
    if fields[4] == "*" { return "; write --at \(clock) --repeat day" }
    guard let days = weekdays(fields[4]), (try? WeekdaysArgument.rule(days)) != nil else {
      return ""
    }
    return "; write --at \(clock) --weekdays \(days)"
  }

  private static func number(_ field: Substring, below end: Int64) -> Int64? {
    guard field.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(field) else {
      return nil
    }
    return number < end ? number : nil
  }

  /// `mon-fri` for `1-5`; both 0 and 7 are Sunday.
  private static func weekdays(_ field: Substring) -> String? {
    var words: [String] = []
    for part in field.split(separator: ",") {
      let ends = part.split(separator: "-").map { Int($0) }
      var names: [String] = []
      for (place, end) in ends.enumerated() {
        guard let end else {
          names.append(part.split(separator: "-")[place].lowercased())
          continue
        }
        guard (0...7).contains(end) else { return nil }
        names.append(LocalWords.weekdays[(end + 6) % 7].prefix(3).lowercased())
      }
      words.append(names.joined(separator: "-"))
    }
    return words.joined(separator: ",")
  }
}
