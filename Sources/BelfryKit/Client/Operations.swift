import Foundation

internal import BelfryClient
internal import BelfryCore
internal import BelfryWire

/// Who asks.
struct CallContext: Sendable {
  let app: String
  /// How long a call may take in all, repeats included.
  let longest: Swift.Duration
  private let onFull: FullPolicy?

  init(_ options: SchedulerOptions) {
    app = options.appName
    longest = options.timeout + options.patience
    onFull = options.onFull
  }

  func parameters(_ members: (String, JSONValue)...) -> JSONObject {
    var object: JSONObject = ["app": .string(app)]
    for (name, value) in members { object.append(name, value) }
    return object
  }

  /// Of a call that brings new ones.
  func addingParameters(_ members: (String, JSONValue)...) -> JSONObject {
    var object: JSONObject = ["app": .string(app)]
    for (name, value) in members { object.append(name, value) }
    if let onFull { object.append("onFull", .string(onFull.rawValue)) }
    return object
  }

  /// What may be done with the same notifications sent again.
  func retryPolicy(_ notifications: [LocalNotification]) -> RetryPolicy {
    notifications.allSatisfy { $0.staysPending(for: longest) } ? .harmless : .never
  }
}

/// Reads a reply; what it lacks is the daemon's fault.
func reading<T>(_ body: () throws(FieldError) -> T) throws(SchedulerError) -> T {
  do throws(FieldError) {
    return try body()
  } catch {
    throw SchedulerError(unreadable: error)
  }
}

extension Operation where Value == ScheduleOutcome {
  static func schedule(
    _ notification: LocalNotification, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    let notification = notification.identified
    let parameters = context.addingParameters(
      ("notification", .object(try notification.encoded())))
    return Operation("Schedule", parameters, context.retryPolicy([notification])) {
      reply throws(SchedulerError) in
      try reading { () throws(FieldError) in ScheduleOutcome(try ScheduleReply(reply)) }
    }
  }
}

extension Operation where Value == PresentOutcome {
  static func presentNow(
    _ notification: LocalNotification, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    let encoded = JSONValue.object(try notification.identified.encoded())
    return Operation("PresentNow", context.parameters(("notification", encoded)), .never) {
      reply throws(SchedulerError) in
      try reading { () throws(FieldError) in
        let reply = try ScheduleReply(reply)
        return PresentOutcome(
          identifier: reply.identifier, occurrence: reply.occurrence?.text,
          demotion: reply.demotion, warnings: reply.warnings)
      }
    }
  }
}

extension Operation where Value == CancelOutcome {
  static func cancel(_ identifiers: [String], by context: CallContext) -> Operation {
    let list = JSONValue.array(identifiers.map { .string($0) })
    return cancel("Cancel", context.parameters(("identifiers", list)))
  }

  static func cancel(
    equalTo notification: LocalNotification, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    let encoded = JSONValue.object(try notification.encoded())
    return cancel("Cancel", context.parameters(("equal", encoded)))
  }

  static func cancelAll(by context: CallContext) -> Operation {
    cancel("CancelAll", context.parameters())
  }

  private static func cancel(_ method: String, _ parameters: JSONObject) -> Operation {
    Operation(method, parameters, .harmless) { reply in
      CancelOutcome(
        cancelled: Int(clamping: reply["cancelled"]?.integer ?? 0),
        withdrawn: Int(clamping: reply["withdrawn"]?.integer ?? 0))
    }
  }
}

extension Operation where Value == [Upcoming] {
  static func next(
    of identifier: String, _ count: Int, _ date: Date?, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    try next(("identifier", .string(identifier)), count, date, by: context)
  }

  static func next(
    of draft: LocalNotification, _ count: Int, _ date: Date?, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    try next(("notification", .object(try draft.encoded())), count, date, by: context)
  }

  private static func next(
    _ what: (String, JSONValue), _ count: Int, _ date: Date?, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    var parameters = context.parameters(what, ("count", .integer(Int64(count))))
    if let date {
      do throws(FieldError) {
        let after = try Instant(date, field: "after")
        parameters.append("after", .integer(after.microseconds))
      } catch {
        throw SchedulerError(error)
      }
    }
    return Operation("Next", parameters, .reading) { reply throws(SchedulerError) in
      try reading { () throws(FieldError) in
        try UpcomingOccurrence.read(reply).map { Upcoming($0) }
      }
    }
  }
}
