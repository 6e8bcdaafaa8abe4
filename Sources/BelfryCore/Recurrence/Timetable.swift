/// When a notification is due: the one thing that is asked for occurrences.
///
/// **k** (D7) names an occurrence for ever, whatever zone the board comes to: for a unit its index
/// from the anchor, for a rule its unshifted wall clock in seconds since 1970, as if it showed UTC.
/// With `OverlapPolicy.both` k of a wall clock is twice that, plus 1 for the last pass of one that
/// exists twice, so that each pass has an id of its own. A rule by the hour or below has occurrences
/// in both passes under any other policy too: in the first one k is as ever, in the last as
/// `LastPass` makes it. Beside such a rule all others name their passes so.
///
/// Occurrences are in the order of their instants, no two at the same. That is the order of k too,
/// but for the last pass of an hour (`LastPass.isBefore`), and for what a change of the clocks moves:
/// ask `next(after:)` for what follows, never k + 1. Where two wall clocks come to the same instant,
/// because one was moved, the one that was not stands for both, else the earlier.
///
/// Several rules are asked one by one, and the first of what they give is taken (E5): what two of
/// them give for one wall clock has one k. An offset (E4) is put on what comes out, and then the order
/// is that of what is due (`DueShift`); only `occurrence(k:)` tells of occurrences without it.
///
/// Hours and below, of a unit or of a rule, count elapsed time from the anchor's instant (T5); days
/// and above are wall clocks of the zone. Made once and kept: a rule with COUNT is counted through
/// here. Every function takes bounded time.
public struct Timetable: Sendable {
  public let plan: RepeatPlan
  let zone: ZoneRules
  let series: WallSeries
  /// A rule by the hour or below where clocks change; `series` then has what RDATE adds to it.
  let elapsed: ElapsedRule?
  /// The other rules of several, and what RDATE adds to them (E5).
  private let others: [Timetable]
  /// From an occurrence to its due; nil: they are one.
  let shift: DueShift?
  /// k of what a wall clock has in its last pass says so: some rule counts elapsed time.
  let tellsLastPass: Bool
  /// What all occurrences of a rule have of a second, as the anchor has.
  let fraction: Int64
  /// The start, where it is in the last pass of a wall clock that is shown twice (T5).
  let lastPassStart: (wall: Instant, instant: Instant)?
  /// None later than this: UNTIL of a rule in its UTC form.
  private let lastInstant: Instant

  /// `anchor` is an instant in absolute mode, else a wall clock counted as if it showed UTC; `zone`
  /// is that of the board, or the named one. In absolute mode it does not matter.
  ///
  /// `days` are what is known of a plan in a plugin's calendar: the timetable knows that much of it.
  @export(interface)
  public init(
    plan: RepeatPlan, anchor: Instant, mode: ZoneMode, zone: ZoneRules, days: CalendarDays? = nil
  ) {
    var others: [Timetable] = []
    if plan.rules.count > 1 {
      for place in plan.rules.indices.dropFirst() {
        others.append(Timetable(plan, plan.part(place), anchor: anchor, mode: mode, zone: zone))
      }
      if !plan.rdates.isEmpty {
        var added = plan.part(0)
        added.rdates = plan.rdates
        others.append(
          Timetable(plan, added, hasRule: false, anchor: anchor, mode: mode, zone: zone))
      }
    }
    self.init(
      plan, plan.rules.isEmpty ? plan : plan.part(0), anchor: anchor, mode: mode, zone: zone,
      days: days, others: others,
      shift: DueShift(plan.offset, zone: mode == .absolute ? .utc : zone))
  }

  /// Of one rule of the plan, if it has any; `hasRule` false: only of what RDATE adds.
  private init(
    _ plan: RepeatPlan, _ part: RepeatPlan, hasRule: Bool = true, anchor: Instant,
    mode: ZoneMode, zone: ZoneRules, days: CalendarDays? = nil, others: [Timetable] = [],
    shift: DueShift? = nil
  ) {
    self.plan = plan
    self.others = others
    self.shift = shift
    var anchor = anchor
    var until = plan.until ?? .distantFuture
    self.zone = mode == .absolute || plan.countsElapsedTime ? .utc : zone
    if mode != .absolute, plan.countsElapsedTime {
      let isLast = plan.overlap == .last || plan.startsInLastPass
      anchor = zone.instant(ofWall: anchor, isLast: isLast)
      if until != .distantFuture {
        until = zone.end(ofWall: until, isLast: plan.overlap == .last, start: anchor)
      }
    }
    let passes = self.zone.instants(ofWall: anchor)
    lastPassStart =
      plan.startsInLastPass && plan.overlap == .first && passes.first != passes.last
      ? (wall: anchor, instant: passes.last) : nil
    fraction = floorModulo(anchor.nanoseconds, Nanoseconds.second)
    tellsLastPass = plan.countsElapsedRule && self.zone !== ZoneRules.utc
    let rule = hasRule ? part.rules.first : nil
    if let rule, part.countsElapsedRule, self.zone !== ZoneRules.utc {
      var meter = StepMeter()
      elapsed = ElapsedRule(rule, part, anchor: anchor, zone: zone, &meter)
    } else {
      elapsed = nil
    }
    series = WallSeries(
      part, anchor: anchor, until: until, days: days, hasRule: hasRule && elapsed == nil)
    if case .untilInstant(let instant)? = rule?.end {
      // It has no fraction, and holds for all of its second.
      lastInstant = instant.advanced(by: Nanoseconds.second - 1)
    } else {
      lastInstant = .distantFuture
    }
  }

