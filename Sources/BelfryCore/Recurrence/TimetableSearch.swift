/// From wall clocks to instants. Between changes of the clocks one order is the other; about a
/// change, wall clocks that do not exist or exist twice are put where the policies say.
extension Timetable {
  /// Offsets are smaller than this (RFC 8536, 3.2).
  static let farthest = 26 * Nanoseconds.hour

  /// The first occurrence at `start` or later.
  func search(from start: Instant, _ meter: inout StepMeter) -> Due? {
    if zone === ZoneRules.utc {
      return series.first(onOrAfter: start, &meter).map { due($0, $0.wall, []) }
    }
    guard let elapsed else { return searchWalls(from: start, &meter) }
    // The fraction may already be over in the second of `start`.
    let isOver = floorModulo(start.nanoseconds, Nanoseconds.second) > fraction
    let second = start.second + (isOver ? 1 : 0)
    let own = elapsed.first(onOrAfter: second, &meter).map { due(elapsed, $0) }
    guard !meter.isSpent, !plan.rdates.isEmpty,
      let added = searchWalls(from: start, &meter)
    else { return own }
    guard var own, own.instant <= added.instant else { return added }
    if own.instant == added.instant, !added.isInPlace { own.because.insert(.merged) }
    return own
  }

  /// The same of what is a wall clock first.
  private func searchWalls(from start: Instant, _ meter: inout StepMeter) -> Due? {
    var wall = lowestWall(from: start)
    var moved: Due?
    while let occurrence = series.first(onOrAfter: wall, &meter) {
      let place = place(occurrence, from: start, &meter)
      wall = max(place.goOn, occurrence.wall.advanced(by: 1))
      guard let due = place.due else { continue }
      if let moved { return Self.earlier(moved, due) }
      if place.isFinal { return due }
      // Something that is not moved may still be due before it.
      moved = due
    }
    return moved
  }

  /// All instants of one occurrence that the policies keep, in order.
  func passes(of occurrence: WallSeries.Occurrence) -> [Due] {
    var found: [Due] = []
    var start = Instant.distantPast
    var meter = StepMeter()
    while let due = place(occurrence, from: start, &meter).due {
      found.append(due)
      guard due.instant < .distantFuture else { break }
      start = due.instant.advanced(by: 1)
    }
    return found
  }

  /// What can be due at `start` or later shows this or later.
  private func lowestWall(from start: Instant) -> Instant {
    var lowest = zone.wall(at: start)
    var place = start.advanced(by: -Self.farthest)
    let end = start.advanced(by: Self.farthest)
    while let change = zone.transition(after: place), change.instant <= end {
      place = change.instant
      let length = Int64(change.after.offset - change.before.offset) * Nanoseconds.second
      if change.instant <= start {
        // What was shifted over the gap lies as far behind it.
        if length > 0, start.nanoseconds(since: change.instant) < length {
          lowest = min(lowest, start.advanced(seconds: change.before.offset))
        }
      } else if plan.overlap != .first || plan.startsInLastPass,
        change.instant.nanoseconds(since: start) <= -length
      {
        // In the first pass: the last one of all that is shown twice is still to come.
        lowest = min(lowest, change.instant.advanced(seconds: change.after.offset))
      }
    }
    return lowest
  }

  /// Where an occurrence is due at `start` or later.
  private struct Place {
    /// nil: nowhere.
    var due: Due?
    /// None of a later wall clock is due sooner.
    var isFinal = true
    /// What of later wall clocks can be due sooner, or at all, shows this or later.
    var goOn = Instant.distantPast
  }

  private func place(
    _ occurrence: WallSeries.Occurrence, from start: Instant, _ meter: inout StepMeter
  ) -> Place {
    switch zone.resolve(wall: occurrence.wall) {
    case .once(let instant):
      guard instant >= start else { return Place(goOn: zone.wall(at: start)) }
      return Place(due: due(occurrence, instant, []))
    case .skipped(let before, let after, let change):
      let behind = max(change, start).advanced(seconds: after)
      guard let due = overGap(occurrence, before: before, after: after, change, &meter),
        due.instant >= start
      else { return Place(goOn: plan.gap == .shift ? .distantPast : behind) }
      return Place(due: due, isFinal: false, goOn: behind)
    case .twice(let first, let last):
      let overlap = overlap(of: occurrence.wall, first: first)
      if overlap != .last, first >= start {
        return Place(due: due(occurrence, first, .firstPass))
      }
      if overlap != .first, last >= start {
        return Place(
          due: due(occurrence, last, .lastPass), isFinal: plan.overlap == .last,
          goOn: zone.wall(at: start))
      }
      // In the first pass others of it may still come.
      guard overlap == .first, let change = zone.transition(after: first),
        start >= change.instant
      else { return Place() }
      let end = change.instant.advanced(seconds: change.before.offset)
      // The start itself may still come in this pass.
      guard let start = lastPassStart?.wall, start > occurrence.wall else {
        return Place(goOn: end)
      }
      return Place(goOn: min(end, start))
    }
  }

