/// Everything that is paused, or is to be (E1): by notification, by app, and all at once.
struct PauseList {
  /// Most spans of one scope (A2).
  static let most = 16
  /// A span is kept so long after its end: what was due in it may be late.
  private static let kept = 30 * Nanoseconds.day

  private var everything: [StoredPause] = []
  private var apps: [AppNumber: [StoredPause]] = [:]
  private var slots: [Slot: [StoredPause]] = [:]
  private var lastNumber: Int64 = 0

  /// Nothing was ever paused, or nothing is any more.
  var isEmpty: Bool { everything.isEmpty && apps.isEmpty && slots.isEmpty }

  /// All of them, in the order of pausing.
  var all: [StoredPause] {
    (everything + apps.values.flatMap { $0 } + slots.values.flatMap { $0 })
      .sorted { $0.number < $1.number }
  }

  /// So many notifications are paused by name.
  var notificationCount: Int { slots.count }

  // MARK: Looking

  /// Those that a notification has to obey; `isCritical`: only those by its name (E1).
  func concerning(_ slot: Slot?, of app: AppNumber, isCritical: Bool) -> [StoredPause] {
    if isEmpty { return [] }
    let own = slot.flatMap { slots[$0] } ?? []
    if isCritical { return own }
    return own + (apps[app] ?? []) + everything
  }

  /// The one that an app obeys at an instant; nil: it is not paused then.
  func pause(of app: AppNumber, at instant: Instant) -> StoredPause? {
    if isEmpty { return nil }
    return ((apps[app] ?? []) + everything).last(at: instant)
  }

  /// What is paused at an instant by itself, whatever becomes of everything, in words; nil: nothing.
  func ownPauses(at instant: Instant) -> String? {
    let ofApps = Int64(apps.values.count { $0.contains { $0.contains(instant) } })
    let byName = Int64(slots.values.count { $0.contains { $0.contains(instant) } })
    var parts: [String] = []
    if ofApps > 0 { parts.append(counted(ofApps, "app")) }
    if byName > 0 { parts.append(counted(byName, "notification")) }
    if parts.isEmpty { return nil }
    return parts.joined(separator: " and ")
      + (ofApps + byName == 1 ? " is paused by itself" : " are paused by themselves")
  }

  // MARK: Pausing

  /// Adds a span to its scope, and returns the one that holds: with those that it joins it is one.
  /// It throws where the scope has too many.
  @discardableResult
  mutating func pause(
    _ scope: StoredPause.Scope, from: Instant, until: Instant?, _ turn: inout Turn
  ) throws(RequestError) -> StoredPause {
    var pause = StoredPause(number: lastNumber + 1, scope: scope, from: from, until: until)
    var spans = self[scope]
    if let wider = spans.first(where: { $0.covers(pause) }) { return wider }
    let joined = spans.filter { $0.joins(pause) }
    spans.removeAll { $0.joins(pause) }
    guard spans.count < Self.most else {
      throw .limitReached(limit: "pauses", value: Int64(Self.most))
    }
    for old in joined {
      pause.from = min(pause.from, old.from)
      if let until = pause.until { pause.until = old.until.map { max($0, until) } }
    }
    // One that grows is still the same to the history.
    if let first = joined.first { pause.number = first.number }
    for old in joined.dropFirst() { turn.record(.resume(old.number, app: scope.app)) }
    lastNumber = max(lastNumber, pause.number)
    self[scope] = spans + [pause]
    turn.record(.pause(pause))
    return pause
  }

  /// Whether one more span fits.
  func canPause(_ scope: StoredPause.Scope, from: Instant, until: Instant?) -> Bool {
    let pause = StoredPause(number: 0, scope: scope, from: from, until: until)
    let spans = self[scope]
    return spans.contains { $0.covers(pause) } || spans.count { !$0.joins(pause) } < Self.most
  }

  /// Ends what is paused by this scope, and what is to be; how many spans that were not over.
  mutating func resume(_ scope: StoredPause.Scope, _ turn: inout Turn) -> Int64 {
    let spans = self[scope]
    self[scope] = []
    for span in spans { turn.record(.resume(span.number, app: scope.app)) }
    return Int64(spans.count { $0.until ?? .distantFuture > turn.now.real })
  }

  // MARK: Start and end

  /// Takes in one of the store.
  mutating func restore(_ pause: StoredPause) {
    lastNumber = max(lastNumber, pause.number)
    self[pause.scope].append(pause)
  }

  /// Forgets the spans that ended long ago.
  mutating func prune(_ turn: inout Turn) {
    let past = turn.now.real.advanced(by: -Self.kept)
    for old in all where old.until ?? .distantFuture < past {
      self[old.scope].removeAll { $0.number == old.number }
      turn.record(.resume(old.number, app: old.scope.app))
    }
  }

  /// A notification has left the list for good.
  mutating func leave(_ slot: Slot, _ turn: inout Turn) {
    if slots.isEmpty { return }
    for pause in slots.removeValue(forKey: slot) ?? [] {
      turn.record(.resume(pause.number, app: pause.scope.app))
    }
  }

  /// An app has gone; the store forgets its own.
  mutating func forget(_ app: AppNumber) {
    apps[app] = nil
    for (slot, spans) in slots {
      if case .notification(app, _, _)? = spans.first?.scope { slots[slot] = nil }
    }
  }

  private subscript(scope: StoredPause.Scope) -> [StoredPause] {
    get {
      switch scope {
      case .everything: everything
      case .app(let app): apps[app] ?? []
      case .notification(_, let slot, _): slots[slot] ?? []
      }
    }
    set {
      switch scope {
      case .everything: everything = newValue
      case .app(let app): apps[app] = newValue.isEmpty ? nil : newValue
      case .notification(_, let slot, _): slots[slot] = newValue.isEmpty ? nil : newValue
      }
    }
  }
}
