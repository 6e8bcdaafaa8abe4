import Foundation

internal import BelfryClient
internal import BelfryCore
internal import BelfryWire

/// What a pause is about.
enum PauseScope {
  case notifications([String])
  case app
  case everything

  fileprivate func parameters(by context: CallContext) -> JSONObject {
    switch self {
    case .notifications(let identifiers):
      context.parameters(("identifiers", .array(identifiers.map { .string($0) })))
    case .app: context.parameters()
    case .everything: ["all": true]
    }
  }
}

extension CallContext {
  /// What names a time can be said again as long as that time is to come, whatever becomes of a reply.
  fileprivate func retryPolicy(until date: Date?) -> RetryPolicy {
    guard let date else { return .harmless }
    let seconds = min(longest.components.seconds, 1 << 40) + 60
    return date > Date(timeIntervalSinceNow: Double(seconds)) ? .harmless : .never
  }
}

extension JSONObject {
  fileprivate mutating func add(_ name: String, _ date: Date?) throws(SchedulerError) {
    guard let date else { return }
    do throws(FieldError) {
      append(name, .integer(try Instant(date, field: name).microseconds))
    } catch {
      throw SchedulerError(error)
    }
  }
}

extension Operation where Value == PauseOutcome {
  static func pause(
    _ scope: PauseScope, from: Date?, until: Date?, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    var parameters = scope.parameters(by: context)
    try parameters.add("from", from)
    try parameters.add("until", until)
    return Operation("Pause", parameters, context.retryPolicy(until: until)) {
      reply throws(SchedulerError) in
      try reading { () throws(FieldError) in PauseOutcome(try PauseReply(reply)) }
    }
  }
}

extension Operation where Value == ResumeOutcome {
  static func resume(_ scope: PauseScope, by context: CallContext) -> Operation {
    Operation("Resume", scope.parameters(by: context), .harmless) {
      reply throws(SchedulerError) in
      try reading { () throws(FieldError) in ResumeOutcome(try ResumeReply(reply)) }
    }
  }
}

extension Operation where Value == [DayCalendarInfo] {
  static func dayCalendars() -> Operation {
    Operation("Days", JSONObject(), .harmless) { reply throws(SchedulerError) in
      try reading { () throws(FieldError) in
        try ListedDays.read(reply["calendars"]).map { DayCalendarInfo($0) }
      }
    }
  }
}

extension Operation where Value == SkipOutcome {
  /// Said again after one of them was due, it would skip one more.
  static func skip(_ identifier: String, count: Int, by context: CallContext) -> Operation {
    let parameters = context.parameters(
      ("identifier", .string(identifier)), ("count", .integer(Int64(count))))
    return Operation("Skip", parameters, .never, read: read)
  }

  static func skip(
    _ identifier: String, at date: Date, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    try at(date, "Skip", identifier, by: context)
  }

  static func unskip(
    _ identifier: String, at date: Date?, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    try at(date, "Unskip", identifier, by: context)
  }

  private static func at(
    _ date: Date?, _ method: String, _ identifier: String, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    var parameters = context.parameters(("identifier", .string(identifier)))
    try parameters.add("at", date)
    return Operation(method, parameters, context.retryPolicy(until: date), read: read)
  }

  private static func read(_ reply: JSONObject) throws(SchedulerError) -> SkipOutcome {
    try reading { () throws(FieldError) in SkipOutcome(try SkipReply(reply)) }
  }
}

extension Operation where Value == ScheduleOutcome {
  /// Only what differs between the two is sent: a change of another field meanwhile is not undone.
  static func edit(
    _ identifier: String, _ old: LocalNotification, _ new: LocalNotification,
    by context: CallContext
  ) throws(SchedulerError) -> Operation {
    guard new.identifier == identifier else {
      throw SchedulerError(
        .conflict, field: "identifier",
        "an identifier stays: schedule another and cancel this")
    }
    let (before, after) = (try old.encoded(), try new.encoded())
    var set = JSONObject()
    for member in after.members where before[member.name] != member.value {
      set.append(member.name, member.value)
    }
    let clear = before.members.filter { after[$0.name] == nil }.map { JSONValue.string($0.name) }
    let parameters = context.parameters(
      ("identifier", .string(identifier)), ("set", .object(set)), ("clear", .array(clear)))
    return Operation("Edit", parameters, context.retryPolicy([new])) {
      reply throws(SchedulerError) in
      try reading { () throws(FieldError) in ScheduleOutcome(try ScheduleReply(reply)) }
    }
  }
}

extension [ScheduledNotification] {
  /// The one that is to be edited.
  func named(_ identifier: String) throws(SchedulerError) -> LocalNotification {
    guard let found = first(where: { $0.notification.identifier == identifier }) else {
      throw SchedulerError(
        .notFound, field: "identifier", "nothing that is scheduled is called \(identifier)")
    }
    return found.notification
  }
}

extension SchedulerError {
  /// This error of an edit, its field as the notification has it.
  var ofEdit: SchedulerError {
    guard let field, field.hasPrefix("set.") else { return self }
    return SchedulerError(code, field: String(field.dropFirst(4)), reason)
  }
}
