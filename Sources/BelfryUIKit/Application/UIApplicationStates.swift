import Foundation

/// How an application without a screen comes and goes: it says so itself, on the main thread.
///
/// The callbacks and the notifications on `NotificationCenter` come in the order of iOS. A step that is
/// already taken does nothing.
extension UIApplication {
  /// The user has turned away for a moment: active becomes inactive.
  public func resignActive() {
    guard isStarted, applicationState == .active else { return }
    delegate?.applicationWillResignActive(self)
    applicationState = .inactive
    post(Self.willResignActiveNotification)
  }

  /// The user is back: inactive becomes active.
  public func becomeActive() {
    guard isStarted, applicationState == .inactive else { return }
    applicationState = .active
    delegate?.applicationDidBecomeActive(self)
    post(Self.didBecomeActiveNotification)
  }

  /// The app has left the user's sight: what is due from now on is shown by the sinks.
  public func enterBackground() {
    guard isStarted, applicationState != .background else { return }
    resignActive()
    applicationState = .background
    service.setForeground(false)
    delegate?.applicationDidEnterBackground(self)
    post(Self.didEnterBackgroundNotification)
  }

  /// The app has come into the user's sight and is active: what is due from now on is its own matter.
  public func enterForeground() {
    comeToFront()
    becomeActive()
  }

  /// Background becomes inactive.
  func comeToFront() {
    guard isStarted, applicationState == .background else { return }
    delegate?.applicationWillEnterForeground(self)
    applicationState = .inactive
    service.setForeground(true)
    post(Self.willEnterForegroundNotification)
    if owesTimeChange { timeHasChanged() }
  }

  func post(_ name: NSNotification.Name, _ info: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: info)
  }

  /// Ends the program as iOS would: the delegate's `applicationWillTerminate(_:)`, the notification,
  /// the expiration handlers of background tasks that have not ended; then exit with status 0.
  public func terminate() -> Never {
    willTerminate()
    exit(0)
  }

  /// What `terminate()` does before it exits; the second time nothing.
  func willTerminate() {
    guard !isTerminating else { return }
    isTerminating = true
    delegate?.applicationWillTerminate(self)
    post(Self.willTerminateNotification)
    for handler in tasks.expire() { handler() }
    service.close()
  }
}
