import BelfryCore
import BelfrySystem
import BelfryWire

/// From calls to requests.
extension Server {
  /// A reply that is ready at once, after those of the calls before it.
  func answer(_ connection: Connection, _ message: [UInt8]) {
    if connection.calls.isEmpty {
      connection.write(message)
    } else {
      connection.calls.append(
        PendingCall(id: 0, kind: .single, output: message, isDone: true))
    }
  }

  private func answer(_ connection: Connection, _ call: CallHead, _ parameters: JSONObject) {
    if !call.oneway { answer(connection, Varlink.reply(parameters)) }
  }

  func carryOut(
    _ read: SchedulerCall, _ call: CallHead, _ connection: Connection, size: Int
  ) throws(VarlinkFailure) {
    switch read {
    case .info: answer(connection, call, info)
    case .describe(let interface):
      guard let description = Varlink.description(of: interface) else {
        throw .interfaceNotFound(interface)
      }
      answer(connection, call, ["description": .string(description)])
    case .status: answer(connection, call, ["status": .object(status(connection.peer))])
    case .watch(let app):
      guard call.more else { throw .expectedMore }
      guard !connection.hungUp else { return }
      connection.calls.append(
        PendingCall(
          id: 0, kind: .watch(app: app), output: Varlink.reply([:], continues: true)))
      watching.insert(connection.key)
    case .openSession(let app, let state):
      guard call.more, !call.oneway else { throw .expectedMore }
      openSession(app, state, connection)
    case .replacePart(let app, let notifications, let last, let onFull):
      try replacePart(app, notifications, last, onFull, call, connection, size)
    case .request(let request): start(request, call, connection)
    case .push(let app, let draft):
      let id = submit(.push(app: app, draft.push), connection, oneway: call.oneway)
      guard !call.oneway, !connection.hungUp else { return }
      connection.calls.append(PendingCall(id: id, kind: .push(PushNotes(draft))))
    }
  }

  private var info: JSONObject {
    [
      "vendor": "Belfry", "product": "belfryd", "version": .string(configuration.version),
      "url": .string(configuration.url),
      "interfaces": [.string(Varlink.service), .string(Varlink.interface)],
    ]
  }

  private func start(_ request: Request, _ call: CallHead, _ connection: Connection) {
    // Nobody is left to hear the answer.
    if connection.hungUp, request.isQuestion { return }
    guard !call.oneway else {
      _ = submit(request, connection, oneway: true)
      return
    }
    if call.more, let (first, left) = streamed(request, call) {
      guard !connection.hungUp else { return }
      let id = submit(first, connection)
      connection.calls.append(
        PendingCall(id: id, kind: .stream(first, left: left), isAsking: true))
      return
    }
    let kind: PendingCall.Kind
    switch request {
    case .presentNow: kind = .present
    case .list, .snoozed, .history, .apps, .fetchInbox: kind = .page
    default: kind = .single
    }
    let id = submit(request, connection)
    guard !connection.hungUp else { return }
    connection.calls.append(PendingCall(id: id, kind: kind))
  }

  /// The first page of a request whose rows come one a reply, and how many rows are wanted.
  private func streamed(_ request: Request, _ call: CallHead) -> (Request, left: Int64)? {
    let left = call.limit ?? .max
    let page = Int32(min(left, Int64(ServerLimits.page)))
    switch request {
    case .list(let app, let delivered, let cursor, _):
      return (.list(app: app, delivered: delivered, cursor: cursor, limit: page), left)
    case .snoozed(let app, let cursor, _):
      return (.snoozed(app: app, cursor: cursor, limit: page), left)
    case .history(let app, let cursor, _):
      return (.history(app: app, cursor: cursor, limit: page), left)
    case .apps(let app, let cursor, _):
      return (.apps(app: app, cursor: cursor, limit: page), left)
    // Page by page: each has a token.
    case .fetchInbox: return (request, .max)
    default: return nil
    }
  }

  private func openSession(_ app: String, _ state: AppState, _ connection: Connection) {
    guard !connection.hungUp else { return }
    var session: SessionID
    repeat {
      session = Random.uuid().low >> 12
    } while session == 0 || sessions[session] != nil
    let id = submit(.openSession(app: app, session: session, state: state), connection)
    connection.calls.append(PendingCall(id: id, kind: .session))
    connection.session = session
    sessions[session] = connection.key
  }

  // MARK: Lists in parts

  private func replacePart(
    _ app: String, _ notifications: [Notification], _ last: Bool,
    _ onFull: EngineConfiguration.OnFull?, _ call: CallHead, _ connection: Connection,
    _ size: Int
  ) throws(VarlinkFailure) {
    var whole = connection.replacement ?? Connection.Replacement(app: app)
    guard !whole.isBroken else {
      throw VarlinkFailure(
        FieldError(
          "notifications", .conflict, "an earlier part was refused, so nothing is replaced"))
    }
    guard whole.app == app else {
      throw VarlinkFailure(
        FieldError("app", .conflict, "the earlier parts are for the app \(whole.app)"))
    }
    // In one place alone, or adding to the list would copy all of it.
    connection.replacement = nil
    whole.notifications.append(contentsOf: notifications)
    whole.bytes += size
    guard whole.notifications.count <= ServerLimits.replaced else {
      throw VarlinkFailure(
        RequestError.limitReached(limit: "replaceAll", value: Int64(ServerLimits.replaced)))
    }
    guard whole.bytes <= ServerLimits.replacedBytes else {
      throw VarlinkFailure(
        RequestError.limitReached(
          limit: "replaceAllBytes", value: Int64(ServerLimits.replacedBytes)))
    }
    let received = Int64(whole.notifications.count)
    guard last else {
      connection.replacement = whole
      return answer(connection, call, ["received": .integer(received)])
    }
    let request = Request.replaceAll(app: app, whole.notifications, onFull: onFull)
    callBytes = whole.bytes
    let id = submit(request, connection, oneway: call.oneway)
    guard !call.oneway, !connection.hungUp else { return }
    connection.calls.append(PendingCall(id: id, kind: .replace(received: received)))
  }

  /// A list of which a part was refused must not be replaced by the parts that follow.
  func noteRefused(_ call: CallHead, _ connection: Connection) {
    guard call.method == Varlink.interface + ".ReplaceAll" else { return }
    if call.isFinal {
      connection.replacement = nil
    } else {
      breakReplacement(connection)
    }
  }

  func breakReplacement(_ connection: Connection) {
    var whole = connection.replacement ?? Connection.Replacement(app: "")
    whole.isBroken = true
    whole.notifications = []
    whole.bytes = 0
    connection.replacement = whole
  }
}

extension Request {
  /// Nothing comes of it but its answer.
  fileprivate var isQuestion: Bool {
    switch self {
    case .nextOfDraft, .next, .list, .snoozed, .history, .waiting, .apps, .days, .fetchInbox: true
    default: false
    }
  }
}
