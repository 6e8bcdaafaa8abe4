/// A rule by the hour, the minute or the second where clocks change (T5): its intervals count
/// elapsed time from the start's instant, its parts are judged on what the clocks show.
///
/// Between two changes that is the rule itself, its start moved by what the clocks have been moved
/// since. So the hour that a change skips has no occurrences, and one that comes twice has those of
/// both passes. In whole seconds since 1970 UTC.
struct ElapsedRule: Sendable {
  /// Without its end.
  private let rule: RecurrenceRule
  private let zone: ZoneRules
  let start: Int64
  /// What the clocks are ahead of UTC at the start.
  private let offset: Int64
  /// What the start's clocks show as long as they are not changed.
  private let own: RuleSeries
  /// EXDATE names wall clocks, of which it takes out both passes.
  private let removed: [Int64]
  /// None later than this.
  private var last: Int64
  /// The last of all seconds that are sought.
  static let end = Int64.max / Nanoseconds.second - 1

  /// `anchor` is a wall clock counted as if it showed UTC. Where `meter` is spent, the end of a COUNT
  /// is not known, and nothing may be asked.
  init(
    _ rule: RecurrenceRule, _ plan: RepeatPlan, anchor: Instant, zone: ZoneRules,
    _ meter: inout StepMeter
  ) {
    let isLast = plan.overlap == .last || plan.startsInLastPass
    let instant = zone.instant(ofWall: anchor, isLast: isLast)
    start = instant.second
    offset = Int64(zone.offset(at: instant))
    self.zone = zone
    self.rule = rule.endless
    own = RuleSeries(self.rule, start: start + offset)
    removed = plan.exdates.map { $0.second }
    last = Self.end
    if let until = plan.until {
      let end = zone.end(ofWall: until, isLast: plan.overlap == .last, start: instant)
      last = min(last, end.second)
    }
    let end = plan.count.map { RecurrenceRule.End.count($0) } ?? rule.end
    switch end {
    case .never, .untilInstant: break
    case .untilDate(let days):
      let end = Instant(second: days * 86400 + 86399)
      last = min(last, zone.instant(ofWall: end, isLast: true).second)
    case .untilWall(let wall):
      last = min(last, zone.instant(ofWall: wall, isLast: plan.endsInLastPass & 1 == 1).second)
    case .count(let count): last = min(last, time(ofCount: count, &meter) ?? .max)
    }
  }

  /// The first at `time` or later; nil if there is none before 2262.
  func first(onOrAfter time: Int64, _ meter: inout StepMeter) -> Int64? {
    var stretches: [Stretch] = []
    var place = max(time, start)
    while place <= last, meter.take() {
      let (stretch, end) = self.stretch(at: place, &stretches)
      let (series, offset) = (stretch.series, stretch.offset)
      guard let begin = stretch.day(from: place, &meter) else { return nil }
      if begin >= end {
        place = max(end, begin - Self.farthest)
        continue
      }
      let isReached = series.last != .min
      let found =
        isReached
        ? series.within(onOrAfter: place + offset, before: end + offset, &meter) : nil
      guard let found, found < end + offset else {
        place = end
        continue
      }
      guard isTakenOut(found) else { return found - offset <= last ? found - offset : nil }
      place = found - offset + 1
    }
    return nil
  }

  /// Seconds between neighbours, of a rule that has no parts; nil: it has some.
  var plainInterval: Int64? {
    let isPlain = own.isUnlimited && rule.hours | rule.minutes | rule.seconds == 0
    return isPlain ? own.interval * own.unit : nil
  }

  /// What its clocks show at one of its seconds, and whether that is the last pass of what they show
  /// twice.
  func wall(at time: Int64) -> (second: Int64, isLastPass: Bool) {
    let instant = Instant(second: time)
    let wall = zone.wall(at: instant)
    return (wall.second, zone.instants(ofWall: wall).first != instant)
  }

  /// See `RuleSeries.longestMiss`: the longest of all that the clocks come to.
  func longestMiss(_ meter: inout StepMeter) -> Int64 {
    var offsets: Set<Int64> = [offset]
    var longest = own.longestMiss(&meter)
    var place = Instant(second: start)
    while let change = zone.transition(after: place) {
      place = change.instant
      let offset = Int64(change.after.offset)
      guard offsets.insert(offset).inserted else { continue }
      longest = max(longest, series(at: offset).longestMiss(&meter))
    }
    return longest
  }

  private func isTakenOut(_ wall: Int64) -> Bool {
    let place = removed.place(of: wall)
    return place < removed.count && removed[place] == wall
  }

  // MARK: Between changes

  /// Times between two changes of the clocks.
  struct Stretch {
    let offset: Int64
    let series: RuleSeries
    /// See `RuleSeries.countsOfDay`; empty: not counted.
    var counts: [Int32] = []

    /// When the first allowed day begins that is not over at `place`; nil: there is none.
    func day(from place: Int64, _ meter: inout StepMeter) -> Int64? {
      series.firstDay(onOrAfter: floorDivide(place + offset, 86400), &meter)
        .map { $0 * 86400 - offset }
    }
  }

  /// Days begin in all zones within so many seconds (RFC 8536, 3.2).
  static let farthest: Int64 = 52 * 3600

  /// That which has `place`, and where it ends; `known` are those that were asked for.
  func stretch(at place: Int64, _ known: inout [Stretch]) -> (Stretch, end: Int64) {
    let instant = Instant(second: place)
    let offset = Int64(zone.offset(at: instant))
    let end = zone.transition(after: instant)?.instant.second ?? Self.end + 1
    if let stretch = known.first(where: { $0.offset == offset }) { return (stretch, end) }
    known.append(Stretch(offset: offset, series: series(at: offset)))
    return (known[known.count - 1], end)
  }

  private func series(at offset: Int64) -> RuleSeries {
    offset == self.offset ? own : RuleSeries(rule, start: start + offset)
  }
}

extension RecurrenceRule {
  /// The same without COUNT or UNTIL.
  var endless: RecurrenceRule {
    var rule = self
    rule.end = .never
    return rule
  }
}

extension Instant {
  /// A second's beginning, or `nanosecond` behind it; sticks at the ends of the range.
  init(second: Int64, nanosecond: Int64 = 0) {
    // The first second of the range begins before it does, so seconds are counted towards zero.
    let rest = second < 0 ? nanosecond - Nanoseconds.second : nanosecond
    let (whole, isOutside) =
      (second < 0 ? second + 1 : second).multipliedReportingOverflow(by: Nanoseconds.second)
    let end: Instant = second < 0 ? .distantPast : .distantFuture
    self = isOutside ? end : Instant(nanoseconds: whole).advanced(by: rest)
  }

  /// Whole seconds since 1970, rounded down.
  var second: Int64 { floorDivide(nanoseconds, Nanoseconds.second) }
}
