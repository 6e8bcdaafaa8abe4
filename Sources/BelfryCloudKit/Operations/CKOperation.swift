import Dispatch
import Foundation

/// An operation on a container's inbox: for `CKContainer.add(_:)`, for an `OperationQueue`, or to be
/// started by itself.
///
/// Its blocks are called one after the other, on a queue of its own. Set them, and everything else,
/// before it begins. They are let go at its end, so that one may use its operation.
open class CKOperation: Operation, @unchecked Sendable {
  public typealias ID = String

  /// How an operation is to run.
  open class Configuration: NSObject, @unchecked Sendable {
    /// nil: the default container.
    open var container: CKContainer?
    open var qualityOfService = QualityOfService.default
    /// Kept; the daemon is on the same board.
    open var allowsCellularAccess = true
    /// Kept; an operation ends with its process.
    open var isLongLived = false
    /// Seconds that a call of the daemon may take; 0: as long as it needs, at most a minute.
    open var timeoutIntervalForRequest: TimeInterval = 0
    /// As `timeoutIntervalForRequest`, whichever is shorter.
    open var timeoutIntervalForResource: TimeInterval = 0
  }

  /// A name of its own.
  public let operationID: ID = UUID().uuidString

  /// How it is to run; nil is as a new one.
  open var configuration: Configuration! = Configuration() {
    didSet { qualityOfService = configuration?.qualityOfService ?? .default }
  }

  /// The container that it is about; the configuration's counts where both are set.
  open var container: CKContainer?

  /// Kept; the daemon is on the same board.
  open var allowsCellularAccess = true

  private enum Phase { case waiting, executing, finished }
  private let lock = NSLock()
  private var phase = Phase.waiting
  private let queue = DispatchQueue(label: "io.belfry.cloudkit.operation")

  public override init() {
    super.init()
  }

  /// What it does, on its own queue; a cancelled one says so to its completion block.
  func perform() {}

  /// Lets go of its blocks, which may well hold the operation.
  func forget() {}

  /// Where it is to take place, unless it says so itself.
  func settle(in other: CKContainer) {
    if configuration?.container == nil, container == nil { container = other }
  }

  var place: CKContainer { configuration?.container ?? container ?? .default() }

  var timeout: TimeInterval? {
    let given = [
      configuration?.timeoutIntervalForRequest, configuration?.timeoutIntervalForResource,
    ]
    return given.compactMap { $0 }.filter { $0 > 0 }.min()
  }

  // MARK: Operation

  open override var isAsynchronous: Bool { true }
  open override var isExecuting: Bool { lock.withLock { phase == .executing } }
  open override var isFinished: Bool { lock.withLock { phase == .finished } }

  /// Begins, and returns at once; a second time does nothing.
  open override func start() {
    let begins = lock.withLock {
      guard phase == .waiting else { return false }
      phase = .executing
      return true
    }
    guard begins else { return }
    change("isExecuting")
    queue.async { [self] in
      perform()
      forget()
      lock.withLock { phase = .finished }
      change("isExecuting")
      change("isFinished")
    }
  }

  /// Tells queues, and whoever depends on it.
  private func change(_ key: String) {
    willChangeValue(forKey: key)
    didChangeValue(forKey: key)
  }
}