  /// nil: it does not happen.
  private func overGap(
    _ occurrence: WallSeries.Occurrence, before: Int32, after: Int32, _ change: Instant,
    _ meter: inout StepMeter
  ) -> Due? {
    let shifted = occurrence.wall.advanced(seconds: -before)
    switch plan.gap {
    case .skip: return nil
    // An instant can name its own wall clock only as RFC 5545 reads it: shifted. What the rule itself has
    // there is meant first.
    case _
    where isTakenOut(shifted)
      && (plan.gap == .shift || !series.gives(zone.wall(at: shifted), &meter)):
      return nil
    case .shift: return due(occurrence, shifted, .gapShifted)
    case .next where isTakenOut(change): return nil
    case .next:
      // All of the gap come to one instant; the first stands for them.
      let start = change.advanced(seconds: before)
      guard let first = series.first(onOrAfter: start, &meter), first.key == occurrence.key else {
        return nil
      }
      var due = due(occurrence, change, .gapNext)
      let end = change.advanced(seconds: after)
      let next = series.first(onOrAfter: occurrence.wall.advanced(by: 1), &meter)
      if let next, next.wall < end {
        due.because.insert(.merged)
      }
      return due
    }
  }

  /// T6: an EXDATE that names the instant to which a wall clock in a gap is moved.
  private func isTakenOut(_ moved: Instant) -> Bool {
    guard !plan.exdates.isEmpty else { return false }
    let second = floorDivide(zone.wall(at: moved).nanoseconds, Nanoseconds.second)
    return plan.exdates.contains { floorDivide($0.nanoseconds, Nanoseconds.second) == second }
  }

  private func due(
    _ occurrence: WallSeries.Occurrence, _ instant: Instant, _ because: Due.Because
  ) -> Due {
    let first =
      because.contains(.lastPass) ? zone.instants(ofWall: occurrence.wall).first : nil
    let k = k(of: occurrence.key, after: first)
    return Due(k: k, instant: instant, because: occurrence.because.union(because))
  }

  private func due(_ elapsed: ElapsedRule, _ second: Int64) -> Due {
    let instant = Instant(second: second, nanosecond: fraction)
    let wall = zone.wall(at: instant)
    guard case .twice(let first, _) = zone.resolve(wall: wall) else {
      return Due(k: k(of: wall.second, after: nil), instant: instant)
    }
    let isFirst = instant == first
    return Due(
      k: k(of: wall.second, after: isFirst ? nil : first), instant: instant,
      because: isFirst ? .firstPass : .lastPass)
  }

  /// The earlier of one that was moved and one of a later wall clock; at the same instant the one
  /// that was not moved, for both.
  private static func earlier(_ moved: Due, _ due: Due) -> Due {
    guard moved.instant == due.instant else { return moved.instant < due.instant ? moved : due }
    var due = due.isInPlace ? due : moved
    due.because.insert(.merged)
    return due
  }
}

extension Timetable {
  /// The earlier of what two rules give; at the same instant one of them, for both (E5).
  static func union(_ one: Due, _ other: Due) -> Due {
    guard one.instant == other.instant else { return one.instant < other.instant ? one : other }
    var due = one
    guard one.k != other.k else {
      // One of them gives it plainly.
      due.because.formIntersection(other.because)
      return due
    }
    if one.isInPlace != other.isInPlace {
      due = one.isInPlace ? one : other
    } else if LastPass.isBefore(other.k, one.k) {
      due = other
    }
    due.because.insert(.merged)
    return due
  }
}

extension Timetable {
  /// Whether the clocks neither change from one instant to the other, nor so shortly before that what
  /// they have moved may still come: then the order is that of k.
  func isInOrder(from first: Instant, to last: Instant) -> Bool {
    let zone = shift?.zone ?? zone
    var place = first.advanced(by: -Self.farthest)
    while let change = zone.transition(after: place), change.instant <= last {
      place = change.instant
      let length = Int64(abs(change.after.offset - change.before.offset)) * Nanoseconds.second
      if change.instant.advanced(by: length) > first { return false }
    }
    return true
  }
}

extension Due {
  /// No gap has moved it.
  fileprivate var isInPlace: Bool { because.isDisjoint(with: [.gapShifted, .gapNext]) }
}

extension ZoneRules {
  /// When the clocks show `wall`, first and last; one that does not exist is shifted by the gap.
  func instants(ofWall wall: Instant) -> (first: Instant, last: Instant) {
    switch resolve(wall: wall) {
    case .once(let instant): return (instant, instant)
    case .twice(let first, let last): return (first, last)
    case .skipped(let before, _, _):
      let shifted = wall.advanced(seconds: -before)
      return (shifted, shifted)
    }
  }

  /// The anchor of what counts elapsed time (T5), which neither skips nor doubles.
  func instant(ofWall wall: Instant, isLast: Bool) -> Instant {
    let instants = instants(ofWall: wall)
    return isLast ? instants.last : instants.first
  }

  /// The end of what counts elapsed time: what begins in the last pass does not end before it.
  func end(ofWall wall: Instant, isLast: Bool, start: Instant) -> Instant {
    let instants = instants(ofWall: wall)
    return isLast || instants.first < start ? instants.last : instants.first
  }
}

extension Instant {
  fileprivate func advanced(seconds: Int32) -> Instant {
    advanced(by: Int64(seconds) * Nanoseconds.second)
  }
}
