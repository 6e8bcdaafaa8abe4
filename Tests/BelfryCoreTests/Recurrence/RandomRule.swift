import SchedulerFixtures

@testable import BelfryCore

/// Rules as people and programs write them, and as nobody does.
struct RandomRule {
  var random: SeededRandom

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func numbers(_ range: ClosedRange<Int64>, most: Int) -> String {
    let count = Int.random(in: 1...most, using: &random)
    let numbers = Set((0..<count).map { _ in Int64.random(in: range, using: &random) })
    return numbers.filter { $0 != 0 }.map { "\($0)" }.joined(separator: ",")
  }

  private mutating func add(_ name: String, _ range: ClosedRange<Int64>, _ most: Int) -> String {
    let text = numbers(range, most: most)
    return text.isEmpty ? "" : ";\(name)=\(text)"
  }

  mutating func start() -> Int64 {
    let day =
      chance(3)
      // Ends of months, leap days, and the turn of the year.
      ? CivilDate(
        year: .random(in: 1980...2040, using: &random),
        month: [1, 2, 12].randomElement(using: &random)!,
        day: 28
      ).days + Int64.random(in: 0...4, using: &random)
      : Int64.random(in: 3650...25_000, using: &random)
    return day * 86400 + Int64.random(in: 0..<86400, using: &random)
  }

  mutating func text(
    atMost highest: RecurrenceRule.Frequency, atLeast lowest: RecurrenceRule.Frequency
  )
    -> String
  {
    let all = RecurrenceRule.Frequency.allCases.filter { $0 >= lowest && $0 <= highest }
    let frequency = all.randomElement(using: &random)!
    var text = "FREQ=" + frequency.text
    if chance(2) {
      text += ";INTERVAL=\(Int64.random(in: 1...(chance(4) ? 90 : 6), using: &random))"
    }
    if chance(4) { text += ";COUNT=\(Int64.random(in: 1...40, using: &random))" }
    if chance(3) { text += add("BYMONTH", 1...12, 4) }
    var parts = ""
    var hasWeeks = false
    if frequency == .yearly, chance(5) {
      // The last weeks: see RuleDisagreementTests.
      let weeks = add("BYWEEKNO", -51...51, 4)
      hasWeeks = !weeks.isEmpty
      parts += weeks
    }
    if frequency == .yearly || frequency < .daily, chance(6) {
      parts += add("BYYEARDAY", -366...366, 12)
    }
    if frequency != .weekly, chance(3) { parts += add("BYMONTHDAY", -31...31, 6) }
    let days = RecurrenceRule.weekdayNames.filter { _ in chance(3) }
    if !days.isEmpty, hasWeeks || chance(2) {
      if frequency >= .monthly, !hasWeeks, chance(2) {
        let most: Int64 = frequency == .monthly ? 5 : 53
        let named = days.map { day in
          var ordinal = Int64.random(in: -most...most, using: &random)
          if ordinal == 0 { ordinal = 1 }
          return "\(ordinal)" + day
        }
        parts += ";BYDAY=" + named.joined(separator: ",")
      } else {
        parts += ";BYDAY=" + days.joined(separator: ",")
      }
    }
    if chance(4) { parts += add("BYHOUR", 1...23, 4) }
    if chance(4) { parts += add("BYMINUTE", 1...59, 4) }
    if chance(5) { parts += add("BYSECOND", 1...59, 3) }
    // dateutil's first week of a weekly rule lacks the days before the start, so its positions are
    // others; see RuleDisagreementTests.
    if !parts.isEmpty, frequency != .weekly, chance(4) { parts += add("BYSETPOS", -4...6, 3) }
    if chance(3) { text += ";WKST=" + RecurrenceRule.weekdayNames.randomElement(using: &random)! }
    // A week without a day: see RuleDisagreementTests.
    if hasWeeks, !parts.contains("DAY=") { parts += ";BYDAY=TU" }
    return text + parts
  }
}
