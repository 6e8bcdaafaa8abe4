@testable import BelfryCore

/// A span of time in which something is paused (E1).
struct PromisedPause: Hashable {
  enum Scope: Hashable {
    case everything
    case app(String)
    case one(UUIDBits)
  }

  var number: Int64
  var scope: Scope
  var from: Instant
  var until: Instant?

  func contains(_ instant: Instant) -> Bool {
    from <= instant && instant < until ?? .distantFuture
  }

  func covers(_ other: PromisedPause) -> Bool {
    scope == other.scope && from <= other.from
      && other.until ?? .distantFuture <= until ?? .distantFuture
  }

  func concerns(_ app: String, _ uuid: UUIDBits) -> Bool {
    switch scope {
    case .everything: true
    case .app(let own): own == app
    case .one(let own): own == uuid
    }
  }
}

/// Skips of one notification (E2), by k.
struct PromisedSkips {
  /// What must not ring.
  var ahead: Set<Int64>
  /// What may be passed over, also when it comes once more (T8).
  var all: Set<Int64>
}

/// What is paused and skipped does not ring, all else does (E1, E2, E7).
extension Ledger {
  private static let mostPassed = 2000
  /// No life goes on for so long.
  private static let end = LifeShape.start.advanced(by: 100 * 366 * Nanoseconds.day)

  private func isPaused(_ promise: Promise, at due: Instant) -> Bool {
    pauses.contains { $0.contains(due) && $0.concerns(promise.name.app, promise.uuid) }
  }

  func isPaused(_ app: String, _ uuid: UUIDBits) -> Bool {
    pauses.contains { $0.concerns(app, uuid) }
  }

  func hasExceptions(_ promise: Promise) -> Bool {
    isPaused(promise.name.app, promise.uuid) || skips[promise.uuid] != nil
      || promise.notification.goesByDays
  }

  private func mustPass(_ promise: Promise, _ k: Int64, _ due: Instant) -> Bool {
    isPaused(promise, at: due) || skips[promise.uuid]?.ahead.contains(k) ?? false
      || verdict(promise, k) != .rings
  }

  private func mayPass(_ promise: Promise, _ k: Int64, _ due: Instant) -> Bool {
    isPaused(promise, at: due) || skips[promise.uuid]?.all.contains(k) ?? false
      || verdict(promise, k) != .rings
      || promise.purpose != nil && promise.notification.goesByDays
  }

  /// It has fired.
  func checkPassing(_ promise: Promise, _ firing: Firing) {
    guard mustPass(promise, firing.id.k, firing.due) else { return }
    let isSkipped = skips[promise.uuid]?.ahead.contains(firing.id.k) ?? false
    let rule =
      isPaused(promise, at: firing.due) ? "E1 paused" : isSkipped ? "E2 skipped" : "E3 day off"
    fail(rule, "\(firing.text) rings, and must not")
  }

  /// The first after k that need not be passed over; nil: none, none through `last`, or none among so
  /// many that nobody lives to see the end of it.
  func nextRinging(
    _ promise: Promise, after k: Int64, through last: Instant = .distantFuture
  ) -> (k: Int64, due: Instant)? {
    // From there on nothing rings.
    let end = pauses.filter { $0.until == nil && $0.concerns(promise.name.app, promise.uuid) }
      .map { $0.from }.min()
    var next = promise.oracle.next(after: k)
    var count = 0
    while let one = next, mayPass(promise, one.k, one.due) {
      count += 1
      if one.due > min(last, Self.end) || count > Self.mostPassed { return nil }
      if let end, one.due >= end { return nil }
      next = promise.oracle.next(after: one.k)
    }
    return next
  }

  func dropSkips(of promise: Promise, through k: Int64) {
    guard let skips = skips[promise.uuid] else { return }
    self.skips[promise.uuid]!.ahead = skips.ahead.filter { $0 > k }
    answeredSkips[promise.uuid] = answeredSkips[promise.uuid]?.filter { $0 > k }
  }

  /// Occurrences were passed over: each of them had to be, and had come.
  func passedOver(_ event: WatchEvent, _ id: OccurrenceID) {
    let name = PromiseName(app: event.app, identifier: event.identifier)
    guard let promise = promise(id, name), id.generation >= promise.generation,
      id.generation > promise.generation || id.k > promise.lastK
    else { return }
    let due = event.due ?? now.real
    var what: String { "\(name.identifier) \(id.text) due \(RFC3339.text(due))" }
    passes += 1
    if due > now.real { fail("E1 early", "\(what) is passed over before it is due") }
    if !clock.lets(promise, at: now) { fail("T9 held", "\(what) is passed over while it is held") }
    if promise.notification.fireIn == nil, !promise.mayBeDue(id.k, at: due, now: now) {
      fail("T4 due", "\(what) is passed over, and not due then")
    }
    if id.generation != promise.generation, promise.mayReplanAt == nil {
      fail("T8 twice", "\(what) is passed over, planned afresh without cause")
    }
    var one: (k: Int64, due: Instant)? = (id.k, due)
    for _ in 0...event.missed {
      guard let passed = one, id.generation > promise.generation || passed.k > promise.lastK else {
        fail("E1 missed", "\(what) says \(event.missed) others after k \(promise.lastK)")
        break
      }
      if !mayPass(promise, passed.k, passed.due) {
        fail("E1 silent", "\(what) passes over k \(passed.k), which nobody paused or skipped")
      }
      one = promise.oracle.last(through: passed.k - 1)
    }
    if promise.notification.repeatInterval != .second { unwrittenPasses[id.uuid] = id.k }
    promise.pass(to: id, at: now, isSynchronised: clock.isSynchronised)
    dropSkips(of: promise, through: id.k)
    if promise.oracle.next(after: id.k) == nil { end(name) }
  }