  /// One for each rule; the last may be of what RDATE adds.
  var parts: [Timetable] { [self] + others }

  /// What a plugin told of it; nil: no plugin has a say.
  public var days: CalendarDays? { series.calendar?.days }

  /// After the last known occurrence there may be others, which a plugin must be asked for.
  public var isOpen: Bool { series.calendar?.isOpen ?? false }

  /// The occurrence with this k; nil if there is none, or none any more in this zone.
  public func due(k: Int64) -> Due? {
    guard let shift else { return occurrence(k: k) }
    guard let due = occurrence(k: k).flatMap({ shift.shifted($0) }) else { return nil }
    return standing(k: k, at: due.instant)
  }

  /// Whether its wall clock rings in both passes, so that by k one of the other pass lies between it and
  /// what follows it.
  func hasOtherPass(_ k: Int64) -> Bool { plan.tellsPassesApart && due(k: k ^ 1) != nil }

  /// The same without the plan's offset: when the occurrence itself is.
  public func occurrence(k: Int64) -> Due? {
    for part in parts {
      guard let instant = part.ownInstant(k: k),
        let first = occurrence(after: instant.advanced(by: -1)), first.k == k
      else { continue }
      return first
    }
    return nil
  }

  /// Where one rule has it.
  private func ownInstant(k: Int64) -> Instant? {
    if tellsLastPass { return instant(ofElapsed: k) }
    guard let occurrence = series.occurrence(key: key(of: k)) else { return nil }
    return passes(of: occurrence).first { $0.k == k }?.instant
  }

  /// It may have gone into another that is due at the same instant.
  private func standing(k: Int64, at instant: Instant) -> Due? {
    guard let due = first(after: instant.advanced(by: -1)), due.k == k else { return nil }
    return due
  }

  /// The first occurrence later than `instant`; nil if none ever is.
  @export(interface)
  public func first(after instant: Instant) -> Due? {
    var meter = StepMeter()
    return first(after: instant, &meter)
  }

  /// The same, counting steps; nil also where `meter` was spent before one was found.
  @export(interface)
  public func first(after instant: Instant, _ meter: inout StepMeter) -> Due? {
    guard let shift else { return occurrence(after: instant, &meter) }
    return shift.first(after: instant, &meter) { instant, meter in
      occurrence(after: instant, &meter)
    }
  }

  private func occurrence(after instant: Instant) -> Due? {
    var meter = StepMeter()
    return occurrence(after: instant, &meter)
  }

  /// Without the plan's offset.
  private func occurrence(after instant: Instant, _ meter: inout StepMeter) -> Due? {
    var found = ownFirst(after: instant, &meter)
    for other in others {
      guard !meter.isSpent else { return nil }
      guard let due = other.ownFirst(after: instant, &meter) else { continue }
      found = found.map { Self.union($0, due) } ?? due
    }
    return meter.isSpent && !others.isEmpty ? nil : found
  }

  /// Of one rule.
  private func ownFirst(after instant: Instant, _ meter: inout StepMeter) -> Due? {
    guard instant < .distantFuture else { return nil }
    let found = search(from: Instant(nanoseconds: instant.nanoseconds + 1), &meter)
    guard let found, found.instant <= lastInstant else { return nil }
    return found
  }

  /// The last occurrence at `instant` or before; nil if none is.
  public func newest(notAfter instant: Instant) -> Due? {
    var meter = StepMeter()
    return newest(notAfter: instant, &meter)
  }

  /// The same, counting steps.
  func newest(notAfter instant: Instant, _ meter: inout StepMeter) -> Due? {
    guard var newest = first(after: .distantPast.advanced(by: -1), &meter),
      newest.instant <= instant
    else { return nil }
    // Halves the time in which the one sought may lie. What is known to be one is the lower end.
    var high = instant.nanoseconds
    var step = UInt64(Nanoseconds.second)
    while true {
      // First back from the end in growing steps, since the sought is mostly near it.
      let start =
        UInt64(bitPattern: high &- newest.instant.nanoseconds) > step
        ? high &- Int64(bitPattern: step) : newest.instant.nanoseconds
      guard start > newest.instant.nanoseconds else { break }
      if let due = first(after: Instant(nanoseconds: start), &meter),
        due.instant.nanoseconds <= high
      {
        newest = due
        break
      }
      high = start
      step = step > 1 << 61 ? step : step * 4
    }
    while let due = first(after: newest.instant, &meter), due.instant.nanoseconds <= high {
      newest = due
      let way = UInt64(bitPattern: high &- newest.instant.nanoseconds)
      let middle = newest.instant.nanoseconds &+ Int64(bitPattern: way / 2)
      if let due = first(after: Instant(nanoseconds: middle), &meter),
        due.instant.nanoseconds <= high
      {
        newest = due
      } else {
        high = middle
      }
    }
    return newest
  }

