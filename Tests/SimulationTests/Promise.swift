import BelfryCore
import SchedulerFixtures

struct PromiseName: Hashable {
  var app: String
  var identifier: String
}

/// What an answered request has promised, as a client may understand it.
final class Promise {
  let name: PromiseName
  let uuid: UUIDBits
  var generation: Int64
  var notification: Notification
  var oracle: DueOracle
  /// Order of scheduling (N21).
  var order: Int
  /// The request that made it; 0: not known.
  var request: RequestID = 0
  /// When it was answered.
  let enteredAt: Instant
  let purpose: RelativeTime.Purpose?
  /// Due on the elapsed clock of the boot, for relative ones and those at once (T9, N2).
  var elapsedDue: Int64?
  /// Between these it was scheduled, on the elapsed clock of the boot, or taken over from another;
  /// for those whose date was past by a clock that nobody trusts (N2, T9).
  var notBefore: ClosedRange<Int64>?
  /// Of a relative one that goes by the time that remained: the latest that may be (T9).
  var elapsedLatest: Int64?
  /// It was made by a synchronised clock.
  var isByGoodClock = false
  /// In another boot.
  var isFromBefore = false
  /// Of one with a region (R1).
  var side = RegionSide.unknown { didSet { fixes = [] } }
  /// Since that was last changed, or a start forgot them.
  var fixes: [SideOracle.Fix] = []
  /// The newest k that fired or was dropped.
  var lastK: Int64
  /// The newest that was not passed over (E1, E2): later ones may be missed (T10).
  var lastRung: Int64
  /// When that was, and what the clock was then.
  var firedAt: ClockReading?
  /// The same of the newest that was not passed over.
  var rangAt: ClockReading?
  /// Its zone has had other rules since (T7), or the board is in another (T2): what lies ahead now need
  /// not have when it fired.
  private var hasMoved = false
  var wasSynchronised = false
  /// The step back after which it may, and after which it must, be planned afresh (T8).
  var mayReplanAt: Instant?
  var mustReplanAt: Instant?
  /// It was seen to be late then, on the elapsed clock, and so many others had fired late (T10).
  var late: (at: Int64, turns: TurnCount)?
  /// The clock has gone back since it fired.
  private var isStepped = false

  init(
    _ name: PromiseName, _ row: (uuid: UUIDBits, generation: Int64), _ notification: Notification,
    _ oracle: DueOracle, purpose: RelativeTime.Purpose?, lastK: Int64, order: Int,
    at instant: Instant
  ) {
    self.purpose = purpose
    self.name = name
    self.uuid = row.uuid
    self.generation = row.generation
    self.notification = notification
    self.oracle = oracle
    self.lastK = lastK
    lastRung = lastK
    self.order = order
    enteredAt = instant
  }

  var repeats: Bool { notification.repeats }
  /// T12: so much later than its due it may come.
  var tolerance: Int64 { notification.tolerance }

  /// Goes by no clock that can be wrong (T9, N2).
  var isUnheld: Bool {
    notification.fireIn != nil || purpose == .atOnce || notification.region != nil
  }

  /// Whether occurrence k may be due then, `now` being what the clocks say.
  func mayBeDue(_ k: Int64, at due: Instant, now: ClockReading) -> Bool {
    guard let expected = oracle.due(k) else { return false }
    guard let window = dueWindow(expected, now: now) else { return due == expected }
    return window.contains(due)
  }

  /// What moves less than a millisecond is the time between two readings of the clocks, and no step: the
  /// due was counted by clocks up to so much to one side of those last noted, and is looked at by
  /// clocks up to so much to the other.
  static let unseenStep = 2 * Nanoseconds.millisecond

  /// N19: what is due then is not shown, since it has expired.
  func isOver(at due: Instant) -> Bool { notification.expires.map { $0 < due } ?? false }

  /// When what is expected then may be due, where that depends on when it was scheduled.
  func dueWindow(_ expected: Instant, now: ClockReading) -> ClosedRange<Instant>? {
    func real(_ elapsed: Int64) -> Instant { now.real.advanced(by: elapsed - now.elapsed) }
    let slack = Promise.unseenStep
    if let notBefore {
      return max(
        expected, real(notBefore.lowerBound - slack))...max(
          expected, real(notBefore.upperBound + slack))
    }
    if purpose == .atOnce, let elapsedDue {
      return (isFromBefore ? .distantPast : real(elapsedDue - slack))...real(elapsedDue + slack)
    }
    return nil
  }

