/// The scheduler for code that may wait: every method blocks its thread until the daemon has
/// answered, at most ``SchedulerOptions/timeout``. For any thread; calls of different threads do not
/// wait for each other.
///
/// A daemon that restarts is connected to again, and waited for
/// (``SchedulerOptions/patience``). A call whose reply was lost is repeated where that can do nothing
/// twice; else it throws ``SchedulerError/Code/outcomeUnknown``. So a call either was done once or
/// throws, and none hangs.
public final class BlockingScheduler: Sendable {
  /// The app that all calls are about.
  public var app: String { context.app }
  let context: CallContext
  let pool: ConnectionPool

  public init(_ options: SchedulerOptions = SchedulerOptions()) {
    context = CallContext(options)
    pool = ConnectionPool(options)
  }

  public var options: SchedulerOptions { pool.options }

  func deadline() -> Deadline { Deadline(in: options.timeout) }

  func perform<Value>(_ operation: Operation<Value>) throws(SchedulerError) -> Value {
    try pool.perform(operation, by: deadline())
  }
}

extension BlockingScheduler {
  /// Schedules a notification, or replaces the pending one of the same identifier (N1).
  ///
  /// One without an identifier gets a new one. With one, scheduling again what may have been
  /// scheduled is harmless as long as it is not due.
  @discardableResult
  public func schedule(
    _ notification: LocalNotification
  ) throws(SchedulerError) -> ScheduleOutcome {
    try perform(.schedule(notification, by: context))
  }

  /// Delivers a notification now, whatever its `fireDate`; it is never listed as scheduled (N14).
  @discardableResult
  public func presentNow(
    _ notification: LocalNotification
  ) throws(SchedulerError) -> PresentOutcome {
    try perform(.presentNow(notification, by: context))
  }

  /// Cancels by identifiers; what of them is shown is taken back, what sounds stops (N15).
  ///
  /// Unknown ones are no error. Where a reply was lost and the call repeated, the numbers are those
  /// of the repeat.
  @discardableResult
  public func cancel(_ identifiers: [String]) throws(SchedulerError) -> CancelOutcome {
    try perform(.cancel(identifiers, by: context))
  }

  /// Cancels every notification that is equal in all fields but the identifier (N15).
  @discardableResult
  public func cancel(
    equalTo notification: LocalNotification
  ) throws(SchedulerError) -> CancelOutcome {
    try perform(.cancel(equalTo: notification, by: context))
  }

  @discardableResult
  public func cancelAll() throws(SchedulerError) -> CancelOutcome {
    try perform(.cancelAll(by: context))
  }
}