  /// The occurrence that follows one of this timetable.
  public func next(after due: Due) -> Due? {
    first(after: due.instant)
  }

  /// The occurrence that follows k, also where k itself is none in this zone, or was taken out.
  public func next(afterIndex k: Int64) -> Due? {
    guard let place = place(ofIndex: k) else { return nil }
    return first(after: shift?.due(of: place) ?? place)
  }

  /// Where an occurrence with this k is, or would be.
  private func place(ofIndex k: Int64) -> Instant? {
    if tellsLastPass, let occurrence = occurrence(k: k) { return occurrence.instant }
    guard let wall = series.wall(key: key(of: k)) else { return nil }
    if case .skipped(_, _, let change) = zone.resolve(wall: wall) {
      // What counts elapsed time goes on with the first that there is.
      if tellsLastPass { return change.advanced(by: -1) }
      if plan.gap == .next { return change }
    }
    let instants = zone.instants(ofWall: wall)
    let isLastPass =
      plan.isLastPass(k) || (!tellsLastPass && overlap(of: wall, first: instants.first) == .last)
    return isLastPass ? instants.last : instants.first
  }

  /// How many occurrences are later than `first` and not later than `last`, counted up to `limit`.
  public func count(after first: Instant, through last: Instant, limit: Int64) -> Int64 {
    var meter = StepMeter()
    return count(after: first, through: last, limit: limit, &meter)
  }

  /// The same, counting steps; those that have been found where `meter` was spent.
  func count(
    after first: Instant, through last: Instant, limit: Int64, _ meter: inout StepMeter
  ) -> Int64 {
    if zone === ZoneRules.utc, shift?.isPlain ?? true {
      let length = -plan.offset.plainLength
      let count = series.count(
        after: first.advanced(by: length), through: last.advanced(by: length))
      if let count { return min(count, limit) }
    }
    var count: Int64 = 0
    var place = first
    while count < limit, let due = self.first(after: place, &meter), due.instant <= last {
      count += 1
      place = due.instant
    }
    return count
  }

  /// Where an occurrence with this k is, if there is one.
  private func instant(ofElapsed k: Int64) -> Instant? {
    guard let wall = series.wall(key: key(of: k)) else { return nil }
    if case .skipped(_, _, let change) = zone.resolve(wall: wall), plan.gap == .next {
      return change
    }
    let instants = zone.instants(ofWall: wall)
    return plan.isLastPass(k) ? instants.last : instants.first
  }

  /// Which pass an occurrence takes of a wall clock that exists twice, the first time at `first`: of a
  /// start in the last pass, and of what follows it there, the first one lies before the start.
  func overlap(of wall: Instant, first: Instant) -> OverlapPolicy {
    guard let lastPassStart, wall >= lastPassStart.wall, first < lastPassStart.instant else {
      return plan.overlap
    }
    return .last
  }

  /// k of what the series calls so; `first`: its wall clock was shown then already, and this is its
  /// last pass.
  func k(of key: Int64, after first: Instant?) -> Int64 {
    if plan.tellsPassesApart { return key << 1 | (first == nil ? 0 : 1) }
    guard tellsLastPass, let first, let change = zone.transition(after: first) else { return key }
    return LastPass.k(wall: key, end: change.instant.second + Int64(change.before.offset))
  }

  /// The series' name of what k names.
  func key(of k: Int64) -> Int64 { plan.key(of: k) }
}

extension RepeatPlan {
  /// T5: units of an hour and below.
  var countsElapsedTime: Bool {
    if case .unit(let unit, _) = pattern { return !unit.isDayOrLonger }
    return false
  }

  /// T5: RRULEs of an hour and below, one at least.
  var countsElapsedRule: Bool {
    rules.contains { $0.frequency < .daily }
  }

  /// Whether k is doubled, so that both passes of a wall clock have one of their own.
  var tellsPassesApart: Bool {
    overlap == .both && !countsElapsedTime
  }

  /// Whether k says so itself.
  func isLastPass(_ k: Int64) -> Bool {
    tellsPassesApart ? k & 1 == 1 : LastPass.has(k)
  }

  /// The series' name of an anchor: a unit's index, a rule's whole second.
  fileprivate func key(of anchor: Instant) -> Int64 {
    guard !rules.isEmpty else { return 0 }
    return floorDivide(anchor.nanoseconds, Nanoseconds.second)
  }

  /// What `Timetable.key(of:)` says.
  func key(of k: Int64) -> Int64 {
    if tellsPassesApart { return k >> 1 }
    return LastPass.has(k) ? LastPass.wall(of: k) : k
  }
}
