import Foundation

/// The tasks that have begun and not ended.
struct BackgroundTasks {
  private var last = 0
  private var handlers: [UIBackgroundTaskIdentifier: (() -> Void)?] = [:]

  mutating func begin(_ handler: (() -> Void)?) -> UIBackgroundTaskIdentifier {
    last += 1
    let task = UIBackgroundTaskIdentifier(rawValue: last)
    handlers[task] = .some(handler)
    return task
  }

  mutating func end(_ task: UIBackgroundTaskIdentifier) {
    handlers[task] = nil
  }

  /// The handlers to call, oldest task first; afterwards there are none.
  mutating func expire() -> [() -> Void] {
    let expired = handlers.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { $0.value }
    handlers = [:]
    return expired
  }
}

/// Time in the background: nothing suspends a process here, so there is always enough.
extension UIApplication {
  /// Begins a task; its handler is called if the program is told to end before the task has.
  public func beginBackgroundTask(
    expirationHandler handler: (() -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    tasks.begin(handler)
  }

  /// As without a name, which is not used.
  public func beginBackgroundTask(
    withName name: String?, expirationHandler handler: (() -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    tasks.begin(handler)
  }

  /// Ends a task; one that is over or unknown does no harm.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    tasks.end(identifier)
  }

  /// Without end, as on iOS while an app is in the foreground.
  public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
}
