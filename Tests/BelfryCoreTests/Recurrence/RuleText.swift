@testable import BelfryCore

/// Rules and their wall clocks as text, `2027-03-28T02:30`, with seconds where there are some.
enum RuleText {
  static func walls(_ rule: String, start: String, count: Int) throws -> [String] {
    let series = RuleSeries(try RecurrenceRule.parse(rule), start: try second(start))
    var found: [Int64] = []
    while found.count < count, let next = series.first(onOrAfter: found.last.map { $0 + 1 } ?? .min)
    { found.append(next) }
    return found.map(text)
  }

  static func second(_ text: String) throws -> Int64 {
    let whole = text.utf8.count == 16 ? text + ":00" : text
    return try RFC3339.parse(whole + "Z", field: "start").nanoseconds / Nanoseconds.second
  }

  static func text(_ second: Int64) -> String {
    let text = RFC3339.text(Instant(nanoseconds: second * Nanoseconds.second)).prefix(19)
    return String(text.hasSuffix(":00") ? text.dropLast(3) : text)
  }
}
