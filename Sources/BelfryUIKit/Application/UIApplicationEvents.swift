import BelfryKit
import Foundation

/// What the session tells, as callbacks on the main thread.
extension UIApplication {
  func handle(_ queuedEvent: SessionQueuedEvent) {
    guard !isTerminating else { return }
    switch queuedEvent.kind {
    case .received:
      if !crossed(queuedEvent.notification) { tell(queuedEvent.notification) }
      queuedEvent.complete()
    case .launch, .activated:
      // Chosen by the user: apps tell that by the state being inactive.
      comeToFront()
      resignActive()
      tell(queuedEvent.notification)
      becomeActive()
      queuedEvent.complete()
    case .action(let identifier, let text):
      handle(
        action: identifier, text: text, of: queuedEvent.notification,
        complete: queuedEvent.complete)
    case .dismissed:
      // iOS 4 to 9 tell nobody.
      queuedEvent.complete()
    }
  }

  private func handle(
    action identifier: String, text: String?, of content: LocalNotification,
    complete: @escaping @MainActor () -> Void
  ) {
    guard let delegate else { return complete() }
    let notification = UILocalNotification(content)
    let inFront = action(identifier, of: notification)?.activationMode == .foreground
    if inFront {
      comeToFront()
      resignActive()
    }
    var info: [AnyHashable: Any] = [:]
    if let text { info[UIUserNotificationActionResponseTypedTextKey] = text }
    let completion = Self.once(complete)
    if let userInfo = Self.userInfo(of: content) {
      delegate.application(
        self, handleActionWithIdentifier: identifier, forRemoteNotification: userInfo,
        withResponseInfo: info, completionHandler: completion)
    } else {
      delegate.application(
        self, handleActionWithIdentifier: identifier, for: notification, withResponseInfo: info,
        completionHandler: completion)
    }
    if inFront { becomeActive() }
  }

  /// A handler for any thread that completes the first time it is called.
  private static func once(_ complete: @escaping @MainActor () -> Void) -> () -> Void {
    let left = Completion(complete)
    return { DispatchQueue.main.async { left.run() } }
  }

  /// Whether what waited for the session lets the app begin in the background: all of it is pushes that
  /// have something new, or actions that do not bring it to the front.
  func beginsInBackground(_ waiting: [SessionQueuedEvent]) -> Bool {
    guard !waiting.isEmpty else { return false }
    return waiting.allSatisfy { queuedEvent in
      if queuedEvent.kind == .received, queuedEvent.notification.push != nil { return true }
      guard case .action(let identifier, _) = queuedEvent.kind else { return false }
      let notification = UILocalNotification(queuedEvent.notification)
      return action(identifier, of: notification)?.activationMode == .background
    }
  }
}

/// Runs once, on the main thread.
private final class Completion: @unchecked Sendable {
  private var complete: (@MainActor () -> Void)?

  init(_ complete: @escaping @MainActor () -> Void) {
    self.complete = complete
  }

  @MainActor func run() {
    complete?()
    complete = nil
  }
}
