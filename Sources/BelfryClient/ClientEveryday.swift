import BelfryCore
import BelfryWire

/// The methods by which people live with what is scheduled (E1, E2, E7).
extension Client {
  /// No identifiers: the whole app; `everything`: everybody's, for operators.
  @export(interface)
  public func pause(
    app: String?, identifiers: [String], everything: Bool = false, from: Instant?, until: Instant?
  ) throws(ClientError) -> PauseReply {
    var parameters = scope(app, identifiers, everything)
    if let from { parameters.append("from", .integer(from.microseconds)) }
    if let until { parameters.append("until", .integer(until.microseconds)) }
    let reply = try call("Pause", parameters)
    return try decode { () throws(FieldError) in try PauseReply(reply) }
  }

  @export(interface)
  public func resume(
    app: String?, identifiers: [String], everything: Bool = false
  ) throws(ClientError) -> ResumeReply {
    let reply = try call("Resume", scope(app, identifiers, everything))
    return try decode { () throws(FieldError) in try ResumeReply(reply) }
  }

  /// The next `count` occurrences, or (`at` set) the one then.
  @export(interface)
  public func skip(
    app: String?, identifier: String, count: Int64 = 1, at: Instant? = nil
  ) throws(ClientError) -> SkipReply {
    var parameters = parameters(app, ("identifier", .string(identifier)))
    if let at {
      parameters.append("at", .integer(at.microseconds))
    } else {
      parameters.append("count", .integer(count))
    }
    let reply = try call("Skip", parameters)
    return try decode { () throws(FieldError) in try SkipReply(reply) }
  }

  /// `at` nil: all that lie ahead.
  @export(interface)
  public func unskip(
    app: String?, identifier: String, at: Instant? = nil
  ) throws(ClientError) -> SkipReply {
    var parameters = parameters(app, ("identifier", .string(identifier)))
    if let at { parameters.append("at", .integer(at.microseconds)) }
    let reply = try call("Unskip", parameters)
    return try decode { () throws(FieldError) in try SkipReply(reply) }
  }

  @export(interface)
  public func edit(
    app: String?, identifier: String, _ edit: NotificationEdit
  ) throws(ClientError) -> ScheduleReply {
    let reply = try call(
      "Edit",
      parameters(
        app, ("identifier", .string(identifier)), ("set", .object(edit.set)),
        ("clear", .array(edit.clear.map { .string($0) }))))
    return try decode { () throws(FieldError) in try ScheduleReply(reply) }
  }

  /// The calendars of days (E3): the operator's, and those of apps that the caller may see.
  @export(interface)
  public func days(app: String?) throws(ClientError) -> [ListedDays] {
    let reply = try call("Days", parameters(app))
    return try decode { () throws(FieldError) in try ListedDays.read(reply["calendars"]) }
  }

  /// What a draft would do, by the daemon's calendars of days.
  @export(interface)
  public func next(
    of draft: Notification, app: String?, count: Int32, after: Instant? = nil
  ) throws(ClientError) -> (found: [UpcomingOccurrence], skipped: [PassedRun]) {
    var parameters = parameters(
      app, ("notification", .object(NotificationCodec.encode(draft))),
      ("count", .integer(Int64(count))))
    if let after { parameters.append("after", .integer(after.microseconds)) }
    let reply = try call("Next", parameters)
    return try decode { () throws(FieldError) in
      (try UpcomingOccurrence.read(reply), try PassedRun.read(reply))
    }
  }

  /// The next occurrences of a scheduled notification, and what does not ring before the last.
  @export(interface)
  public func nextAndSkipped(
    app: String?, identifier: String, count: Int32, after: Instant? = nil
  ) throws(ClientError) -> (found: [UpcomingOccurrence], skipped: [PassedRun]) {
    var parameters = parameters(
      app, ("identifier", .string(identifier)), ("count", .integer(Int64(count))))
    if let after { parameters.append("after", .integer(after.microseconds)) }
    let reply = try call("Next", parameters)
    return try decode { () throws(FieldError) in
      (try UpcomingOccurrence.read(reply), try PassedRun.read(reply))
    }
  }

  private func scope(_ app: String?, _ identifiers: [String], _ everything: Bool) -> JSONObject {
    if everything { return ["all": .boolean(true)] }
    var parameters = parameters(app)
    if !identifiers.isEmpty {
      parameters.append("identifiers", .array(identifiers.map { .string($0) }))
    }
    return parameters
  }
}
