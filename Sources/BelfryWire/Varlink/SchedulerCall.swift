import BelfryCore

/// A call in Belfry's own terms.
public enum SchedulerCall: Sendable {
  case info
  case describe(interface: String)
  /// Answered with one reply; `list` and `history` with one row a reply where the call has `more`.
  case request(Request)
  case watch(app: String?)
  /// The connection becomes a session of the app (D1).
  case openSession(app: String, AppState)
  case status
  /// Some of a list to come; `last` completes it (N16).
  case replacePart(
    app: String, [Notification], last: Bool, onFull: EngineConfiguration.OnFull?)
  /// Answered with what the draft says beside the scheduler's reply.
  indirect case push(app: String, PushDraft)

  /// Rows of a page where the caller names no number, and the most.
  public static let pageLimit: (ordinary: Int64, most: Int64) = (50, 100)

  /// Reads a call's method and parameters; `defaultApp` stands in where one must name an app.
  ///
  /// Every parameter is checked: an unknown one, a wrong type, a value outside its range are
  /// `InvalidField`. Notifications in a list are validated, so that the error can say which; the
  /// scheduler validates the others.
  @export(interface)
  public static func read(
    _ call: VarlinkCall, defaultApp: String
  ) throws(VarlinkFailure) -> SchedulerCall {
    guard let dot = call.method.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      throw .methodNotFound(call.method)
    }
    let interface = String(call.method[..<dot])
    let method = String(call.method[call.method.utf8.index(after: dot)...])
    switch interface {
    case Varlink.service: return try readService(call, method)
    case Varlink.interface: break
    default: throw .interfaceNotFound(interface)
    }
    do throws(FieldError) {
      let parameters = CallReader(call, method, defaultApp)
      if let read = try parameters.change() { return read }
      if let read = try parameters.query() { return read }
      if let asked = try parameters.userRequest() { return .request(asked) }
      if let asked = try parameters.everydayRequest() { return .request(asked) }
      if let asked = try parameters.appRequest() { return .request(asked) }
      if let read = try parameters.session() { return read }
      if let read = try parameters.pushCall() { return read }
    } catch {
      throw VarlinkFailure(error)
    }
    throw .methodNotFound(call.method)
  }

  private static func readService(
    _ call: VarlinkCall, _ method: String
  ) throws(VarlinkFailure) -> SchedulerCall {
    let known = method == "GetInterfaceDescription" ? ["interface"] : []
    for member in call.parameters.members where !known.contains(member.name) {
      throw .invalidParameter(member.name)
    }
    switch method {
    case "GetInfo": return .info
    case "GetInterfaceDescription":
      guard case .string(let name)? = call.parameters["interface"] else {
        throw .invalidParameter("interface")
      }
      return .describe(interface: name)
    default: throw .methodNotFound(call.method)
    }
  }
}

/// Reads the parameters of the scheduler's methods.
struct CallReader {
  let call: VarlinkCall
  let method: String
  let defaultApp: String

  init(_ call: VarlinkCall, _ method: String, _ defaultApp: String) {
    self.call = call
    self.method = method
    self.defaultApp = defaultApp
  }

  func members(_ known: [String]) throws(FieldError) -> MemberReader {
    try MemberReader(call.parameters, of: method, known: known)
  }

  /// The methods that change something.
  func change() throws(FieldError) -> SchedulerCall? {
    switch method {
    case "Schedule":
      let members = try members(["app", "notification", "onFull"])
      return .request(
        .schedule(
          app: try app(members), try notification(members, "notification"),
          onFull: try members.optionalChoice("onFull")))
    case "PresentNow":
      let members = try members(["app", "notification"])
      return .request(
        .presentNow(app: try app(members), try notification(members, "notification")))
    case "Cancel": return try cancel()
    case "CancelAll": return .request(.cancelAll(app: try app(try members(["app"]))))
    case "ReplaceAll": return try replaceAll()
    case "StopSound": return .request(.stopSound(app: try optionalApp(try members(["app"]))))
    case "TrustClock":
      _ = try members([])
      return .request(.trustClock)
    case "Reload":
      _ = try members([])
      return .request(.reload)
    case "Fix": return try fix()
    case "Test":
      let members = try members(["app", "sink"])
      return .request(.test(app: try app(members), sink: try members.optionalText("sink")))
    default: return nil
    }
  }

  /// The methods of apps that run.
  func session() throws(FieldError) -> SchedulerCall? {
    switch method {
    case "OpenSession":
      let members = try members(["app", "state"])
      return .openSession(app: try app(members), try members.choice("state", AppState.self))
    case "SetState":
      let members = try members(["session", "state"])
      return .request(
        .setState(
          session: try members.integer("session"), try members.choice("state", AppState.self)))
    case "Complete":
      let members = try members(["session", "event"])
      return .request(
        .complete(
          session: try members.integer("session"), event: try members.integer("event")))
    default: return nil
    }
  }

