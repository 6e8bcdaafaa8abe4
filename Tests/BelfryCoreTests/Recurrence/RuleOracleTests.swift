import Foundation
import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// Tens of thousands of random rules, as python-dateutil reads them.
struct RuleOracleTests {
  /// BELFRY_RULES=n: so many in each test.
  static let rules =
    ProcessInfo.processInfo.environment["BELFRY_RULES"].flatMap { Int($0) } ?? 12_000
  static let count = 12

  static func compare(
    _ questions: [DateutilOracle.Question], seed: UInt64, _ ours: (Int) throws -> [Int64]
  ) throws {
    let answers = try DateutilOracle.answers(to: questions, count: count)
    try #require(answers.count == questions.count, "python3 with dateutil did not answer")
    var silent = 0
    for (index, question) in questions.enumerated() {
      guard let theirs = answers[index] else {
        silent += 1
        continue
      }
      let ours = try ours(index)
      try #require(ours == theirs, "seed \(seed), \(index): \(question.line)")
    }
    // What dateutil cannot say in 4 ms is not compared.
    #expect(silent * 3 < questions.count, "seed \(seed): \(silent) were not answered")
  }

  @Test func T6_floatingRulesAreDateutils() throws {
    let seed = TestSeed.here()
    var random = RandomRule(random: SeededRandom(seed: seed))
    let questions = (0..<Self.rules).map { _ in
      DateutilOracle.Question(
        start: random.start(), rule: random.text(atMost: .yearly, atLeast: .secondly))
    }
    try Self.compare(questions, seed: seed) { index in
      let question = questions[index]
      let series = RuleSeries(try RecurrenceRule.parse(question.rule), start: question.start)
      var found: [Int64] = []
      var place = Int64.min
      while found.count < Self.count, let next = series.first(onOrAfter: place),
        next < 9_214_646_400
      {
        found.append(next)
        place = next + 1
      }
      return found
    }
  }

  static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll",
    "Europe/Dublin", "Africa/Casablanca", "Pacific/Apia", "Asia/Tehran",
  ]

  /// In absolute mode and in zones, with EXDATE and RDATE, through `Timetable`. In zones from the day
  /// on: below, dateutil counts wall clocks, but T5 elapsed time (`ElapsedRuleRandomTests`).
  @Test func T6_zonedRulesAreDateutilsAndZoneinfos() throws {
    let seed = TestSeed.here()
    var random = RandomRule(random: SeededRandom(seed: seed))
    let known = try Self.zones.map { name in
      (
        name,
        try ZoneRules(
          tzif: Array(Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/" + name))))
      )
    }
    var zones: [ZoneRules] = []
    let questions = (0..<Self.rules).map { _ in
      let zone = known.randomElement(using: &random.random)!
      zones.append(zone.1)
      let isZoned = Bool.random(using: &random.random)
      let rule = random.text(atMost: .yearly, atLeast: isZoned ? .daily : .minutely)
      // Half of them begin within a day of a change of the clocks.
      var start = random.start()
      if Bool.random(using: &random.random),
        let change = zone.1.transition(after: Instant(nanoseconds: start * Nanoseconds.second))
      {
        start =
          change.instant.nanoseconds / Nanoseconds.second
          + Int64.random(in: -100...20, using: &random.random) * 900 + Int64(change.before.offset)
      }
      var question = DateutilOracle.Question(
        start: start, rule: rule, zone: isZoned ? zone.0 : nil)
      if Int.random(in: 0..<3, using: &random.random) == 0 {
        question.exdates = (0..<3).map { _ in
          start + .random(in: 0...9, using: &random.random) * 86400
        }.filter { !isZoned || !Self.isBehindGap($0, zone.1) }
        question.rdates = (0..<3).map { _ in
          start + .random(in: 0...90, using: &random.random) * 3600
        }
      }
      return question
    }
    try Self.compare(questions, seed: seed) { index in
      try Self.timetable(questions[index], zones[index])
    }
  }

  /// What a gap moves there is taken out by an EXDATE too (T6, `TimetableTests`); dateutil, which
  /// knows no zones while it excludes, keeps it.
  private static func isBehindGap(_ wall: Int64, _ zone: ZoneRules) -> Bool {
    // As far as the gaps of these zones go.
    let lengths: [Int64] = [1800, 3600, 7200, 86400]
    return lengths.contains { length in
      let before = Instant(nanoseconds: (wall - length) * Nanoseconds.second)
      if case .skipped = zone.resolve(wall: before) { return true }
      return false
    }
  }

  private static func timetable(
    _ question: DateutilOracle.Question, _ zone: ZoneRules
  ) throws -> [Int64] {
    func instants(_ seconds: [Int64]) -> [Instant] {
      seconds.sorted().map { Instant(nanoseconds: $0 * Nanoseconds.second) }
    }
    var plan = RepeatPlan(.rule(try RecurrenceRule.parse(question.rule)))
    plan.exdates = instants(question.exdates)
    plan.rdates = instants(question.rdates)
    let table = Timetable(
      plan: plan, anchor: Instant(nanoseconds: question.start * Nanoseconds.second + 5),
      mode: question.zone == nil ? .absolute : .floating, zone: zone)
    var found: [Int64] = []
    var place = Instant.distantPast
    while found.count < count, let due = table.first(after: place),
      due.instant.nanoseconds / Nanoseconds.second < 9_214_646_400
    {
      #expect(floorModulo(due.instant.nanoseconds, Nanoseconds.second) == 5)
      #expect(table.due(k: due.k) == due)
      found.append(due.instant.nanoseconds / Nanoseconds.second)
      place = due.instant
    }
    return found
  }
}
