import BelfryCore

/// What a new process may find in the store (D7, D8, N15, N17).
extension Ledger {
  /// A new process has read the store. `touched`: what requests without an answer may have changed;
  /// `discards`: how many others their additions may have sent away from an app's list.
  func restarted(
    _ state: StoredState, touched: (PromiseName) -> Bool, discards: [String: Int],
    isActedOn: (PromiseName) -> Bool
  ) {
    // What has fired is open, and is not to come once more.
    let fired = Set(state.open.filter { $0.sinks != nil }.map { $0.occurrence.id })
    // So is what was snoozed anew.
    let newest = Dictionary(
      (fired + state.snoozes.map { $0.occurrence.id }).map { (unsnoozed($0), $0.snooze) },
      uniquingKeysWith: max)
    let snoozed = state.snoozes.filter { stored in
      let id = stored.occurrence.id
      return !fired.contains(id) && newest[unsnoozed(id)] == id.snooze
    }
    restartSnoozes(snoozed, fired: fired) { touched($0) || isActedOn($0) }
    restartAlerts(state.waiting)
    forgetApps(state)
    attemptsNow = [:]
    acknowledged = []
    newestHanded = [:]
    possiblyDelivered = Set(state.open.map { $0.occurrence.id })
    var missing = pending
    let apps = Dictionary(uniqueKeysWithValues: state.apps.map { ($0.number, $0.name) })
    for row in state.rows {
      let name = PromiseName(
        app: apps[row.app] ?? "", identifier: row.notification.identifier ?? "")
      missing[name] = nil
      take(row, name, isTouched: touched(name))
    }
    var left = discards
    for name in missing.values.sorted(by: { $0.order < $1.order }).map({ $0.name }) {
      let hasExpired = pending[name]?.notification.expires.map { $0 < now.real } ?? false
      if touched(name) || hasExpired {
        end(name)
      } else if let more = left[name.app], more > 0 {
        // N17: nobody is left to be told of it.
        left[name.app] = more - 1
        lostNotices += 1
        end(name)
      } else {
        fail("lost", "\(name.identifier) of \(name.app) was promised and is not in the books")
      }
    }
  }

  private func unsnoozed(_ id: OccurrenceID) -> OccurrenceID {
    OccurrenceID(uuid: id.uuid, generation: id.generation, k: id.k)
  }

  private func take(_ row: StoredNotification, _ name: PromiseName, isTouched: Bool) {
    let key = row.uuid
    if let promise = pending[name], promise.uuid == key,
      promise.notification == row.notification
    {
      // Planned afresh, or what fired never reached the store.
      if promise.generation != row.generation { promise.mayReplanAt = nil }
      promise.mustReplanAt = nil
      promise.generation = row.generation
      (promise.lastK, promise.lastRung) = (row.firedThrough, row.firedThrough)
      promise.side = row.side ?? .unknown
      return
    }
    if !isTouched, let back = past[key], back.notification == row.notification {
      past[key] = nil
      back.generation = row.generation
      (back.lastK, back.lastRung) = (row.firedThrough, row.firedThrough)
      back.side = row.side ?? .unknown
      pending[name] = back
    } else if isTouched {
      enter(row, name)
    } else {
      fail("N1 books", "\(name.identifier) of \(name.app) is in the books and was never promised")
    }
    if ended.contains(key) { fail("N15 cancelled", "\(name.identifier) is back in the books") }
  }
}