  /// The methods that only tell.
  func query() throws(FieldError) -> SchedulerCall? {
    switch method {
    case "List":
      return .request(try list())
    case "History":
      let members = try members(["app", "cursor", "limit", "waiting"])
      if try members.optionalBoolean("waiting") ?? false {
        return .request(.waiting(app: try optionalApp(members)))
      }
      return .request(
        .history(
          app: try optionalApp(members), cursor: try cursor(members), limit: try limit(members)))
    case "Next": return try next()
    case "Days": return .request(.days(app: try optionalApp(try members(["app"]))))
    case "Watch": return .watch(app: try optionalApp(try members(["app"])))
    case "Status":
      _ = try members([])
      return .status
    default: return nil
    }
  }

  private func fix() throws(FieldError) -> SchedulerCall {
    let members = try members(["latitude", "longitude", "accuracy", "time"])
    return .request(
      .fix(
        latitude: try members.number("latitude"), longitude: try members.number("longitude"),
        accuracy: try members.optionalNumber("accuracy"),
        time: try members.optionalInstant("time")))
  }

  private func list() throws(FieldError) -> Request {
    let members = try members(["app", "delivered", "snoozed", "cursor", "limit"])
    let delivered = try members.optionalBoolean("delivered") ?? false
    let app = try optionalApp(members)
    let cursor = try cursor(members)
    let limit = try limit(members)
    guard try members.optionalBoolean("snoozed") ?? false else {
      return .list(app: app, delivered: delivered, cursor: cursor, limit: limit)
    }
    guard !delivered else {
      throw FieldError("snoozed", .conflict, "either delivered or snoozed, not both")
    }
    return .snoozed(app: app, cursor: cursor, limit: limit)
  }

  private func cancel() throws(FieldError) -> SchedulerCall {
    let members = try members(["app", "identifiers", "equal"])
    let app = try app(members)
    let identifiers = try members.optionalTexts("identifiers")
    guard let equal = try members.optionalObject("equal") else {
      guard let identifiers else {
        throw FieldError("identifiers", .missing, "either identifiers or equal is needed")
      }
      for (index, identifier) in identifiers.enumerated() {
        try Notification.checkIdentifier(identifier, field: "identifiers[\(index)]")
      }
      return .request(.cancel(app: app, identifiers: identifiers))
    }
    guard identifiers == nil else {
      throw FieldError("equal", .conflict, "either identifiers or equal, not both")
    }
    return .request(.cancelEqual(app: app, try validated(equal, prefix: "equal.")))
  }

  private func replaceAll() throws(FieldError) -> SchedulerCall {
    let members = try members(["app", "notifications", "final", "onFull"])
    let app = try app(members)
    let last = try members.boolean("final")
    var notifications: [Notification] = []
    for (index, item) in try members.array("notifications").enumerated() {
      guard case .object(let object) = item else {
        throw FieldError("notifications[\(index)]", .wrongType, "this is an object")
      }
      notifications.append(try validated(object, prefix: "notifications[\(index)]."))
    }
    return .replacePart(
      app: app, notifications, last: last, onFull: try members.optionalChoice("onFull"))
  }

  private func next() throws(FieldError) -> SchedulerCall {
    let members = try members(["app", "identifier", "notification", "count", "after"])
    let app = try app(members)
    let count = Int32(try members.optionalInteger("count", in: 1...1000) ?? 1)
    let after = try members.optionalInstant("after")
    let identifier = try members.optionalText("identifier")
    guard try members.optionalObject("notification") != nil else {
      guard let identifier else { throw members.missing("identifier") }
      try Notification.checkIdentifier(identifier)
      return .request(.next(app: app, identifier: identifier, count: count, after: after))
    }
    guard identifier == nil else {
      throw FieldError("notification", .conflict, "either identifier or notification, not both")
    }
    let draft = try notification(members, "notification")
    return .request(.nextOfDraft(draft, count: count, after: after, app: app))
  }

  func cursor(_ members: MemberReader) throws(FieldError) -> Int64 {
    try members.optionalInteger("cursor", in: 0...Int64.max) ?? 0
  }

  func limit(_ members: MemberReader) throws(FieldError) -> Int32 {
    let limits = SchedulerCall.pageLimit
    return Int32(try members.optionalInteger("limit", in: 1...limits.most) ?? limits.ordinary)
  }

  private func notification(
    _ members: MemberReader, _ name: String
  ) throws(FieldError) -> Notification {
    try NotificationCodec.decode(try members.object(name))
  }

  private func validated(
    _ object: JSONObject, prefix: String
  ) throws(FieldError) -> Notification {
    do throws(FieldError) {
      return try NotificationCodec.decode(object).validated()
    } catch {
      throw FieldError(prefix + error.field, error.code, error.reason)
    }
  }

  func app(_ members: MemberReader) throws(FieldError) -> String {
    try optionalApp(members) ?? defaultApp
  }

  func optionalApp(_ members: MemberReader) throws(FieldError) -> String? {
    guard let app = try members.optionalText("app") else { return nil }
    try AppName.check(app)
    return app
  }
}
