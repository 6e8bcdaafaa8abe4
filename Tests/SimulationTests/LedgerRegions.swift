import BelfryCore
import SchedulerFixtures

/// Where the board is, and what that fires (R2, R3).
extension Ledger {
  /// A fix is about to be told: what must fire at once.
  func located(metres: Double, accuracy: Double?) {
    lastFix = (metres, accuracy)
    for promise in pending.values {
      guard let region = promise.notification.region else { continue }
      promise.fixes.append((metres, accuracy))
      let was = promise.side
      let side = SideOracle.side(of: region, was: was, after: promise.fixes)
      guard side != was else { continue }
      promise.side = side
      guard was != .unknown, side == .inside ? region.notifyOnEntry : region.notifyOnExit else {
        continue
      }
      crossings.insert(promise.name)
    }
  }

  func crossed(_ promise: Promise, _ firing: Firing) {
    if crossings.remove(promise.name) == nil {
      fail("R3 crossing", "\(firing.text) fires where it was not crossed")
    }
    if firing.id.k != promise.lastK + 1 {
      fail("D7 crossing", "\(firing.text) follows k \(promise.lastK)")
    }
    if firing.due != now.real {
      fail("R1 due", "\(firing.text) fires at \(RFC3339.text(now.real))")
    }
    promise.lastK = firing.id.k
    if promise.notification.regionTriggersOnce { end(promise.name) }
  }

  func checkCrossings() {
    // What is being cancelled may be gone already.
    if let name = crossings.first(where: { !isCancelling($0) }) {
      fail("R3 crossing", "\(name.identifier) of \(name.app) was crossed, and does not fire")
    }
    crossings = []
  }

  /// What is to be written of a circle that is scheduled now: the last fix of this life decides.
  func checkSide(_ row: StoredNotification) {
    guard let region = row.notification.region else { return }
    let fixes = lastFix.map { [$0] } ?? []
    let side = SideOracle.side(of: region, was: .unknown, after: fixes)
    if row.side != side {
      fail("R3 side", "\(row.notification.identifier ?? ""): \(String(describing: row.side))")
    }
  }

  /// What replaces one with the same circle knows as much of the board as that did.
  func keepSide(from before: Promise?, of name: PromiseName) {
    guard let promise = pending[name], promise !== before,
      let region = promise.notification.region, let before, before.uuid == promise.uuid,
      let old = before.notification.region, old.radius == region.radius,
      before.side != .unknown
    else { return }
    promise.side = before.side
  }
}
