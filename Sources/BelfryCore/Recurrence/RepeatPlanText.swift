/// The canonical text of a plan, as the store keeps it.
///
/// Words with a space between them, in one order, what is the default left out: first the pattern,
/// `once`, or `unit=month` and `every=3`, or `rule=FREQ=DAILY`, which several rules repeat; then
/// `until`, `count`, `exdates`, `rdates`, `gap`, `overlap`, `start`, `end`, `monthEnd`, `calendar` and
/// `offset`. Instants are nanoseconds since 1970, lists of them have commas. Equal plans have equal
/// texts.
extension RepeatPlan {
  /// What `parse` reads as an equal plan.
  public var text: String {
    var words: [String] = []
    switch pattern {
    case .once: words.append("once")
    case .unit(let unit, let every):
      words.append("unit=" + unit.name)
      if every != 1 { words.append("every=\(every)") }
    case .rule, .rules: words += rules.map { "rule=" + $0.text }
    }
    if let until { words.append("until=\(until.nanoseconds)") }
    if let count { words.append("count=\(count)") }
    if !exdates.isEmpty { words.append("exdates=" + Self.list(exdates)) }
    if !rdates.isEmpty { words.append("rdates=" + Self.list(rdates)) }
    if gap != .shift { words.append("gap=" + gap.rawValue) }
    if overlap != .first { words.append("overlap=" + overlap.rawValue) }
    if startsInLastPass { words.append("start=last") }
    if endsInLastPass == 1 { words.append("end=last") }
    if endsInLastPass > 1 { words.append("end=last:\(endsInLastPass)") }
    if monthEnd != .clamp { words.append("monthEnd=" + monthEnd.rawValue) }
    if let calendar { words.append("calendar=" + calendar) }
    if !offset.isNone { words.append("offset=" + offset.text) }
    return words.joined(separator: " ")
  }

  /// Reads what `text` writes, and nothing else.
  ///
  /// Throws `FieldError` with the name given in `field`.
  public static func parse(
    _ text: String, field: String = "plan"
  ) throws(FieldError) -> RepeatPlan {
    guard text.utf8.count <= longestText else {
      throw FieldError(field, .tooLong, "a plan's text has at most \(longestText) bytes")
    }
    var plan = RepeatPlan(.once)
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      guard plan.read(word) else {
        throw FieldError(
          field, .malformed, "no word of a plan: " + FieldError.quoted(String(word)))
      }
    }
    // What is read twice, out of order, or written otherwise, is written back in another way.
    guard plan.text.utf8.elementsEqual(text.utf8) else {
      throw FieldError(field, .malformed, "not as a plan is written: " + FieldError.quoted(text))
    }
    return plan
  }

  /// Bytes of the longest text: two lists of dates, the rules and some words.
  static let longestText = 128 * 1024

  /// Whether a word is one of a plan's.
  private mutating func read(_ word: Substring) -> Bool {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return word == "once" }
    let value = String(parts[1])
    switch parts[0] {
    case "unit":
      guard let unit = RepeatUnit.allCases.first(where: { $0.name == value }) else { return false }
      pattern = .unit(unit, every: 1)
    case "every":
      guard case .unit(let unit, _) = pattern, let every = Self.positive(value) else {
        return false
      }
      pattern = .unit(unit, every: every)
    case "rule":
      guard let rule = try? RecurrenceRule.parse(value), rules.count < Self.mostRules else {
        return false
      }
      pattern = rules.isEmpty ? .rule(rule) : .rules(rules + [rule])
    case "exdates": return Self.read(Self.instants(value), &exdates)
    case "rdates": return Self.read(Self.instants(value), &rdates)
    case "until": return Self.read(Self.number(value).map { Instant(nanoseconds: $0) }, &until)
    case "count": return Self.read(Self.positive(value), &count)
    case "gap": return Self.read(GapPolicy(rawValue: value), &gap)
    case "overlap": return Self.read(OverlapPolicy(rawValue: value), &overlap)
    case "start" where value == "last": startsInLastPass = true
    case "end":
      let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let mask = parts.count == 1 ? 1 : UInt8(parts[1]) ?? 0
      guard parts.first == "last", mask > 0 else { return false }
      endsInLastPass = mask
    case "monthEnd": return Self.read(MonthEndPolicy(rawValue: value), &monthEnd)
    case "calendar": return Self.read(value.isEmpty ? nil : value, &calendar)
    case "offset":
      guard let read = try? DueOffset.parse(value), !read.isNone else { return false }
      offset = read
    default: return false
    }
    return true
  }

  private static func read<Value>(_ found: Value?, _ field: inout Value) -> Bool {
    guard let found else { return false }
    field = found
    return true
  }

  private static func read<Value>(_ found: Value?, _ field: inout Value?) -> Bool {
    field = found
    return found != nil
  }

  private static func list(_ instants: [Instant]) -> String {
    instants.map { "\($0.nanoseconds)" }.joined(separator: ",")
  }

  private static func instants(_ text: String) -> [Instant]? {
    var found: [Instant] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = number(String(part)), found.last.map({ $0.nanoseconds < number }) ?? true
      else { return nil }
      found.append(Instant(nanoseconds: number))
    }
    return found
  }

  private static func number(_ text: String) -> Int64? {
    guard var reader = ByteReader(text, limit: 20), let number = reader.canonicalInteger(),
      reader.isAtEnd
    else { return nil }
    return number
  }

  private static func positive(_ text: String) -> Int64? {
    number(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
