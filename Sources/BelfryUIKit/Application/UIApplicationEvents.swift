import BelfryKit
import Foundation

/// What the session tells, as callbacks on the main thread.
extension UIApplication {
  func handle(_ happening: SessionHappening) {
    guard !isTerminating else { return }
    let notification = UILocalNotification(happening.notification)
    switch happening.kind {
    case .received:
      delegate?.application(self, didReceive: notification)
      happening.complete()
    case .launch, .activated:
      // Chosen by the user: apps tell that by the state being inactive.
      comeToFront()
      resignActive()
      delegate?.application(self, didReceive: notification)
      becomeActive()
      happening.complete()
    case .action(let identifier, let text):
      handle(
        action: identifier, text: text, of: notification, complete: happening.complete)
    case .dismissed:
      // iOS 4 to 9 tell nobody.
      happening.complete()
    }
  }

  private func handle(
    action identifier: String, text: String?, of notification: UILocalNotification,
    complete: @escaping @MainActor () -> Void
  ) {
    guard let delegate else { return complete() }
    let inFront = action(identifier, of: notification)?.activationMode == .foreground
    if inFront {
      comeToFront()
      resignActive()
    }
    var info: [AnyHashable: Any] = [:]
    if let text { info[UIUserNotificationActionResponseTypedTextKey] = text }
    delegate.application(
      self, handleActionWithIdentifier: identifier, for: notification, withResponseInfo: info,
      completionHandler: Self.once(complete))
    if inFront { becomeActive() }
  }

  /// A handler for any thread that completes the first time it is called.
  private static func once(_ complete: @escaping @MainActor () -> Void) -> () -> Void {
    let left = Completion(complete)
    return { DispatchQueue.main.async { left.run() } }
  }

  /// Whether what waited for the session lets the app begin in the background: all of it is actions
  /// that do not bring it to the front.
  func beginsInBackground(_ waiting: [SessionHappening]) -> Bool {
    guard !waiting.isEmpty else { return false }
    return waiting.allSatisfy { happening in
      guard case .action(let identifier, _) = happening.kind else { return false }
      let notification = UILocalNotification(happening.notification)
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