  /// A process has started; `died`: when the last boot ended, if this is another.
  func restarted(died: Int64?, elapsed: Int64) {
    if let died {
      isFromBefore = true
      let left = elapsedDue.map { max(0, $0 - died) }
      elapsedDue = nil
      if purpose == .atOnce { elapsedDue = elapsed }
      if let length = notification.fireIn, !isByGoodClock, let left {
        (elapsedDue, elapsedLatest) = (elapsed + left, elapsed + length)
      }
      notBefore = notBefore.map { _ in elapsed...elapsed }
      firedAt = firedAt.map { ClockReading(real: $0.real, elapsed: -1) }
      rangAt = rangAt.map { ClockReading(real: $0.real, elapsed: -1) }
    } else if isFromBefore {
      // Its coming into this boot may not have been written down.
      if purpose == .atOnce { elapsedDue = elapsed }
      if let length = notification.fireIn, elapsedDue != nil { elapsedLatest = elapsed + length }
      notBefore = notBefore.map { $0.lowerBound...max($0.upperBound, elapsed) }
    }
  }

  /// The board's zone is another: the same occurrences may come at other instants, and what may
  /// be planned afresh is told by k (D7, T8).
  func move(to zone: ZoneRules?, at now: Instant) {
    let first = mayReplanAt.flatMap {
      oracle.next(after: oracle.newest(from: -1, notAfter: $0))?.k
    }
    // T6: where nothing was left to come it was finished, so that what lies behind it now is not owed.
    let isFinished = oracle.next(after: lastK) == nil
    oracle.zone = zone
    if isFinished { lastK = max(lastK, oracle.newest(from: lastK, notAfter: now)) }
    hasMoved = true
    if let first, let step = mayReplanAt { mayReplanAt = min(step, oracle.due(first) ?? step) }
  }

  /// The k that comes next by the clock as it is; nil: none ever.
  func next(at now: Instant) -> (k: Int64, due: Instant)? {
    let last = mustReplanAt.map { oracle.newest(from: lastK, notAfter: $0) } ?? lastK
    return oracle.next(after: last)
  }

  /// An occurrence fired or was dropped.
  func advance(to id: OccurrenceID, at now: ClockReading, isSynchronised: Bool) {
    pass(to: id, at: now, isSynchronised: isSynchronised)
    lastRung = id.k
    rangAt = now
  }

  /// An occurrence was passed over.
  func pass(to id: OccurrenceID, at now: ClockReading, isSynchronised: Bool) {
    generation = id.generation
    lastK = id.k
    firedAt = now
    wasSynchronised = isSynchronised
    mayReplanAt = nil
    mustReplanAt = nil
    isStepped = false
    hasMoved = false
    late = nil
  }

  /// The clock may have been set back, or be found to be behind what has fired.
  func noteStepBack(of step: Int64, at now: ClockReading, isSynchronised: Bool, isHeld: Bool) {
    guard repeats else { return }
    if step > 0 {
      // What had come and waited for its turn counts as fired.
      let seen = oracle.newest(from: lastK, notAfter: now.real.advanced(by: step))
      if let due = oracle.due(seen), due > now.real {
        mayReplanAt = min(mayReplanAt ?? now.real, now.real)
      }
    }
    let k = mustReplanAt.map { oracle.newest(from: lastK, notAfter: $0) } ?? lastK
    guard let last = oracle.last(through: k)?.due, last > now.real else { return }
    // What two readings of a clock lie apart is no step.
    let way = max(step, last.nanoseconds(since: now.real)) - 3 * Nanoseconds.hour
    let isFar = way > Nanoseconds.millisecond
    guard way > -Nanoseconds.millisecond || !isSynchronised || !wasSynchronised else { return }
    mayReplanAt = min(mayReplanAt ?? now.real, now.real)
    // After several steps it is one of several instants.
    // A floating one may lie ahead because the board has travelled.
    if isFar, !isHeld, notification.mode != .floating, !hasMoved || firedAhead(of: now) {
      mustReplanAt = mustReplanAt == nil && !isStepped ? now.real : nil
    }
    isStepped = true
  }

  /// The clock ran ahead when it fired, whatever its zone has come to since.
  private func firedAhead(of now: ClockReading) -> Bool {
    firedAt.map { $0.real > now.real.advanced(by: 3 * Nanoseconds.hour) } ?? false
  }
}

/// The clock's states by the words of T9.
struct ClockModel {
  var known = Instant.distantPast
  var trustAfter: Int64 = 0
  var isTrusted = false
  var isSynchronised = false

  /// Trust, once reached, holds.
  mutating func look(_ now: ClockReading) {
    if isSynchronised || (now.real >= known && now.elapsed >= trustAfter) { isTrusted = true }
  }

  func lets(_ promise: Promise, at now: ClockReading) -> Bool {
    if promise.isUnheld || isTrusted || isSynchronised { return true }
    return now.real >= known && promise.repeats
  }
}
