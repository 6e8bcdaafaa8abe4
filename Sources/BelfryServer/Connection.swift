import BelfryCore
import BelfrySystem
import BelfryWire

/// A call that has not been answered to its end.
struct PendingCall {
  enum Kind {
    /// One reply.
    case single
    /// One reply of many rows: the calls after it wait, so that not many such replies pile up.
    case page
    /// The reply to `PresentNow` says less.
    case present
    /// That to `Push` says more.
    case push(PushNotes)
    /// The last part of a list: how many notifications came in all its parts.
    case replace(received: Int64)
    /// One row a reply: the request for the next page, and how many rows are wanted yet.
    indirect case stream(Request, left: Int64)
    case watch(app: String?)
    /// Events as they come, until the connection ends.
    case session
  }

  var id: RequestID
  var kind: Kind
  /// Messages that wait for the calls before this one.
  var output: [UInt8] = []
  var isDone = false
  /// A stream whose page is under way.
  var isAsking = false

  var isSession: Bool {
    if case .session = kind { return true }
    return false
  }
}

/// A client's connection.
final class Connection {
  /// Names it to epoll; never reused.
  let key: UInt64
  let socket: FileDescriptor
  let peer: Peer
  let account: PeerQuota

  var frames = VarlinkFrames()
  /// In the order in which they came; the first one's replies go out.
  var calls: [PendingCall] = []
  /// Requests with the scheduler, `oneway` ones too.
  var inFlight = 0
  private var output: [UInt8] = []
  private var sent = 0
  private var written = 0
  /// Since when its socket has taken nothing of what waits, by CLOCK_BOOTTIME; nil: nothing waits.
  private(set) var blockedSince: Int64?
  /// The parts of a list so far (N16).
  var replacement: Replacement?
  /// Of `frames` and `replacement`, as its user's account counts them.
  var held = 0
  /// The session that it is or is to be.
  var session: SessionID?
  /// What its app is to be told, and was not written yet: it shares its content with the scheduler.
  private(set) var events: [SessionEvent] = []
  /// About how much memory that takes.
  private(set) var eventBytes = 0
  /// The newest event of its session, and the newest that its client has certainly read.
  private var lastEvent: Int64 = 0
  private(set) var readThrough: Int64 = 0

  /// The client has shut down its writing half: nothing more comes, replies still go.
  var inputEnded = false
  /// The client is gone: replies go nowhere.
  var hungUp = false
  /// Whole messages may wait in `frames`.
  var hasFrames = false
  var isQueued = false
  var isDirty = false
  /// What the kernel is asked to tell; nil: nothing, not even that the client has gone.
  var interest: Readiness? = []

  struct Replacement {
    var app: String
    var notifications: [Notification] = []
    var bytes = 0
    /// A part was refused, so the whole will be.
    var isBroken = false
  }

  init(key: UInt64, socket: consuming FileDescriptor, peer: Peer, account: PeerQuota) {
    self.key = key
    self.socket = socket
    self.peer = peer
    self.account = account
  }

  var unsent: Int { output.count - sent }

  /// Not all that it is told has left us.
  var isBehind: Bool { unsent > 0 || !events.isEmpty }

  /// A call goes on that those after it wait for.
  var isHeld: Bool {
    guard let last = calls.last, !last.isDone else { return false }
    switch last.kind {
    case .watch, .stream, .page, .session: return true
    default: return false
    }
  }

  /// Whether its next call may be handled.
  var mayCall: Bool {
    if account.isReading || account.isOverfull || account.isFull && inFlight > 0 { return false }
    if hungUp { return true }
    return !isHeld && unsent < ServerLimits.outputPause
      && (unsent == 0 || account.unsentBytes < ServerLimits.userUnsent)
  }

  var isFinished: Bool {
    guard inputEnded, !hasFrames else { return false }
    return hungUp || (calls.isEmpty && unsent == 0)
  }

  /// The watch whose turn it is; nil: none.
  var watch: (isOn: Bool, app: String?) {
    if case .watch(let app)? = calls.first?.kind { return (true, app) }
    return (false, nil)
  }

  func write(_ bytes: [UInt8]) {
    guard !hungUp else { return }
    written += bytes.count
    account.unsentBytes += bytes.count
    output.append(contentsOf: bytes)
  }

  /// Bytes written since the last call.
  func takeWritten() -> Int {
    defer { written = 0 }
    return written
  }

  /// Gives up room that nothing stands in.
  func shrink() {
    frames.shrink()
    if unsent == 0 { (output, sent) = ([], 0) }
    if calls.isEmpty { calls = [] }
    if events.isEmpty { events = [] }
  }

  /// Moves out what finished calls at the head of the line have to say.
  func advance() {
    var finished = 0
    while finished < calls.count {
      if !calls[finished].output.isEmpty {
        write(calls[finished].output)
        calls[finished].output = []
      }
      guard calls[finished].isDone else { break }
      finished += 1
    }
    if finished > 0 { calls.removeFirst(finished) }
  }

  /// Puts an event in line; before, notes whether all earlier ones have been read.
  func append(_ event: SessionEvent) {
    if !isBehind, socket.isAllRead() { readThrough = lastEvent }
    lastEvent = event.id
    events.append(event)
    count(event.occurrence.notification.weight)
  }

  private func count(_ bytes: Int) {
    eventBytes += bytes
    account.eventBytes += bytes
  }

  /// Writes what a session is to be told, as far as its client keeps up; false: nothing.
  func writeEvents() -> Bool {
    guard !events.isEmpty, calls.first?.isSession ?? false, unsent < ServerLimits.outputPause else {
      return false
    }
    var count = 0
    for event in events where unsent < ServerLimits.outputPause {
      write(Varlink.reply(["event": .object(event.parameters)], continues: true))
      count += 1
    }
    for event in events.prefix(count) { self.count(-event.occurrence.notification.weight) }
    events.removeFirst(count)
    return true
  }

  /// Sends what the socket takes; false: the connection is broken.
  func flush(elapsed: Int64) -> Bool {
    let before = unsent
    while unsent > 0 {
      var count: Int?
      var isBroken = false
      output.withUnsafeBytes { bytes in
        do throws(SystemError) {
          count = try socket.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
        } catch {
          isBroken = true
        }
      }
      if isBroken { return false }
      guard let count else { break }
      sent += count
      account.unsentBytes -= count
    }
    if unsent == 0 {
      blockedSince = nil
    } else if unsent < before || blockedSince == nil {
      blockedSince = elapsed
    }
    if unsent == 0 {
      output.removeAll(keepingCapacity: output.capacity <= 1 << 16)
      sent = 0
    } else if sent > 1 << 20 {
      output.removeFirst(sent)
      sent = 0
    }
    return true
  }

  /// Nobody reads any more.
  func dropOutput() {
    hungUp = true
    account.unsentBytes -= unsent
    output = []
    sent = 0
    blockedSince = nil
    calls = []
    events = []
    count(-eventBytes)
  }
}
