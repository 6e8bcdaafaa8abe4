import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// The definition itself: every wall clock resolved one by one, what comes to one instant merged.
struct TimetableRandomTests {
  static let zones = [
    ZoneRules.utc, TimetableTests.berlin, TimetableTests.howe, TimetableTests.troll,
    TimetableTests.dublin, TimetableTests.apia,
  ]
  static let units: [RepeatUnit] = [
    .minute, .hour, .day, .weekday, .week, .weekOfMonth, .month, .quarter, .year,
    .yearForWeekOfYear,
  ]

  /// All occurrences of the first `count` keys, by definition.
  static func byDefinition(
    _ plan: RepeatPlan, anchor: Instant, zone: ZoneRules, keys: Int64
  ) -> [Due] {
    let series = WallSeries(plan, anchor: anchor, until: plan.until ?? .distantFuture)
    var found: [Instant: Due] = [:]
    func add(_ k: Int64, _ instant: Instant, isMoved: Bool) {
      if let known = found[instant], isMoved || known.because.isEmpty { return }
      found[instant] = Due(k: k, instant: instant, because: isMoved ? .merged : [])
    }
    for key in 0..<keys {
      guard let wall = series.occurrence(key: key)?.wall else { continue }
      let both = plan.tellsPassesApart
      let k = both ? 2 * key : key
      switch zone.resolve(wall: wall) {
      case .once(let instant): add(k, instant, isMoved: false)
      case .skipped(let before, _, let change):
        switch plan.gap {
        case .shift: add(k, wall.advanced(by: -Int64(before) * Nanoseconds.second), isMoved: true)
        case .next: add(k, change, isMoved: true)
        case .skip: break
        }
      case .twice(let first, let last):
        if plan.overlap != .last { add(k, first, isMoved: false) }
        if plan.overlap != .first { add(both ? k + 1 : k, last, isMoved: false) }
      }
    }
    return found.values.sorted { $0.instant < $1.instant }
  }

  @Test func T5_theTimetableIsItsDefinition() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<400 {
      let unit = Self.units.randomElement(using: &random)!
      var plan = RepeatPlan(.unit(unit, every: .random(in: 1...3, using: &random)))
      plan.gap = .allCases.randomElement(using: &random)!
      plan.overlap = .allCases.randomElement(using: &random)!
      plan.monthEnd = .allCases.randomElement(using: &random)!
      let zone = Self.zones.randomElement(using: &random)!
      // Some hours before one of the changes of 2027, on a quarter of an hour.
      let change = zone.transition(
        after: instant(2027, Int64.random(in: 1...11, using: &random), 1))
      let near = change?.instant ?? instant(2027, 1, 31)
      let quarters = Int64.random(in: -300...8, using: &random)
      let anchor = Instant(
        nanoseconds: (near.nanoseconds / Nanoseconds.hour * 4 + quarters) * 15 * Nanoseconds.minute)
      if Bool.random(using: &random) {
        plan.until = anchor.advanced(by: .random(in: 0...40, using: &random) * Nanoseconds.day)
      } else if Bool.random(using: &random) {
        plan.count = .random(in: 1...30, using: &random)
      }
      try Self.compare(plan, anchor, zone, "seed \(seed): \(plan) from \(RFC3339.text(anchor))")
    }
  }

  static func compare(
    _ plan: RepeatPlan, _ anchor: Instant, _ zone: ZoneRules, _ comment: Comment
  ) throws {
    let table = Timetable(plan: plan, anchor: anchor, mode: .zoned, zone: zone)
    var definition = plan
    var start = anchor
    var rules = zone
    if plan.countsElapsedTime {
      start = zone.instant(ofWall: anchor, isLast: plan.overlap == .last)
      definition.until = plan.until.map {
        zone.instant(ofWall: $0, isLast: plan.overlap == .last)
      }
      rules = .utc
    }
    let all = byDefinition(definition, anchor: start, zone: rules, keys: 300)
    // What lies near the last key may lack something that is moved there.
    let isWhole = (plan.until != nil || plan.count != nil) && all.count < 250
    let expected = isWhole ? all[...] : all.dropLast(50)
    var due = table.first(after: .distantPast)
    var previous: Due?
    for (index, wanted) in expected.enumerated() {
      let found = try #require(due, comment)
      try #require(found.k == wanted.k && found.instant == wanted.instant, comment)
      #expect(table.due(k: found.k) == found, comment)
      if index % 16 == 1 {
        #expect(table.newest(notAfter: found.instant) == found, comment)
        #expect(table.newest(notAfter: found.instant.advanced(by: -1)) == previous, comment)
      }
      let next = table.next(after: found)
      #expect(table.next(afterIndex: found.k) == next, comment)
      #expect(
        table.count(after: .distantPast, through: found.instant, limit: 1000) == Int64(index) + 1,
        comment)
      (previous, due) = (found, next)
    }
    if isWhole { try #require(due == nil, comment) }
  }
}
