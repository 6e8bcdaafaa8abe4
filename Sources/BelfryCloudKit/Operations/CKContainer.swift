import BelfryKit
import Foundation

/// An inbox of the app: what came with one `ck.cid`, or without any (P6).
///
/// ```swift
/// let fetch = CKFetchNotificationChangesOperation(previousServerChangeToken: kept)
/// fetch.notificationChangedBlock = { push in print(push) }
/// CKContainer.default().add(fetch)
/// ```
public final class CKContainer: NSObject, Sendable {
  private static let shared = DefaultContainer()

  /// The container of `defaultIdentifier`.
  public class func `default`() -> CKContainer { shared.container }

  /// Belfry's own: the name of the default container, which on iOS is in the app's entitlements; nil:
  /// the inbox of pushes without a `cid`. At first what `BELFRY_CONTAINER` in the environment says.
  public static var defaultIdentifier: String? {
    get { shared.container.containerIdentifier }
    set { shared.set(newValue) }
  }

  let identifier: String
  let inbox: any Inbox
  private let queue = OperationQueue()

  /// The inbox of pushes whose `cid` is this.
  public convenience init(identifier containerIdentifier: String) {
    self.init(identifier: containerIdentifier, options: SchedulerOptions())
  }

  /// Belfry's own: of another daemon or app than the usual.
  public convenience init(identifier containerIdentifier: String, options: SchedulerOptions) {
    self.init(containerIdentifier, DaemonInbox(options))
  }

  init(_ identifier: String, _ inbox: any Inbox) {
    self.identifier = identifier
    self.inbox = inbox
    super.init()
  }

  /// nil: the app's own, of pushes without a `cid`.
  public var containerIdentifier: String? { identifier.isEmpty ? nil : identifier }

  /// Begins the operation as soon as a thread is free for it; it is about this container, unless it
  /// names another.
  public func add(_ operation: CKOperation) {
    operation.settle(in: self)
    queue.addOperation(operation)
  }
}

/// The one that `default()` answers with.
private final class DefaultContainer: @unchecked Sendable {
  private let lock = NSLock()
  private var current: CKContainer

  init() {
    current = CKContainer(
      identifier: ProcessInfo.processInfo.environment["BELFRY_CONTAINER"] ?? "")
  }

  var container: CKContainer { lock.withLock { current } }

  func set(_ identifier: String?) {
    lock.withLock { current = CKContainer(identifier: identifier ?? "") }
  }
}
