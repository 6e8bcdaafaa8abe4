import Foundation

internal import BelfryClient
internal import BelfryCore
internal import BelfrySystem
internal import BelfryWire

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
  public let app: String
  let link: Link

  public init(_ options: SchedulerOptions = SchedulerOptions()) {
    app = options.appName
    link = Link(options)
  }

  public var options: SchedulerOptions { link.options }

  func deadline() -> Deadline { Deadline(in: options.timeout) }

  /// How long a call may take in all.
  var longest: Swift.Duration { options.timeout + options.patience }

  func parameters(_ members: (String, JSONValue)...) -> JSONObject {
    var object: JSONObject = ["app": .string(app)]
    for (name, value) in members { object.append(name, value) }
    return object
  }

  func decode<T>(_ body: () throws(FieldError) -> T) throws(SchedulerError) -> T {
    do throws(FieldError) {
      return try body()
    } catch {
      throw SchedulerError(unreadable: error)
    }
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
    try schedule(notification, by: deadline())
  }

  func schedule(
    _ notification: LocalNotification, by deadline: Deadline
  ) throws(SchedulerError) -> ScheduleOutcome {
    let notification = notification.identified
    let parameters = parameters(("notification", .object(try notification.encoded())))
    let repeating: Link.Repeating = notification.staysPending(for: longest) ? .harmless : .never
    let reply = try link.call("Schedule", parameters, repeating, by: deadline)
    return try decode { () throws(FieldError) in ScheduleOutcome(try ScheduleReply(reply)) }
  }

  /// Delivers a notification now, whatever its `fireDate`; it is never listed as scheduled (N14).
  @discardableResult
  public func presentNow(
    _ notification: LocalNotification
  ) throws(SchedulerError) -> PresentOutcome {
    try presentNow(notification, by: deadline())
  }

  func presentNow(
    _ notification: LocalNotification, by deadline: Deadline
  ) throws(SchedulerError) -> PresentOutcome {
    let encoded = try notification.identified.encoded()
    let reply = try link.call(
      "PresentNow", parameters(("notification", .object(encoded))), .never, by: deadline)
    return try decode { () throws(FieldError) in
      let reply = try ScheduleReply(reply)
      return PresentOutcome(identifier: reply.identifier, occurrence: reply.occurrence?.text)
    }
  }

  /// Cancels by identifiers; what of them is shown is taken back, what sounds stops (N15).
  ///
  /// Unknown ones are no error. Where a reply was lost and the call repeated, the numbers are those
  /// of the repeat.
  @discardableResult
  public func cancel(_ identifiers: [String]) throws(SchedulerError) -> CancelOutcome {
    try cancel(identifiers, by: deadline())
  }

  func cancel(
    _ identifiers: [String], by deadline: Deadline
  ) throws(SchedulerError) -> CancelOutcome {
    let list = JSONValue.array(identifiers.map { .string($0) })
    return try cancel("Cancel", parameters(("identifiers", list)), by: deadline)
  }

  /// Cancels every notification that is equal in all fields but the identifier (N15).
  @discardableResult
  public func cancel(
    equalTo notification: LocalNotification
  ) throws(SchedulerError) -> CancelOutcome {
    try cancel(equalTo: notification, by: deadline())
  }

  func cancel(
    equalTo notification: LocalNotification, by deadline: Deadline
  ) throws(SchedulerError) -> CancelOutcome {
    let encoded = JSONValue.object(try notification.encoded())
    return try cancel("Cancel", parameters(("equal", encoded)), by: deadline)
  }

  @discardableResult
  public func cancelAll() throws(SchedulerError) -> CancelOutcome {
    try cancelAll(by: deadline())
  }

  func cancelAll(by deadline: Deadline) throws(SchedulerError) -> CancelOutcome {
    try cancel("CancelAll", parameters(), by: deadline)
  }

  private func cancel(
    _ method: String, _ parameters: JSONObject, by deadline: Deadline
  ) throws(SchedulerError) -> CancelOutcome {
    let reply = try link.call(method, parameters, .harmless, by: deadline)
    return CancelOutcome(
      cancelled: Int(clamping: reply["cancelled"]?.integer ?? 0),
      withdrawn: Int(clamping: reply["withdrawn"]?.integer ?? 0))
  }
}
