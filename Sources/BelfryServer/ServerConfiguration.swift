import BelfryCore

/// The limits of the local socket (A2).
public struct ServerConfiguration: Sendable {
  /// Connections of one uid at a time, while nobody else needs them.
  public var connectionsOfUser: Int32 = 64
  /// Connections in all but the operator's, which are not counted.
  public var connections: Int32 = 256
  /// Calls of one uid in a second, on all its connections; as many again may come at once.
  public var requestsPerSecond: Int32 = 10_000
  /// A connection whose descriptor would have this number or a higher one is refused: the rest
  /// are for the daemon's own files and children.
  public var descriptors = Int32.max
  /// The user that the daemon runs for: like the operator he waits for no share of its time.
  public var owner: UInt32?
  /// The gid whose members are the operator besides root (A1).
  public var operatorGroup: UInt32?
  /// The gid whose members' apps may be critical (S6); the operator's may too.
  public var criticalGroup: UInt32?
  /// What `GetInfo` says; `url` is empty because the project has no page on the web.
  public var version = BelfryVersion.text
  public var url = ""

  public init() {}
}

/// Bounds that nobody needs to set.
enum ServerLimits {
  /// A user who has fewer connections than these gets one, if need be that of who has most.
  static let guaranteed: Int32 = 8
  /// Of the clock thread's time a user has so many thousandths, and so much at once, in nanoseconds;
  /// the operator's calls weigh so many times less against others' (A2).
  static let timePermille: Int64 = 200
  static let timeBurst = Nanoseconds.second / 2
  static let operatorShare: Int64 = 4
  /// A longer message is read by another thread.
  static let bytesReadHere = 16 * 1024
  /// A turn ends after so much work.
  static let turnTime = 3 * Nanoseconds.millisecond / 2
  /// Calls handled, and bytes read, before the clock gets its turn again.
  static let callsPerTurn = 256
  static let bytesPerTurn = 256 * 1024
  static let bytesPerRead = 64 * 1024
  /// A connection with this much unread output is not read from, and gets no next page.
  static let outputPause = 256 * 1024
  /// Unread output of a user, on all his connections: beyond, those with some of it are not read from, and
  /// no answer of many rows goes on.
  static let userUnsent = 4 << 20
  /// A client that leaves this much of its events unread is disconnected.
  static let watchOutput = 1 << 20
  /// So is a session with more events than these behind what its client has not read.
  static let sessionEvents = 1024
  /// Messages of a user whose requests are not answered: beyond, what he sends next waits in his
  /// sockets, so that what he has under way in the store delays nobody by more (A2). Small ones count
  /// as so many bytes.
  static let userRequests = 256 << 10
  static let callWeight = 4 << 10
  /// Those whose answer has many rows, which may be long.
  static let pageWeight = 32 << 10
  /// So much more on connections that wait for nothing, so that a user can stop what another program of
  /// his asks for, or what a disk hangs with.
  static let userReserve = 64 << 10
  /// Of messages and lists that have not come to their end: beyond, he is disconnected.
  static let userHeld = 32 << 20
  /// What may wait to be told in all sessions of a user; beyond, the one with most is disconnected.
  static let userEvents = 32 << 20
  /// A client that takes nothing of what waits for it for so long is disconnected.
  static let unreadTimeout = 30 * Nanoseconds.second
  /// Rows asked for at a time where a call has `more`.
  static let page: Int32 = 16
  /// Notifications gathered for one `ReplaceAll`, and the bytes of its messages.
  static let replaced = 10_000
  static let replacedBytes = 16 << 20
}
