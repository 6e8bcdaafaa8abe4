import Foundation
import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// Random unions with random offsets, as python-dateutil and zoneinfo read them (E4, E5).
struct RulesetOracleTests {
  private static let walls = 60

  private static func number(
    _ range: ClosedRange<Int64>, _ random: inout RandomRule
  ) -> Int64 { .random(in: range, using: &random.random) }

  private static func offset(_ random: inout RandomRule) -> DueOffset {
    let sign: Int64 = number(0...1, &random) == 0 ? 1 : -1
    let days = number(0...2, &random) == 0 ? 0 : number(0...10, &random)
    let far = number(0...9, &random) == 0 ? number(0...300, &random) : days
    let seconds = number(0...1, &random) == 0 ? 0 : number(0...100_000, &random)
    return DueOffset(days: sign * far, seconds: sign * seconds)
  }

  private static func question(
    _ random: inout RandomRule, _ zone: (name: String, rules: ZoneRules)
  ) -> RulesetOracle.Question {
    let isZoned = number(0...3, &random) > 0
    let offset = offset(&random)
    var start = random.start()
    // Half of them occur, or are due, within a day of a change of the clocks.
    if number(0...1, &random) == 0,
      let change = zone.rules.transition(after: Instant(nanoseconds: start * Nanoseconds.second))
    {
      start =
        change.instant.nanoseconds / Nanoseconds.second + number(-100...20, &random) * 900
        + Int64(change.before.offset) - number(0...1, &random) * offset.days * 86_400
    }
    // In zones from the day on: below, dateutil counts wall clocks, but T5 elapsed time.
    let rules = (0..<number(1...4, &random)).map { _ in
      random.text(atMost: .yearly, atLeast: isZoned ? .daily : .minutely)
    }
    var (exdates, rdates): ([Int64], [Int64]) = ([], [])
    if number(0...2, &random) == 0 {
      exdates = (0..<3).map { _ in start + number(0...9, &random) * 86_400 }
      rdates = (0..<3).map { _ in start + number(0...90, &random) * 3600 }
    }
    return RulesetOracle.Question(
      start: start, rules: rules, zone: isZoned ? zone.name : nil, exdates: exdates,
      rdates: rdates, offset: offset)
  }

  @Test func E4_E5_unionsWithOffsetsAreDateutilsAndZoneinfos() throws {
    let seed = TestSeed.here()
    var random = RandomRule(random: SeededRandom(seed: seed))
    let known = try RuleOracleTests.zones.map { name in
      (
        name: name,
        rules: try ZoneRules(
          tzif: Array(Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/" + name))))
      )
    }
    var zones: [ZoneRules] = []
    let questions = (0..<max(100, RuleOracleTests.rules / 8)).map { _ in
      let zone = known.randomElement(using: &random.random)!
      zones.append(zone.rules)
      return Self.question(&random, zone)
    }
    let answers = try RulesetOracle.answers(to: questions, walls: Self.walls)
    try #require(answers.count == questions.count, "python3 with dateutil did not answer")
    var compared = 0
    for (index, question) in questions.enumerated() {
      guard let answer = answers[index] else { continue }
      let ours = try Self.dues(question, zones[index], before: answer.end)
      // Where the time that is known ends, an offset has each side end elsewhere.
      let (got, wanted) = (ours.filter(Self.isKnown), answer.dues.filter(Self.isKnown))
      try #require(got == wanted, "seed \(seed), \(index): \(question.line)")
      compared += answer.dues.isEmpty ? 0 : 1
    }
    #expect(compared * 2 > questions.count, "seed \(seed): only \(compared) were compared")
  }

  /// Before the last two years of the instants that Belfry knows, which end in 2262.
  private static func isKnown(_ second: Int64) -> Bool { second < 9_160_000_000 }

  private static func dues(
    _ question: RulesetOracle.Question, _ zone: ZoneRules, before end: Int64
  ) throws -> [Int64] {
    func instants(_ seconds: [Int64]) -> [Instant] {
      Set(seconds).sorted().map { Instant(nanoseconds: $0 * Nanoseconds.second) }
    }
    let rules = try question.rules.map { try RecurrenceRule.parse($0) }
    var plan = RepeatPlan(rules.count == 1 ? .rule(rules[0]) : .rules(rules))
    plan.exdates = instants(question.exdates)
    plan.rdates = instants(question.rdates)
    plan.offset = question.offset
    let anchor = Instant(nanoseconds: question.start * Nanoseconds.second)
    let mode: ZoneMode = question.zone == nil ? .absolute : .floating
    let kept = plan.counted(from: anchor, in: mode == .absolute ? .utc : zone)
    let table = Timetable(
      plan: try RepeatPlan.parse(kept.text), anchor: anchor, mode: mode, zone: zone)
    var found: [Int64] = []
    var place = Instant.distantPast
    while found.count <= walls, let due = table.first(after: place),
      due.instant.nanoseconds / Nanoseconds.second < end
    {
      found.append(due.instant.nanoseconds / Nanoseconds.second)
      place = due.instant
    }
    return found
  }
}
