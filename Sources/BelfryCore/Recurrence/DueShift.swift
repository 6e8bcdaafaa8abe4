/// From occurrences to what they are due (E4), in the order of the latter.
///
/// Between changes of the clocks every due lies equally far from its occurrence. About a change
/// the order may be another one, and two occurrences may be due at one instant: days are counted on
/// the wall, where an hour is missing or comes twice. Then the one whose wall clock exists stands for
/// both, else the earlier.
struct DueShift: Sendable {
  let offset: DueOffset
  /// That whose clocks the days are counted by.
  let zone: ZoneRules

  /// nil: there is none.
  init?(_ offset: DueOffset, zone: ZoneRules) {
    guard !offset.isNone else { return nil }
    self.offset = offset
    self.zone = zone
  }

  /// Every due lies equally far from its occurrence, so the order is one.
  var isPlain: Bool { offset.days == 0 || zone === ZoneRules.utc }

  /// When the occurrence at an instant is due.
  func due(of occurrence: Instant) -> Instant { place(of: occurrence).due }

  /// Whatever is due through then is an occurrence through `instant`.
  func due(ofAllThrough instant: Instant) -> Instant {
    isPlain
      ? instant.advanced(by: offset.plainLength) : lowestDue(after: instant).advanced(by: -1)
  }

  /// The occurrence that is due later than `instant`, before all others that are; `next` finds the
  /// first occurrence later than an instant. nil also where `meter` was spent.
  func first(
    after instant: Instant, _ meter: inout StepMeter,
    next: (Instant, inout StepMeter) -> Due?
  ) -> Due? {
    if isPlain {
      let start = instant.advanced(by: -offset.plainLength)
      return next(start, &meter).flatMap { shifted($0) }
    }
    // All occurrences through here are due at `instant` or before.
    var place = instant.advanced(by: -offset.plainLength).advanced(by: -Self.farthest)
    var best: Due?
    while meter.take() {
      if let best, lowestDue(after: place) > best.instant { return best }
      let stretch = stretch(at: place.advanced(by: 1))
      let from = max(place, instant.advanced(by: -stretch.length))
      if from < stretch.last {
        guard let found = next(from, &meter) else { return meter.isSpent ? nil : best }
        if found.instant <= stretch.last {
          best = Self.earlier(best, shifted(found))
          place = stretch.last
        } else {
          place = found.instant.advanced(by: -1)
        }
      } else {
        place = stretch.last
      }
      if place >= Instant.distantFuture.advanced(by: -1) { return best }
    }
    return nil
  }

  /// The occurrence with its due; nil: that never comes.
  func shifted(_ occurrence: Due) -> Due? {
    let (due, isMoved) = place(of: occurrence.occurrence)
    guard due < .distantFuture else { return nil }
    var shifted = occurrence
    shifted.instant = due
    if isMoved { shifted.because.insert(.offsetMoved) }
    return shifted
  }

  // MARK: Stretches

  /// Occurrences whose dues lie equally far from them.
  private struct Stretch {
    var length: Int64
    /// The last instant that belongs to it.
    var last: Instant
  }

  /// Offsets are within 26 hours (RFC 8536, 3.2), so no due is moved by more than this.
  private static let farthest = 54 * Nanoseconds.hour

  /// No occurrence that is later than `place` is due sooner.
  private func lowestDue(after place: Instant) -> Instant {
    place.advanced(by: offset.plainLength).advanced(by: -Self.farthest)
  }

  /// That which begins at `start`, or before it.
  private func stretch(at start: Instant) -> Stretch {
    let length = due(of: start).nanoseconds(since: start)
    var end = zone.transition(after: start)?.instant ?? .distantFuture
    // Its due shows a change's wall clock when the occurrence shows it so many days before.
    let days = offset.days * Nanoseconds.day
    let shown = Int64(zone.offset(at: start)) * Nanoseconds.second
    let middle = start.advanced(by: days)
    var place = middle.advanced(by: -Self.farthest)
    while let change = zone.transition(after: place) {
      place = change.instant
      for after in [change.before.offset, change.after.offset] {
        let wall = change.instant.advanced(by: Int64(after) * Nanoseconds.second)
        let border = wall.advanced(by: -days).advanced(by: -shown)
        if border > start { end = min(end, border) }
      }
      if place > middle.advanced(by: Self.farthest) { break }
    }
    return Stretch(length: length, last: end.advanced(by: -1))
  }

  /// `isMoved`: its wall clock does not exist, and it is later by the gap.
  private func place(of occurrence: Instant) -> (due: Instant, isMoved: Bool) {
    guard !isPlain else { return (occurrence.advanced(by: offset.plainLength), false) }
    let wall = zone.wall(at: occurrence).advanced(by: offset.days * Nanoseconds.day)
    var isMoved = false
    if case .skipped = zone.resolve(wall: wall) { isMoved = true }
    let day = zone.instants(ofWall: wall).first
    return (day.advanced(by: offset.seconds * Nanoseconds.second), isMoved)
  }

  private static func earlier(_ found: Due?, _ other: Due?) -> Due? {
    guard var found else { return other }
    guard let other else { return found }
    guard found.instant == other.instant else {
      return found.instant < other.instant ? found : other
    }
    let isMoved = found.because.contains(.offsetMoved)
    if isMoved, !other.because.contains(.offsetMoved) { found = other }
    found.because.insert(.merged)
    return found
  }
}