  /// The history has heard of it, or will.
  func recordsPass(_ row: HistoryRow) {
    let id = row.occurrence
    if let k = unwrittenPasses[id.uuid], id.k >= k { unwrittenPasses[id.uuid] = nil }
  }

  func checkPassRecords() {
    if let (uuid, k) = unwrittenPasses.first {
      fail("E1 history", "k \(k) of \(uuid.text) was skipped, and the history never hears of it")
    }
  }

  /// Answers may come in another order than the requests: what was asked last counts.
  func isNewest(_ request: RequestID, of scope: PromisedPause.Scope) -> Bool {
    if pauseRequests[scope] ?? 0 > request { return false }
    pauseRequests[scope] = request
    return true
  }

  // MARK: What is told

  /// N18: what is listed as next is what rings next.
  func checkRinging(_ promise: Promise, _ row: ListedNotification) {
    guard promise.mayReplanAt == nil, promise.mustReplanAt == nil, promise.purpose == nil,
      promise.notBefore == nil
    else { return }
    let identifier = promise.name.identifier
    // What would have to be gone through second by second is left alone.
    if promise.notification.repeatInterval == .second { return }
    let expected = nextRinging(promise, after: promise.lastK)
    guard let next = row.next else {
      // More runs than are told apart: then it says nothing.
      if let expected, !promise.isOver(at: expected.due), row.passed.count < 32,
        expected.due > now.real
      {
        fail("E2 next", "\(identifier) has no next, and rings at \(RFC3339.text(expected.due))")
      }
      return
    }
    let k = promise.oracle.newest(from: promise.lastK, notAfter: next)
    guard promise.oracle.due(k) == next, !mustPass(promise, k, next) else {
      return fail("E2 next", "\(identifier) is said to ring at \(RFC3339.text(next)), k \(k)")
    }
    guard let expected else {
      if promise.oracle.count(after: promise.lastK, before: k) > Self.mostPassed { return }
      return fail("E2 next", "\(identifier) has nothing to come, not \(RFC3339.text(next))")
    }
    // What has come may be folded into a newer one.
    if next != expected.due, expected.due > now.real || next < expected.due {
      fail(
        "E2 next",
        "\(identifier) is said to ring at \(RFC3339.text(next)), not at "
          + RFC3339.text(expected.due))
    }
  }

  /// Every occurrence of some runs, by what comes after what.
  func set(_ runs: [SkipSet.Run], of uuid: UUIDBits) {
    guard !runs.isEmpty, let promise = pending.values.first(where: { $0.uuid == uuid }) else {
      skips[uuid] = nil
      return
    }
    var ks: Set<Int64> = []
    for run in runs {
      var one = promise.oracle.last(through: run.first)
      for place in 0..<run.count {
        guard let known = one else { break }
        if place == 0, known.k != run.first { break }
        ks.insert(known.k)
        one = promise.oracle.next(after: known.k)
      }
    }
    skips[uuid] = PromisedSkips(ahead: ks.filter { $0 > promise.lastK }, all: ks)
  }

  // MARK: Crashes

  /// What was answered is in the books; `isOpen`: a request that was not may have changed it.
  func checkKept(isOpen: (PromisedPause.Scope) -> Bool, isTouched: (PromiseName) -> Bool) {
    for pause in answeredPauses where pause.until ?? .distantFuture > now.real {
      if isOpen(pause.scope) { continue }
      if case .one(let uuid) = pause.scope {
        guard let promise = pending.values.first(where: { $0.uuid == uuid }),
          !isTouched(promise.name)
        else { continue }
      }
      if !pauses.contains(where: { $0.covers(pause) }) {
        fail("E1 lost", "the pause \(pause) was answered and is not in the books")
      }
    }
    for (uuid, ks) in answeredSkips {
      guard let promise = pending.values.first(where: { $0.uuid == uuid }),
        !isTouched(promise.name), !isOpen(.one(uuid))
      else { continue }
      let lost = ks.filter { $0 > promise.lastK }
        .subtracting(skips[uuid]?.all ?? [])
      if let k = lost.min() {
        fail("E2 lost", "the skip of k \(k) of \(promise.name.identifier) is not in the books")
      }
    }
    answeredPauses = pauses.filter { pause in
      answeredPauses.contains { pause.covers($0) }
    }
    answeredSkips = answeredSkips.compactMapValues { $0.isEmpty ? nil : $0 }
    for (uuid, ks) in answeredSkips {
      answeredSkips[uuid] = ks.intersection(skips[uuid]?.all ?? [])
    }
    unwrittenPasses = [:]
  }
}
