import BelfryCore
import BelfryWire

/// The scheduler's methods; `app` nil is the caller's own, or for lists every one it may see.
extension Client {
  @export(interface)
  public func schedule(
    app: String?, _ notification: Notification
  ) throws(ClientError) -> ScheduleReply {
    let parameters = parameters(app, ("notification", encoded(notification)))
    let reply = try call("Schedule", parameters)
    return try decode { () throws(FieldError) in try ScheduleReply(reply) }
  }

  @export(interface)
  public func presentNow(
    app: String?, _ notification: Notification
  ) throws(ClientError) -> ScheduleReply {
    let parameters = parameters(app, ("notification", encoded(notification)))
    let reply = try call("PresentNow", parameters)
    return try decode { () throws(FieldError) in try ScheduleReply(reply) }
  }

  /// How many were cancelled, and how many shown ones withdrawn.
  @export(interface)
  public func cancel(
    app: String?, identifiers: [String]
  ) throws(ClientError) -> (cancelled: Int64, withdrawn: Int64) {
    let list = JSONValue.array(identifiers.map { .string($0) })
    return counts(try call("Cancel", parameters(app, ("identifiers", list))))
  }

  @export(interface)
  public func cancelAll(
    app: String?
  ) throws(ClientError) -> (cancelled: Int64, withdrawn: Int64) {
    counts(try call("CancelAll", parameters(app)))
  }

  /// Every row, as it comes; `delivered`: what sinks still show, `snoozed`: what comes again.
  @export(interface)
  public func list(
    app: String?, delivered: Bool = false, snoozed: Bool = false,
    milliseconds: Int32 = Client.patience,
    _ body: (ListedNotification) throws(ClientError) -> Void
  ) throws(ClientError) {
    var parameters = parameters(app, ("delivered", .boolean(delivered)))
    if snoozed { parameters.append("snoozed", true) }
    try stream("List", parameters, milliseconds: milliseconds) { reply throws(ClientError) in
      for row in try rows(reply, "notifications") {
        try body(try decode { () throws(FieldError) in try ListedNotification(row) })
      }
      return true
    }
  }

  /// Every row, oldest first.
  @export(interface)
  public func history(
    app: String?, waiting: Bool = false, milliseconds: Int32 = Client.patience,
    _ body: (HistoryRow) throws(ClientError) -> Void
  ) throws(ClientError) {
    var asked = parameters(app)
    if waiting { asked.append("waiting", .boolean(true)) }
    try stream("History", asked, milliseconds: milliseconds) {
      reply throws(ClientError) in
      for row in try rows(reply, "deliveries") {
        try body(try decode { () throws(FieldError) in try HistoryRow(row) })
      }
      return true
    }
  }

  /// Every app that the caller may see, or one, in order of id.
  @export(interface)
  public func apps(
    app: String?, _ body: (AppInfo) throws(ClientError) -> Void
  ) throws(ClientError) {
    try stream("Apps", parameters(app)) { reply throws(ClientError) in
      for row in try rows(reply, "apps") {
        try body(try decode { () throws(FieldError) in try AppInfo(row) })
      }
      return true
    }
  }

  /// The next occurrences of a scheduled notification.
  @export(interface)
  public func next(
    app: String?, identifier: String, count: Int32, after: Instant? = nil
  ) throws(ClientError) -> [UpcomingOccurrence] {
    try nextAndSkipped(app: app, identifier: identifier, count: count, after: after).found
  }

  /// Calls `began` once the watch stands, then `body` with each event until it returns false.
  @export(interface)
  public func watch(
    app: String?, began: () throws(ClientError) -> Void = {},
    _ body: (WatchEvent) throws(ClientError) -> Bool
  ) throws(ClientError) {
    try stream("Watch", parameters(app), milliseconds: nil) { reply throws(ClientError) in
      guard let event = try Client.event(reply) else {
        try began()
        return true
      }
      return try body(event)
    }
  }

  /// What a reply to `Watch` says; nil: the first, which says that the watch stands.
  @export(interface)
  public static func event(_ parameters: JSONObject) throws(ClientError) -> WatchEvent? {
    guard let event = parameters["event"]?.object else { return nil }
    do throws(FieldError) {
      return try WatchEvent(event)
    } catch {
      throw .unreadableReply(reason: "\(error.field): \(error.reason)")
    }
  }

  @export(interface)
  public func status(milliseconds: Int32 = Client.patience) throws(ClientError) -> JSONObject {
    try call("Status", milliseconds: milliseconds)["status"]?.object ?? [:]
  }

  /// How many sounds were stopped.
  @export(interface)
  public func stopSound(app: String?) throws(ClientError) -> Int64 {
    try call("StopSound", parameters(app))["stopped"]?.integer ?? 0
  }

  /// How many notifications had been held.
  @export(interface)
  public func trustClock() throws(ClientError) -> Int64 {
    try call("TrustClock")["released"]?.integer ?? 0
  }

  /// The configuration is read again: the keys that have changed, and those that only a restart takes
  /// up.
  @export(interface)
  public func reload() throws(ClientError) -> (changed: [String], needsRestart: [String]) {
    let reply = try call("Reload")
    let names = { (key: String) in (reply[key]?.array ?? []).compactMap { $0.string } }
    return (names("changed"), names("needsRestart"))
  }

  /// Where the board is (R5); how many crossings that fired.
  @export(interface)
  public func fix(
    latitude: Double, longitude: Double, accuracy: Double?, time: Instant?
  ) throws(ClientError) -> Int64 {
    var parameters: JSONObject = [
      "latitude": .double(latitude), "longitude": .double(longitude),
    ]
    if let accuracy { parameters.append("accuracy", .double(accuracy)) }
    if let time { parameters.append("time", .integer(time.microseconds)) }
    return try call("Fix", parameters)["crossings"]?.integer ?? 0
  }

  /// The occurrence that was made, and the sinks that will answer for it.
  @export(interface)
  public func test(
    app: String?, sink: String?
  ) throws(ClientError) -> (occurrence: OccurrenceID, sinks: [String]) {
    var parameters = parameters(app)
    if let sink { parameters.append("sink", .string(sink)) }
    let reply = try call("Test", parameters)
    guard let text = reply["occurrence"]?.string, let id = OccurrenceID(text: text) else {
      throw .unreadableReply(reason: "occurrence")
    }
    return (id, (reply["sinks"]?.array ?? []).compactMap { $0.string })
  }

  func parameters(_ app: String?, _ members: (String, JSONValue)...) -> JSONObject {
    var object = JSONObject()
    if let app { object.append("app", .string(app)) }
    for (name, value) in members { object.append(name, value) }
    return object
  }

  private func encoded(_ notification: Notification) -> JSONValue {
    .object(NotificationCodec.encode(notification))
  }

  private func counts(_ reply: JSONObject) -> (cancelled: Int64, withdrawn: Int64) {
    (reply["cancelled"]?.integer ?? 0, reply["withdrawn"]?.integer ?? 0)
  }

  private func rows(
    _ reply: JSONObject, _ name: String
  ) throws(ClientError) -> [JSONObject] {
    var rows: [JSONObject] = []
    for value in reply[name]?.array ?? [] {
      guard let row = value.object else { throw .unreadableReply(reason: name) }
      rows.append(row)
    }
    return rows
  }

  func decode<T>(_ body: () throws(FieldError) -> T) throws(ClientError) -> T {
    do throws(FieldError) {
      return try body()
    } catch {
      throw .unreadableReply(reason: "\(error.field): \(error.reason)")
    }
  }
}
