import BelfryCore
import CLinux

/// Unix sockets (unix(7)); all are close-on-exec.
public enum UnixSocket {
  public enum Kind: Int32, Sendable {
    case stream = 1
    case datagram = 2
    /// Packets in order over a connection: SOCK_SEQPACKET.
    case packet = 5
  }

  /// Listens at `path`, non-blocking, readable and writable as `mode` says whatever the umask.
  ///
  /// A socket file that nobody answers at is removed. `SystemError.addressInUse`: a live listener
  /// is there, or something that is no socket.
  public static func listen(
    _ path: String, _ kind: Kind = .stream, mode: UInt32, backlog: Int32 = 128
  ) throws(SystemError) -> FileDescriptor {
    let operation = "listen at \(path)"
    try checkPath(path, operation)
    try removeStale(path, kind, operation)
    let raw = clinux_socket_listen(path, kind.rawValue, mode, backlog)
    return FileDescriptor(owning: try check(raw, operation))
  }

  private static func removeStale(
    _ path: String, _ kind: Kind, _ operation: String
  ) throws(SystemError) {
    guard let status = try? Files.status(path, follow: false) else { return }
    let inUse = SystemError(code: SystemError.addressInUse, operation: operation)
    guard status.kind == .socket else { throw inUse }
    do throws(SystemError) {
      _ = try connect(path, kind)
    } catch {
      guard error.code == SystemError.refused else { throw inUse }
      return try Files.remove(path)
    }
    throw inUse
  }

  /// Connects to `path`, blocking; a leading `@` means the abstract name space.
  ///
  /// `SystemError.wouldBlock`: the listener's queue was full for so many `milliseconds` (nil: waits
  /// for ever).
  public static func connect(
    _ path: String, _ kind: Kind = .stream, milliseconds: Int32? = nil
  ) throws(SystemError) -> FileDescriptor {
    let operation = "connect \(path)"
    try checkPath(path, operation)
    let raw = clinux_socket_connect(path, kind.rawValue, milliseconds.map { max(1, $0) } ?? 0)
    return FileDescriptor(owning: try check(raw, operation))
  }

  /// Accepts a connection, non-blocking; nil: nobody is there.
  public static func accept(
    _ listener: borrowing FileDescriptor
  ) throws(SystemError) -> FileDescriptor? {
    let raw = clinux_socket_accept(listener.raw)
    if raw == -SystemError.wouldBlock { return nil }
    return FileDescriptor(owning: try check(raw, "accept"))
  }

  /// Two connected ends, both blocking until told otherwise.
  public static func pair(_ kind: Kind) throws(SystemError) -> Pair {
    var first: Int32 = -1
    var second: Int32 = -1
    try check(clinux_socket_pair(kind.rawValue, &first, &second), "socketpair")
    return Pair(first: FileDescriptor(owning: first), second: FileDescriptor(owning: second))
  }

  @frozen
  public struct Pair: ~Copyable {
    public var first: FileDescriptor
    public var second: FileDescriptor
  }

  /// Who connected, as the kernel says (SO_PEERCRED, SO_PEERGROUPS).
  public struct Credentials: Hashable, Sendable {
    public var pid: Int32
    public var uid: UInt32
    public var gid: UInt32
    /// Supplementary groups.
    public var groups: [UInt32]

    /// nil: no group, which has no members.
    public func isMember(of group: UInt32?) -> Bool {
      group.map { gid == $0 || groups.contains($0) } ?? false
    }
  }

  public static func credentials(
    of socket: borrowing FileDescriptor
  ) throws(SystemError) -> Credentials {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    try check(clinux_socket_peer(socket.raw, &pid, &uid, &gid), "SO_PEERCRED")
    return Credentials(pid: pid, uid: uid, gid: gid, groups: groups(of: socket))
  }

  /// None where the kernel (before 4.13) does not say.
  private static func groups(of socket: borrowing FileDescriptor) -> [UInt32] {
    var room = 64
    // 65,536 is the kernel's own limit (NGROUPS_MAX).
    while room <= 65_536 {
      var groups = [UInt32](repeating: 0, count: room)
      let count = clinux_socket_peer_groups(socket.raw, &groups, room)
      if count >= 0 { return Array(groups.prefix(Int(count))) }
      if count != -SystemError.range { return [] }
      room *= 32
    }
    return []
  }

  /// A listening Unix stream socket that somebody handed to us (sd_listen_fds(3)).
  public static func isListening(_ raw: Int32, _ kind: Kind = .stream) -> Bool {
    clinux_socket_is_listening(raw, kind.rawValue) == 1
  }
}

extension FileDescriptor {
  /// send(2), never SIGPIPE; how many bytes went, nil when it would block (`wait` false only).
  public borrowing func send(
    _ bytes: UnsafeRawBufferPointer, wait: Bool = false
  ) throws(SystemError) -> Int? {
    let count = clinux_socket_send(raw, bytes.baseAddress, bytes.count, wait ? 1 : 0)
    return count == -Int64(SystemError.wouldBlock) ? nil : try check(count, "send")
  }

  /// send(2) of a packet or the start of a stream, as above.
  public borrowing func send(_ bytes: [UInt8], wait: Bool = false) throws(SystemError) -> Int? {
    var count: Int64 = 0
    bytes.withUnsafeBytes {
      count = clinux_socket_send(raw, $0.baseAddress, $0.count, wait ? 1 : 0)
    }
    return count == -Int64(SystemError.wouldBlock) ? nil : try check(count, "send")
  }

  /// recv(2); for a packet the true length, which may exceed the buffer: the rest is gone.
  public borrowing func receive(
    into buffer: UnsafeMutableRawBufferPointer, wait: Bool = false
  ) throws(SystemError) -> Transfer {
    let count = clinux_socket_receive(raw, buffer.baseAddress, buffer.count, wait ? 1 : 0)
    return try Transfer(count, "receive")
  }

  /// recv(2) of at most `size` bytes; nil: would block (`wait` false only); empty: the end, or an
  /// empty packet. A packet longer than `size` is `SystemError.messageSize`.
  public borrowing func receive(
    atMost size: Int, wait: Bool = false
  ) throws(SystemError) -> [UInt8]? {
    try collect(size) { buffer throws(SystemError) in try receive(into: buffer, wait: wait) }
  }

  /// SO_SNDBUF, which the kernel doubles.
  public borrowing func setSendBuffer(_ bytes: Int32) throws(SystemError) {
    try check(clinux_socket_set_send_buffer(raw, bytes), "SO_SNDBUF")
  }

  /// Whether the other end has read all that was sent (SIOCOUTQ); false where that is not known.
  public borrowing func isAllRead() -> Bool { clinux_socket_unread(raw) == 0 }

  /// shutdown(2) of both directions: the other side sees the end whoever else holds a copy.
  public borrowing func shutDown() {
    _ = clinux_socket_shut_down(raw)
  }
}
