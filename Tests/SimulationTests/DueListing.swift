import BelfryCore

/// All occurrences of a rule, or of a unit by day with other than the usual policies, one by one: the
/// definition, told slowly.
///
/// What comes next after k is what has the next higher k: true of all that is at most daily, and of
/// anything in UTC.
final class DueListing {
  struct Entry {
    var k: Int64
    var due: Instant
    var isMoved: Bool
  }

  private let plan: RepeatPlan
  private let anchor: Instant
  private let zone: ZoneRules?
  /// `last`: none of it is later, by the UNTIL of the rule that gives it.
  private var walls: [(key: Int64, wall: Instant, last: Instant)] = []
  /// By k, and so by due.
  private var entries: [Entry] = []
  /// All that shows this or less is known.
  private var horizon: Instant
  /// There is nothing more.
  private var isWhole = false

  init(_ plan: RepeatPlan, anchor: Instant, zone: ZoneRules?) {
    self.plan = plan
    self.anchor = anchor
    self.zone = zone
    horizon = anchor.advanced(by: 100 * Nanoseconds.day)
    if anchor == .distantFuture { isWhole = true } else { list() }
  }

  init(_ other: DueListing, zone: ZoneRules?) {
    plan = other.plan
    anchor = other.anchor
    self.zone = zone
    walls = other.walls
    horizon = other.horizon
    isWhole = other.isWhole
    resolve()
  }

  func due(_ k: Int64) -> Instant? {
    reach { entries.last?.k ?? .min > k }
    let place = place { $0.k < k }
    return place < entries.count && entries[place].k == k ? entries[place].due : nil
  }

  func next(after k: Int64) -> (k: Int64, due: Instant)? {
    reach { entries.last?.k ?? .min > k }
    return entry(place { $0.k <= k })
  }

  func last(through k: Int64) -> (k: Int64, due: Instant)? {
    reach { entries.last?.k ?? .min > k }
    return entry(place { $0.k <= k } - 1)
  }

  func count(after first: Int64, before last: Int64) -> Int64 {
    reach { entries.last?.k ?? .min > last }
    return Int64(max(0, place { $0.k < last } - place { $0.k <= first }))
  }

  /// `Int64.min`: none. A rule's k may well be negative.
  func newest(notAfter instant: Instant) -> Int64 {
    reach { entries.last?.due ?? .distantPast > instant }
    return entry(place { $0.due <= instant } - 1)?.k ?? .min
  }

  private func entry(_ place: Int) -> (k: Int64, due: Instant)? {
    entries.indices.contains(place) ? (entries[place].k, entries[place].due) : nil
  }

