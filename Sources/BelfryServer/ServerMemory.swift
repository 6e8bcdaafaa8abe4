import BelfryCore
import BelfryWire

/// What a user's messages take in memory until they are answered, on all his connections (A1, A2).
extension Server {
  /// Nothing is under way, and no reply waits to be read: whatever comes next begins with a message.
  public var isQuiet: Bool {
    !hasWork && reading.isEmpty && destinations.isEmpty && dirty.isEmpty
      && connections.values.allSatisfy { $0.unsent == 0 }
  }

  /// Gives up room that is kept for what comes next.
  public func shrink() {
    if destinations.isEmpty { destinations = [:] }
    if connections.isEmpty { connections = [:] }
    for connection in connections.values { connection.shrink() }
  }

  /// A request is with the scheduler, and the message that it came in counts; where it shows something
  /// twice, since that is written several times.
  func count(_ id: RequestID, _ request: Request, _ connection: Connection, oneway: Bool) {
    let account = connection.account
    var weight = max(callBytes, ServerLimits.callWeight)
    switch request {
    case .presentNow, .push, .test: weight *= 2
    case .list, .history, .fetchInbox: weight = max(weight, ServerLimits.pageWeight)
    default: break
    }
    destinations[id] = Destination(
      connection: connection.key, oneway: oneway, account: account, weight: weight)
    account.beginRequest(weight)
    callBytes = 0
  }

  /// It is answered: who was not read from may be again.
  func giveBack(_ destination: Destination) {
    if destination.account.endRequest(destination.weight) { markAll(of: destination.account) }
  }

  /// Sends or drops some of a user's output: what waits for room goes on once there is.
  func giveRoom(in account: PeerQuota, _ body: () -> Void) {
    let wasUnread = account.unsentBytes >= ServerLimits.userUnsent
    body()
    if wasUnread, account.unsentBytes < ServerLimits.userUnsent { markAll(of: account) }
  }

  /// `flush` looks at them, puts those with messages in line, and lets long answers go on.
  func markAll(of account: PeerQuota) {
    for connection in connections.values where connection.account === account {
      mark(connection)
    }
  }

  /// After reading: messages that are half there, and lists in parts.
  func noteHeld(_ connection: Connection) {
    guard connections[connection.key] != nil else { return }
    let held = connection.frames.buffered + (connection.replacement?.bytes ?? 0)
    connection.account.heldBytes += held - connection.held
    connection.held = held
    guard connection.account.heldBytes > ServerLimits.userHeld else { return }
    disconnect(
      connection,
      because: "its user has sent \(connection.account.heldBytes) bytes of messages and lists "
        + "without their ends")
  }
}

/// Clients that do not read.
extension Server {
  func noteDeadline(of connection: Connection) {
    guard let since = connection.blockedSince else { return }
    deadline = min(deadline ?? .max, since + ServerLimits.unreadTimeout)
  }

  /// Disconnects those that have taken nothing for too long (A2).
  func endUnread() {
    guard let passed = deadline, elapsed >= passed else { return }
    deadline = nil
    for connection in connections.values {
      guard let since = connection.blockedSince, elapsed - since >= ServerLimits.unreadTimeout
      else {
        noteDeadline(of: connection)
        continue
      }
      let waiting = counted(connection.unsent, "byte waits", many: "bytes wait")
      disconnect(connection, because: "it reads nothing: \(waiting) for it")
    }
  }

  func disconnect(_ connection: Connection, because reason: String) {
    let peer = connection.peer
    log(.warning, "a client (uid \(peer.uid), pid \(peer.pid)) is disconnected: \(reason)")
    close(connection, isUnread: true)
  }
}
