import BelfryCore
import BelfryWire

/// From replies and events to messages.
extension Server {
  /// The answer to a request; one to somebody who has gone is dropped.
  @export(interface)
  public func send(_ id: RequestID, _ reply: Reply) {
    guard let destination = destinations.removeValue(forKey: id) else { return }
    giveBack(destination)
    lastAnswered = destination.account
    guard let connection = connections[destination.connection] else { return }
    connection.inFlight -= 1
    mark(connection)
    guard !destination.oneway,
      let place = connection.calls.firstIndex(where: { $0.id == id })
    else { return }
    switch connection.calls[place].kind {
    case .stream(let request, let left):
      connection.calls[place].isAsking = false
      sendRows(reply, request, left, connection, place)
    case .session: answerSession(reply, connection, place)
    case .single, .page, .present, .push, .replace, .watch:
      connection.calls[place].output = message(reply, connection.calls[place].kind)
      connection.calls[place].isDone = true
    }
  }

  private func message(_ reply: Reply, _ kind: PendingCall.Kind) -> [UInt8] {
    switch (reply, kind) {
    case (.refused(let error), _): return VarlinkFailure(error).encoded
    case (.scheduled(let scheduled), .present): return Varlink.reply(scheduled.presented)
    case (.scheduled(let scheduled), _): return Varlink.reply(scheduled)
    case (.pushed(let pushed), .push(let notes)): return Varlink.reply(pushed.parameters(notes))
    case (.fetched(let entries, let token, let moreComing), _):
      return Varlink.reply(InboxPage(entries: entries, token: token, moreComing: moreComing))
    case (_, .replace(let received)):
      var parameters: JSONObject = ["received": .integer(received)]
      for member in reply.parameters?.members ?? [] {
        parameters.append(member.name, member.value)
      }
      return Varlink.reply(parameters)
    default: return Varlink.reply(reply.parameters ?? [:])
    }
  }

  // MARK: Streams

  private func sendRows(
    _ reply: Reply, _ request: Request, _ left: Int64, _ connection: Connection, _ place: Int
  ) {
    if case .fetched(let entries, let token, let moreComing) = reply {
      connection.calls[place].output += Varlink.reply(
        InboxPage(entries: entries, token: token, moreComing: moreComing), continues: moreComing)
      connection.calls[place].isDone = !moreComing
      connection.calls[place].kind = .stream(request.since(token), left: left)
      return
    }
    let name: String
    let rows: [JSONObject]
    var next: Int64?
    switch reply {
    case .listed(let page, let cursor):
      (name, rows, next) = ("notifications", page.map { $0.parameters }, cursor)
    case .apps(let page, let cursor):
      (name, rows, next) = ("apps", page.map { $0.parameters }, cursor)
    case .history(let page, let cursor):
      (name, rows, next) = ("deliveries", page.map { $0.parameters }, cursor)
    default:
      connection.calls[place].output += message(reply, .single)
      connection.calls[place].isDone = true
      return
    }
    let wanted = rows.prefix(Int(clamping: left))
    let remaining = left - Int64(wanted.count)
    if remaining == 0 { next = nil }
    for (index, row) in wanted.enumerated() {
      let isLast = next == nil && index == wanted.count - 1
      connection.calls[place].output += Varlink.reply(
        [name: [.object(row)]], continues: !isLast)
    }
    if let next {
      connection.calls[place].kind = .stream(request.after(next, remaining), left: remaining)
    } else {
      if wanted.isEmpty { connection.calls[place].output += Varlink.reply([name: []]) }
      connection.calls[place].isDone = true
    }
  }

  /// Asks for a stream's next page once the client has taken most of the last one.
  func askForPage(_ connection: Connection) {
    guard let call = connection.calls.first, !call.isDone, !call.isAsking,
      case .stream(let request, _) = call.kind, connection.unsent < ServerLimits.outputPause,
      connection.account.mayAskForPage
    else { return }
    connection.calls[0].isAsking = true
    callBytes = 0
    connection.calls[0].id = submit(request, connection)
  }

  // MARK: Events

  /// Tells an event to those who watch and may see it: the app's owner, and the operator.
  @export(interface)
  public func publish(_ event: WatchEvent, owner: UInt32) {
    var message: [UInt8]?
    for key in watching {
      guard let connection = connections[key] else { continue }
      let watch = connection.watch
      guard watch.isOn, watch.app == nil || watch.app == event.app,
        connection.peer.isOperator || connection.peer.uid == owner
      else { continue }
      let bytes =
        message ?? Varlink.reply(["event": .object(event.parameters)], continues: true)
      message = bytes
      connection.advance()
      connection.write(bytes)
      mark(connection)
    }
    guard message != nil else { return }
    for key in watching {
      if let connection = connections[key] { endFlooded(connection) }
    }
  }

  /// A client whose events pile up is not waited for (A2).
  private func endFlooded(_ connection: Connection) {
    guard connection.unsent > ServerLimits.watchOutput else { return }
    disconnect(connection, because: "it left \(connection.unsent) bytes of its events unread")
  }

  // MARK: Sessions

  /// The first reply; refused, the connection is no session.
  private func answerSession(_ reply: Reply, _ connection: Connection, _ place: Int) {
    guard case .sessionOpened = reply else {
      if let session = connection.session { sessions[session] = nil }
      connection.session = nil
      connection.calls[place].output = message(reply, .single)
      connection.calls[place].isDone = true
      return
    }
    connection.calls[place].output = Varlink.reply(reply.parameters ?? [:], continues: true)
  }

  /// Ends the connection of a session.
  @export(interface)
  public func end(_ session: SessionID, because reason: String) {
    guard let key = sessions[session], let connection = connections[key] else { return }
    disconnect(connection, because: reason)
  }

  /// Tells an event in a session; one that has ended is told nothing.
  @export(interface)
  public func tell(_ event: SessionEvent, in session: SessionID) {
    guard let key = sessions[session], let connection = connections[key] else { return }
    connection.append(event)
    mark(connection)
    if connection.events.count > ServerLimits.sessionEvents {
      endUnread(connection)
    } else if connection.account.eventBytes > ServerLimits.userEvents {
      endLargest(of: connection.account)
    }
  }

  private func endUnread(_ connection: Connection) {
    disconnect(
      connection,
      because: "it left " + counted(connection.events.count, "event") + " of its session unread")
  }

  private func endLargest(of account: PeerQuota) {
    var largest: Connection?
    for key in sessions.values {
      guard let other = connections[key], other.account === account,
        other.eventBytes > largest?.eventBytes ?? 0
      else { continue }
      largest = other
    }
    if let largest { endUnread(largest) }
  }
}

extension Request {
  /// The request for an inbox's next page.
  fileprivate func since(_ token: String) -> Request {
    guard case .fetchInbox(let app, let container, _, let limit) = self else { return self }
    return .fetchInbox(app: app, container: container, since: token, limit: limit)
  }

  /// The request for the page after `cursor`.
  fileprivate func after(_ cursor: Int64, _ left: Int64) -> Request {
    let page = Int32(min(left, Int64(ServerLimits.page)))
    switch self {
    case .list(let app, let delivered, _, _):
      return .list(app: app, delivered: delivered, cursor: cursor, limit: page)
    case .snoozed(let app, _, _): return .snoozed(app: app, cursor: cursor, limit: page)
    case .history(let app, _, _): return .history(app: app, cursor: cursor, limit: page)
    case .apps(let app, _, _): return .apps(app: app, cursor: cursor, limit: page)
    default: return self
    }
  }
}