  /// How many come before all others.
  private func place(_ isBefore: (Entry) -> Bool) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entries[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func reach(_ isEnough: () -> Bool) {
    while !isWhole, !isEnough() {
      let way = horizon.nanoseconds(since: anchor)
      // Nothing lives so long.
      guard way < 80 * 366 * Nanoseconds.day else { return }
      horizon = anchor.advanced(by: 2 * way)
      list()
    }
  }

  private func list() {
    switch plan.pattern {
    case .rule(let rule):
      var series = RuleListing(rule, plan, anchor: anchor)
      walls = series.walls(through: horizon).map { ($0.key, $0.wall, rule.lastInstant) }
      isWhole = series.isWhole
    case .rules(let rules): listUnion(rules)
    case .unit(let unit, let every):
      walls = unitWalls(unit, every).map { ($0.key, $0.wall, .distantFuture) }
    case .once:
      walls = [(0, anchor, .distantFuture)]
      isWhole = true
    }
    resolve()
  }

  /// E5: what each of them gives, an instant once, as far as all of them are known.
  private func listUnion(_ rules: [RecurrenceRule]) {
    var plain = plan
    (plain.rdates, plain.exdates) = ([], [])
    var found: [Int64: (wall: Instant, last: Instant)] = [:]
    var known = Int64.max
    isWhole = true
    for rule in rules {
      var series = RuleListing(rule, plain, anchor: anchor)
      for (key, wall) in series.walls(through: horizon) {
        found[key] = (wall, max(found[key]?.last ?? .distantPast, rule.lastInstant))
      }
      if !series.isWhole {
        isWhole = false
        known = min(known, series.known)
      }
    }
    let own = RuleListing(rules[0], plan, anchor: anchor)
    for (key, wall) in own.added where key < known { found[key] = (wall, .distantFuture) }
    for key in own.removed { found[key] = nil }
    walls = found.filter { $0.key < known }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.wall, $0.value.last) }
  }

  private func resolve() {
    var byInstant: [Instant: Entry] = [:]
    for (key, wall, last) in walls {
      for entry in passes(key, wall) where entry.due <= last {
        if let other = byInstant[entry.due], !other.isMoved || entry.isMoved { continue }
        byInstant[entry.due] = entry
      }
    }
    entries = byInstant.values.sorted { $0.k < $1.k }
  }

  /// T5: what the zone's clocks make of one wall clock.
  private func passes(_ key: Int64, _ wall: Instant) -> [Entry] {
    let k = plan.overlap == .both ? 2 * key : key
    guard let zone else { return [Entry(k: k, due: wall, isMoved: false)] }
    switch zone.resolve(wall: wall) {
    case .once(let instant): return [Entry(k: k, due: instant, isMoved: false)]
    case .twice(let first, let last):
      switch plan.overlap {
      case .first where plan.startsInLastPass && wall >= anchor && first < start(in: zone):
        return [Entry(k: k, due: last, isMoved: false)]
      case .first: return [Entry(k: k, due: first, isMoved: false)]
      case .last: return [Entry(k: k, due: last, isMoved: false)]
      case .both:
        return [
          Entry(k: k, due: first, isMoved: false), Entry(k: k + 1, due: last, isMoved: false),
        ]
      }
    case .skipped(let before, _, let transition):
      func isTakenOut(_ moved: Instant) -> Bool {
        let second = CivilTime(zone.wall(at: moved)).wholeSecond
        return plan.exdates.contains { CivilTime($0).wholeSecond == second }
      }
      switch plan.gap {
      case .shift:
        let due = wall.advanced(by: -Int64(before) * Nanoseconds.second)
        return isTakenOut(due) ? [] : [Entry(k: k, due: due, isMoved: true)]
      case .next:
        return isTakenOut(transition) ? [] : [Entry(k: k, due: transition, isMoved: true)]
      case .skip: return []
      }
    }
  }

  private func start(in zone: ZoneRules) -> Instant {
    if case .twice(_, let last) = zone.resolve(wall: anchor) { last } else { anchor }
  }

  private func unitWalls(_ unit: RepeatUnit, _ every: Int64) -> [(key: Int64, wall: Instant)] {
    var found: [(key: Int64, wall: Instant)] = []
    var key: Int64 = 0
    while let plain = UnitWall.wall(unit, steps: key * every, from: anchor), plain <= horizon {
      if let wall = atMonthEnd(unit, plain) {
        if wall > plan.until ?? .distantFuture || found.count == plan.count ?? .max {
          isWhole = true
          return found
        }
        found.append((key, wall))
      }
      key += 1
    }
    return found
  }

  /// T4: what becomes of a day that its month does not have.
  private func atMonthEnd(_ unit: RepeatUnit, _ wall: Instant) -> Instant? {
    guard unit.length == nil, unit != .yearForWeekOfYear,
      UnitWall.dayOfMonth(wall) != UnitWall.dayOfMonth(anchor)
    else { return wall }
    switch plan.monthEnd {
    case .clamp: return wall
    case .skip: return nil
    case .roll: return wall.advanced(by: Nanoseconds.day)
    }
  }
}

extension RecurrenceRule {
  fileprivate var lastInstant: Instant {
    guard case .untilInstant(let end) = end else { return .distantFuture }
    return end.advanced(by: Nanoseconds.second - 1)
  }
}

extension CivilTime {
  fileprivate var wholeSecond: Int64 { date.days * 86400 + hour * 3600 + minute * 60 + second }
}
