import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// The definition itself: every second about a change of the clocks is judged by what they show.
struct ElapsedRuleRandomTests {
  /// A rule by the hour or below, in numbers.
  struct Question {
    var frequency: RecurrenceRule.Frequency
    var interval: Int64
    var hours: [Int64]
    var minutes: [Int64]
    var seconds: [Int64]
    var weekdays: [Int64]
    var positions: [Int64]
    var zone: ZoneRules
    /// In UTC.
    var start: Int64

    var text: String {
      func part(_ name: String, _ values: [Int64]) -> String {
        values.isEmpty ? "" : ";\(name)=" + values.map { "\($0)" }.joined(separator: ",")
      }
      let days = weekdays.map { RecurrenceRule.weekdayNames[Int($0) - 1] }
      return "FREQ=\(frequency.text);INTERVAL=\(interval)"
        + (days.isEmpty ? "" : ";BYDAY=" + days.joined(separator: ","))
        + part("BYHOUR", hours) + part("BYMINUTE", minutes) + part("BYSECOND", seconds)
        + part("BYSETPOS", positions)
    }

    private var unit: Int64 {
      frequency == .hourly ? 3600 : frequency == .minutely ? 60 : 1
    }

    private func wall(_ time: Int64) -> Int64 {
      time + Int64(zone.offset(at: Instant(nanoseconds: time * Nanoseconds.second)))
    }

    func has(_ time: Int64) -> Bool {
      let shown = wall(time)
      // The start as the clocks of now would have shown it.
      let begun = start + shown - time
      guard (shown / unit - begun / unit) % interval == 0 else { return false }
      let weekday = (shown / 86400 + 3) % 7 + 1
      guard weekdays.isEmpty || weekdays.contains(weekday),
        hours.isEmpty || hours.contains(shown / 3600 % 24)
      else { return false }
      // What the unit is made of, where the rule does not say as at the start.
      let own = (begun / 60 % 60, begun % 60)
      let (minute, second) = (shown / 60 % 60, shown % 60)
      if unit < 3600, !minutes.isEmpty, !minutes.contains(minute) { return false }
      if unit < 60, !seconds.isEmpty, !seconds.contains(second) { return false }
      let inHour = unit < 3600 ? [minute] : minutes.isEmpty ? [own.0] : minutes
      let inMinute = unit < 60 ? [second] : seconds.isEmpty ? [own.1] : seconds
      let set = inHour.flatMap { minute in inMinute.map { minute * 60 + $0 } }
      guard let place = set.firstIndex(of: minute * 60 + second) else { return false }
      return positions.isEmpty || positions.contains(Int64(place) + 1)
        || positions.contains(Int64(place - set.count))
    }
  }

  static let zones = [
    TimetableTests.berlin, TimetableTests.howe, TimetableTests.troll, TimetableTests.dublin,
    TimetableTests.apia,
  ]

  static func question(_ random: inout SeededRandom) -> Question {
    func some(_ numbers: [Int64], _ chance: Int) -> [Int64] {
      guard Int.random(in: 0..<chance, using: &random) == 0 else { return [] }
      let count = Int.random(in: 1...4, using: &random)
      return Set((0..<count).map { _ in numbers.randomElement(using: &random)! }).sorted()
    }
    let frequency = [RecurrenceRule.Frequency.hourly, .minutely, .secondly]
      .randomElement(using: &random)!
    let zone = zones.randomElement(using: &random)!
    let change = zone.transition(after: instant(2027, .random(in: 1...11, using: &random), 1))!
    let way = Int64.random(in: 0...frequency.window / 30, using: &random) * 15
    let seconds = some([0, 30], 3)
    let minutes = some([0, 15, 29, 30, 45], 3)
    return Question(
      frequency: frequency,
      interval: .random(in: 1...(Bool.random(using: &random) ? 3 : 50), using: &random),
      hours: some([0, 1, 2, 3, 4, 9], 3), minutes: minutes, seconds: seconds,
      weekdays: some([1, 5, 6, 7], 4),
      positions: minutes.isEmpty && seconds.isEmpty ? [] : some([-2, -1, 1, 2, 3], 3),
      zone: zone, start: change.instant.second - way / 30 * 30)
  }

