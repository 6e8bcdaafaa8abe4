import BelfryCore
import BelfrySystem
import BelfryWire

/// The local socket: connections in, requests out, replies back in the order of calls.
///
/// It lives on the clock's thread and blocks never. The loop watches `descriptor` for readability;
/// when it is readable or `hasWork` is true it calls `turn`, carries out what comes, hands replies
/// to `send` and events to `publish`, and calls `flush` before it waits again. One turn handles a
/// bounded number of calls and bytes, so a flood cannot hold the clock.
public final class Server {
  /// A request that somebody has made.
  public struct Incoming: Sendable {
    public var id: RequestID
    public var peer: Peer
    public var request: Request
  }

  /// Changed limits hold for what is asked from then on.
  public var configuration: ServerConfiguration
  /// What `Status` tells a peer; asked on the clock's thread.
  let status: (Peer) -> JSONObject
  let log: (LogLevel, String) -> Void

  private let epoll: Epoll
  private var listeners: [UInt64: Listener] = [:]
  var connections: [UInt64: Connection] = [:]
  /// How many of them are not the operator's.
  private(set) var guests: Int32 = 0
  private var accounts: [UInt32: PeerQuota] = [:]
  private var lastKey: UInt64 = 0
  private var lastRequest: RequestID = 0
  /// Whose reply goes where; a `oneway` call's nowhere.
  var destinations: [RequestID: Destination] = [:]
  var incoming: [Incoming] = []
  /// Which connection is which session.
  var sessions: [SessionID: UInt64] = [:]
  /// Sessions whose connection has ended, not told yet.
  private var endedSessions: [EndedSession] = []
  /// Requests of connections that have ended, not told yet.
  private var abandoned: [RequestID] = []
  /// Connections that watch, or will when their turn comes.
  var watching: Set<UInt64> = []
  /// Users with messages that wait for their turn (`ServerTurns`).
  var readyAccounts: [PeerQuota] = []
  /// The time used of the one whose turn was last: who comes back begins there.
  var usedByLast: Int64 = 0
  /// Whose request was answered last; the caller forgets it before it begins something new.
  public var lastAnswered: PeerQuota?
  /// Has another thread read a large message, which `take` is given then; nil: it is read here.
  public var readElsewhere: ((UnreadMessage) -> Void)?
  /// Whose messages these are, by connection.
  var reading: [UInt64: PeerQuota] = [:]
  /// CLOCK_MONOTONIC or the like, to tell what work took.
  let stopwatch: () -> Int64
  private(set) var dirty: [Connection] = []
  /// The length of the message in hand, until its request is counted.
  var callBytes = 0
  var callsLeft = 0
  private var bytesLeft = 0
  /// What is read comes here first.
  private let room = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ServerLimits.bytesPerRead, alignment: 8)
  var elapsed: Int64 = 0
  /// Bytes that have come or gone since the caller set this to 0.
  public var churn = 0
  /// When `turn` must be called at the latest, by CLOCK_BOOTTIME; nil: no client is slow to read.
  public internal(set) var deadline: Int64?

  public struct EndedSession: Hashable, Sendable {
    public var session: SessionID
    /// Its client did not read all that it was sent.
    public var isUnread: Bool
    /// The events up to this one it certainly did read.
    public var readThrough: Int64 = 0
  }

  struct Destination {
    var connection: UInt64
    var oneway: Bool
    /// Who asked, and how much that counts.
    var account: PeerQuota
    var weight: Int
  }

  final class Listener {
    let socket: FileDescriptor
    var isPaused = false

    init(_ socket: consuming FileDescriptor) {
      self.socket = socket
    }
  }

  /// A server without a socket yet.
  @export(interface)
  public init(
    _ configuration: ServerConfiguration, status: @escaping (Peer) -> JSONObject,
    log: @escaping (LogLevel, String) -> Void,
    stopwatch: @escaping () -> Int64 = { SystemClock.elapsed() }
  ) throws(SystemError) {
    self.configuration = configuration
    self.stopwatch = stopwatch
    self.status = status
    self.log = log
    epoll = try Epoll()
  }

  deinit {
    room.deallocate()
  }

  /// Readable when there is something to do.
  public var descriptor: Int32 { epoll.descriptor.raw }

  /// Whether `turn` has something to do although `descriptor` may not be readable.
  public var hasWork: Bool {
    hasTurn || !incoming.isEmpty || !endedSessions.isEmpty || !abandoned.isEmpty
  }

  /// Moves out the sessions that have ended; after what `turn` gave, which came before.
  @export(interface)
  public func takeEndedSessions() -> [EndedSession] {
    defer { if !endedSessions.isEmpty { endedSessions = [] } }
    return endedSessions
  }

  /// Moves out requests that nobody waits for any more: what of them was not carried out need not be.
  @export(interface)
  public func takeAbandoned() -> [RequestID] {
    defer { if !abandoned.isEmpty { abandoned = [] } }
    return abandoned
  }

  /// Connections at present.
  public var connectionCount: Int { connections.count }

  /// Accepts on a listening, non-blocking stream socket from now on.
  @export(interface)
  public func listen(on socket: consuming FileDescriptor) throws(SystemError) {
    lastKey += 1
    let listener = Listener(socket)
    try epoll.add(listener.socket.raw, .readable, token: lastKey)
    listeners[lastKey] = listener
  }

  /// Takes what has come in and gives it to `carryOut`, call by call, users in turns; ends after a
  /// bounded time. `elapsed` is CLOCK_BOOTTIME in nanoseconds.
  @export(interface)
  public func turn(
    elapsed: Int64, carryOut: (Incoming) -> Void
  ) throws(SystemError) {
    try takeInput(elapsed: elapsed)
    takeTurns(carryOut)
  }

  private func takeInput(elapsed: Int64) throws(SystemError) {
    self.elapsed = elapsed
    callsLeft = ServerLimits.callsPerTurn
    bytesLeft = ServerLimits.bytesPerTurn
    endUnread()
    for event in try epoll.wait(milliseconds: 0) {
      if let listener = listeners[event.token] {
        accept(listener)
      } else if let connection = connections[event.token] {
        handle(event.readiness, connection)
      }
    }
  }

  /// Sends what has been answered; call it before waiting. `elapsed` as in `turn`.
  @export(interface)
  public func flush(elapsed: Int64) {
    self.elapsed = elapsed
    while !dirty.isEmpty {
      let connections = dirty
      dirty = []
      for connection in connections {
        connection.isDirty = false
        settle(connection)
      }
    }
  }

  // MARK: Connections

  private func accept(_ listener: Listener) {
    for _ in 0..<16 {
      do throws(SystemError) {
        guard let socket = try UnixSocket.accept(listener.socket) else { return }
        try adopt(socket)
      } catch {
        guard error.code == SystemError.tooManyOpen else { continue }
        log(.error, "no descriptor is left for a new connection; waiting until one is closed")
        listener.isPaused = true
        for (key, other) in listeners where other === listener {
          try? epoll.change(listener.socket.raw, [], token: key)
        }
        return
      }
    }
  }

  /// Serves a connected stream socket, which becomes non-blocking.
  @export(interface)
  public func adopt(_ socket: consuming FileDescriptor) throws(SystemError) {
    let credentials = try UnixSocket.credentials(of: socket)
    try adopt(socket, credentials)
  }

  func adopt(
    _ socket: consuming FileDescriptor, _ credentials: UnixSocket.Credentials
  ) throws(SystemError) {
    try socket.setNonBlocking(true)
    let isMember = credentials.isMember(of: configuration.operatorGroup)
    let isCritical = credentials.isMember(of: configuration.criticalGroup)
    let peer = Peer(
      uid: credentials.uid, pid: credentials.pid, isOperator: credentials.uid == 0 || isMember,
      criticalGroup: isCritical
        ? configuration.criticalGroup : isMember ? configuration.operatorGroup : nil)
    let account = account(of: peer.uid)
    if let limit = excess(peer, account, socket.raw) {
      let failure = VarlinkFailure(
        RequestError.limitReached(limit: "connections", value: Int64(limit)))
      _ = try socket.send(failure.encoded)
      return
    }
    lastKey += 1
    account.connections += 1
    account.isOperator = peer.isOperator
    if !peer.isOperator { guests += 1 }
    let connection = Connection(key: lastKey, socket: socket, peer: peer, account: account)
    connection.interest = .readable
    connections[lastKey] = connection
    try epoll.add(connection.socket.raw, .readable, token: lastKey)
  }

  private func account(of uid: UInt32) -> PeerQuota {
    if let account = accounts[uid] { return account }
    let rate = configuration.requestsPerSecond
    if accounts.count >= 256 {
      accounts = accounts.filter { !$0.value.isIdle(rate: rate, now: elapsed) }
    }
    let account = PeerQuota(uid: uid, rate: rate, now: elapsed)
    accounts[uid] = account
    return account
  }

  func close(_ connection: Connection, isUnread: Bool = false) {
    guard connections.removeValue(forKey: connection.key) != nil else { return }
    watching.remove(connection.key)
    if let session = connection.session {
      sessions[session] = nil
      endedSessions.append(
        EndedSession(
          session: session, isUnread: isUnread || connection.isBehind,
          readThrough: connection.readThrough))
    }
    connection.account.ready.removeAll { $0 === connection }
    if connection.inFlight > 0 {
      for (id, destination) in destinations
      where destination.connection == connection.key && !destination.oneway {
        abandoned.append(id)
      }
    }
    connection.account.connections -= 1
    if !connection.peer.isOperator { guests -= 1 }
    connection.account.heldBytes -= connection.held
    connection.held = 0
    giveRoom(in: connection.account) { connection.dropOutput() }
    try? epoll.remove(connection.socket.raw)
    connection.socket.shutDown()
    for (key, listener) in listeners where listener.isPaused {
      listener.isPaused = false
      try? epoll.change(listener.socket.raw, .readable, token: key)
    }
  }

  // MARK: Reading

  private func handle(_ readiness: Readiness, _ connection: Connection) {
    if !readiness.intersection([.hangup, .error]).isEmpty {
      if connection.watch.isOn || connection.session != nil {
        // The kernel tells of a client that closed before it had read all (unix(7)).
        return close(connection, isUnread: readiness.contains(.error))
      }
      giveRoom(in: connection.account) { connection.dropOutput() }
    }
    if connection.inputEnded {
      if connection.hungUp { close(connection) } else { mark(connection) }
      return
    }
    if connection.hungUp || readiness.contains(.readable) { read(connection) }
    mark(connection)
  }

  private func read(_ connection: Connection) {
    guard connection.mayCall, !connection.hasFrames, bytesLeft > 0 else { return }
    let received: Transfer
    do throws(SystemError) {
      received = try connection.socket.receive(into: room)
    } catch {
      return close(connection, isUnread: true)
    }
    switch received {
    case .wouldBlock: return
    case .end: connection.inputEnded = true
    case .bytes(let count):
      bytesLeft -= count
      churn += count
      connection.frames.append(UnsafeRawBufferPointer(rebasing: room[..<count]))
      connection.hasFrames = true
      enqueue(connection)
      noteHeld(connection)
    }
  }

  // MARK: After a change

  /// `flush` will look at this connection.
  func mark(_ connection: Connection) {
    guard !connection.isDirty else { return }
    connection.isDirty = true
    dirty.append(connection)
  }

  private func settle(_ connection: Connection) {
    guard connections[connection.key] != nil else { return }
    connection.advance()
    var isBroken = false
    giveRoom(in: connection.account) {
      repeat {
        churn += connection.takeWritten()
        isBroken = !connection.flush(elapsed: elapsed)
      } while !isBroken && connection.writeEvents()
    }
    if isBroken { return close(connection, isUnread: true) }
    noteDeadline(of: connection)
    askForPage(connection)
    if connection.isFinished { return close(connection) }
    enqueue(connection)
    watchFor(connection)
  }

  private func watchFor(_ connection: Connection) {
    var wanted: Readiness? = []
    if !connection.inputEnded, connection.mayCall, !connection.hasFrames {
      wanted = .readable
    } else if connection.hungUp {
      // The kernel tells that a client has gone whatever is asked, and would at every look.
      wanted = nil
    }
    if connection.unsent > 0 { wanted?.insert(.writable) }
    let before = connection.interest
    guard wanted != before else { return }
    connection.interest = wanted
    do throws(SystemError) {
      let socket = connection.socket.raw
      if let wanted, before != nil {
        try epoll.change(socket, wanted, token: connection.key)
      } else if let wanted {
        try epoll.add(socket, wanted, token: connection.key)
      } else {
        try epoll.remove(socket)
      }
    } catch {
      log(.error, "connection of uid \(connection.peer.uid): \(error.text)")
      close(connection)
    }
  }

  // MARK: Requests

  /// Gives a request to the loop.
  func submit(_ request: Request, _ connection: Connection, oneway: Bool = false) -> RequestID {
    lastRequest += 1
    count(lastRequest, request, connection, oneway: oneway)
    connection.inFlight += 1
    incoming.append(Incoming(id: lastRequest, peer: connection.peer, request: request))
    return lastRequest
  }
}
