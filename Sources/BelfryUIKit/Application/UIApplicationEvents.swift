import BelfryKit
import Foundation

/// What the session tells, as callbacks on the main thread.
extension UIApplication {
  func handle(_ happening: SessionHappening) {
    guard !isTerminating else { return }
    switch happening.kind {
    case .received:
      if !crossed(happening.notification) { tell(happening.notification) }
      happening.complete()
    case .launch, .activated:
      // Chosen by the user: apps tell that by the state being inactive.
      comeToFront()
      resignActive()
      tell(happening.notification)
      becomeActive()
      happening.complete()
    case .action(let identifier, let text):
      handle(
        action: identifier, text: text, of: happening.notification,
        complete: happening.complete)
    case .dismissed:
      // iOS 4 to 9 tell nobody.
      happening.complete()
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
  func beginsInBackground(_ waiting: [SessionHappening]) -> Bool {
    guard !waiting.isEmpty else { return false }
    return waiting.allSatisfy { happening in
      if happening.kind == .received, happening.notification.push != nil { return true }
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