  @Test func T5_elapsedRulesAreTheirDefinition() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let question = Self.question(&random)
      let comment: Comment = "seed \(seed): \(question.text) from \(question.start)"
      let step: Int64 = question.frequency == .secondly ? 1 : 30
      let end = question.start + question.frequency.window
      let expected = stride(from: question.start, to: end, by: Int(step)).filter(question.has)
      var rule = try RecurrenceRule.parse(question.text)
      let start = Instant(nanoseconds: question.start * Nanoseconds.second + 5)
      func table(_ rule: RecurrenceRule) -> Timetable {
        var plan = RepeatPlan(.rule(rule))
        let wall = question.zone.wall(at: start)
        plan.startsInLastPass = question.zone.instants(ofWall: wall).first != start
        return Timetable(
          plan: plan.counted(from: wall, in: question.zone), anchor: wall, mode: .zoned,
          zone: question.zone)
      }
      let endless = table(rule)
      var found: [Due] = []
      var next = endless.first(after: .distantPast)
      while let due = next, due.instant.second < end, found.count <= expected.count {
        found.append(due)
        next = endless.next(after: due)
      }
      try #require(found.map { $0.instant.second } == expected, comment)
      // Unique, and in order even across passes: a delivery that waits is overtaken by newer ones only.
      for (before, after) in zip(found, found.dropFirst()) {
        try #require(LastPass.isBefore(before.k, after.k), comment)
        try #require(!LastPass.isBefore(after.k, before.k), comment)
      }
      guard let place = found.indices.randomElement(using: &random) else { continue }
      let due = found[place]
      let following = place + 1 < found.count ? found[place + 1] : next
      #expect(endless.due(k: due.k) == due, comment)
      #expect(endless.next(afterIndex: due.k) == following, comment)
      #expect(endless.newest(notAfter: due.instant) == due, comment)
      rule.end = .count(Int64(place) + 1)
      let counted = table(rule)
      #expect(counted.newest(notAfter: .distantFuture) == due, comment)
    }
  }

  @Test func T5_aRuleByTheHourIsAUnitByTheHour() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let question = Self.question(&random)
      let start = Instant(nanoseconds: question.start * Nanoseconds.second)
      let unit: RepeatUnit =
        question.frequency == .hourly ? .hour : question.frequency == .minutely ? .minute : .second
      var rule = RecurrenceRule(question.frequency)
      rule.interval = question.interval
      let count = Int64.random(in: 1...100_000, using: &random)
      let tables = [
        RepeatPlan.Pattern.rule(rule), .unit(unit, every: question.interval),
      ].map { pattern in
        var plan = RepeatPlan(pattern)
        plan.count = count
        return Timetable(
          plan: plan, anchor: question.zone.wall(at: start), mode: .floating, zone: question.zone)
      }
      let lasts = tables.map { $0.newest(notAfter: .distantFuture)?.instant }
      #expect(lasts[0] == lasts[1], "seed \(seed): \(question.text)")
      var place = start.advanced(by: -1)
      for _ in 0..<100 {
        let found = tables.map { $0.first(after: place)?.instant }
        #expect(found[0] == found[1], "seed \(seed): \(question.text) from \(question.start)")
        place = place.advanced(by: .random(in: 0...900, using: &random) * Nanoseconds.second)
      }
    }
  }

  /// Whole days are counted by arithmetic: over years, and over all their changes.
  @Test func T6_aCountOverYearsIsOneByOne() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<60 {
      var question = Self.question(&random)
      if question.frequency == .secondly { question.frequency = .minutely }
      question.minutes = Array(question.minutes.prefix(2))
      let comment: Comment = "seed \(seed): \(question.text) from \(question.start)"
      var rule = try RecurrenceRule.parse(question.text)
      let anchor = question.zone.wall(at: Instant(nanoseconds: question.start * Nanoseconds.second))
      let count = Int64.random(in: 1000...4000, using: &random)
      let endless = Timetable(
        plan: RepeatPlan(.rule(rule)), anchor: anchor, mode: .floating, zone: question.zone)
      var (last, left) = (endless.first(after: .distantPast), count - 1)
      // There may be fewer until 2262.
      while left > 0, let due = last, let next = endless.next(after: due) {
        (last, left) = (next, left - 1)
      }
      rule.end = .count(count)
      var meter = StepMeter()
      let plan = RepeatPlan(.rule(rule)).counted(from: anchor, in: question.zone, &meter)
      let counted = Timetable(plan: plan, anchor: anchor, mode: .floating, zone: question.zone)
      #expect(counted.newest(notAfter: .distantFuture) == last, comment)
      #expect(meter.steps < RuleBudget.count, comment)
    }
  }
}

extension RecurrenceRule.Frequency {
  /// So many seconds are judged.
  fileprivate var window: Int64 {
    self == .hourly ? 6 * 86400 : self == .minutely ? 2 * 86400 : 6 * 3600
  }
}
