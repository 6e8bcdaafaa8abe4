/// What the user did with what was shown, on its way to the app (D2, D3, D4): `SessionRouter` knows the
/// way.
extension SchedulerEngine {
  /// Tells the app: in its session if it runs, else in the one that it opens once it is started.
  func hand(_ queuedEvent: QueuedEvent, to app: SchedulerApp) {
    sessions.hand(queuedEvent, to: app.number, clock: clock.state(at: now), &turn)
  }

  /// An app was not started, and why; nil: nothing says how.
  func takeLaunched(_ id: String, failure: String?) {
    guard let app = apps.named(id) else { return }
    sessions.launchFailed(
      app.number, reason: failure, clock: clock.state(at: now), &turn)
  }

  /// What the store knows to wait for a session; after the apps.
  public func restore(_ stored: StoredQueuedEvent) {
    sessions.restore(stored, isKnown: apps[stored.app] != nil)
  }

  /// The first event: their apps may be about to come back, or have to be started.
  func resumeQueuedEvents() {
    sessions.resume(clock: clock.state(at: now), &turn)
  }
}
