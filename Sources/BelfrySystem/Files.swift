import BelfryCore
import CLinux

/// Files and folders; every call may wait for the disk, so none belongs on the clock's thread.
public enum Files {
  public struct Status: Hashable, Sendable {
    public enum Kind: Int32, Sendable {
      case regular = 1
      case folder, link, socket, other
    }

    public var kind: Kind
    /// The permission bits.
    public var mode: UInt32
    public var uid: UInt32
    public var gid: UInt32
    public var size: Int64
    public var modified: Instant
    /// When its bytes or its inode changed last; unlike `modified`, no program can set it.
    public var changed: Instant
    public var device: UInt64
    public var inode: UInt64
    /// Names that it has.
    public var links: UInt64
  }

  /// How a file is opened; exactly one of the first four.
  public struct Access: OptionSet, Sendable {
    public var rawValue: Int32
    @export(interface)
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Reading alone; an access without any of the next three.
    public static let read: Access = []
    public static let write = Access(rawValue: CLINUX_FILE_WRITE)
    public static let append = Access(rawValue: CLINUX_FILE_APPEND)
    public static let readWrite = Access(rawValue: CLINUX_FILE_READ_WRITE)
    public static let create = Access(rawValue: CLINUX_FILE_CREATE)
    public static let exclusive = Access(rawValue: CLINUX_FILE_EXCLUSIVE)
    public static let truncate = Access(rawValue: CLINUX_FILE_TRUNCATE)
    /// Fails with `SystemError.tooManyLinks` when the last component is a symbolic link.
    public static let noFollow = Access(rawValue: CLINUX_FILE_NO_FOLLOW)
  }

  /// open(2); never waits for the other end of a FIFO.
  public static func open(
    _ path: String, _ access: Access, mode: UInt32 = 0o600
  ) throws(SystemError) -> FileDescriptor {
    try checkPath(path, "open")
    let raw = clinux_file_open(path, access.rawValue, mode)
    return FileDescriptor(owning: try check(raw, "open \(path)"))
  }

  @export(interface)
  public static func status(_ path: String, follow: Bool = true) throws(SystemError) -> Status {
    try checkPath(path, "stat")
    var raw = clinux_file_status()
    try check(clinux_file_status_of(path, follow ? 1 : 0, &raw), "stat \(path)")
    return Status(raw)
  }

  @export(interface)
  public static func status(of file: borrowing FileDescriptor) throws(SystemError) -> Status {
    var raw = clinux_file_status()
    try check(clinux_file_status_of_open(file.raw, &raw), "fstat")
    return Status(raw)
  }

  /// A regular file's bytes. Anything else is `SystemError.invalid`, more than `limit` bytes
  /// `SystemError.tooBig`.
  @export(interface)
  public static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = try open(path, .read)
    return try read(file, path: path, limit: limit)
  }

  /// The rest of an open regular file, as above; `path` is for the error.
  @export(interface)
  public static func read(
    _ file: borrowing FileDescriptor, path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    let status = try status(of: file)
    guard status.kind == .regular else {
      throw SystemError(code: SystemError.invalid, operation: "read \(path), which is no file")
    }
    guard status.size <= Int64(limit) else {
      throw SystemError(code: SystemError.tooBig, operation: "read \(path)")
    }
    var bytes: [UInt8] = []
    // Files of /proc say that they are empty.
    var room = status.size == 0 ? 4096 : Int(status.size) + 1
    while let more = try file.read(atMost: room), !more.isEmpty {
      bytes += more
      if bytes.count > limit {
        throw SystemError(code: SystemError.tooBig, operation: "read \(path)")
      }
      room = max(4096, room - more.count)
    }
    return bytes
  }

  /// Replaces `path` by a file of these bytes: old or new, never half, also after a power cut.
  @export(interface)
  public static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600
  ) throws(SystemError) {
    let temporary = path + ".new"
    do throws(SystemError) {
      let file = try open(temporary, [.write, .create, .truncate, .noFollow], mode: mode)
      try Output.write(bytes, to: file)
      try file.sync()
      try rename(temporary, to: path)
    } catch {
      _ = clinux_file_remove(temporary)
      throw error
    }
    try open(parent(of: path), .read).sync()
  }

  /// rename(2), over whatever is there.
  public static func rename(_ from: String, to: String) throws(SystemError) {
    try checkPath(from, "rename")
    try checkPath(to, "rename")
    try check(clinux_file_rename(from, to), "rename \(from) to \(to)")
  }

  /// Removes a file, a link or a socket.
  public static func remove(_ path: String) throws(SystemError) {
    try checkPath(path, "remove")
    try check(clinux_file_remove(path), "remove \(path)")
  }

  /// chmod(2).
  public static func setMode(_ mode: UInt32, of path: String) throws(SystemError) {
    try checkPath(path, "chmod")
    try check(clinux_file_change_mode(path, mode), "chmod \(path)")
  }

  /// Takes the lock of a file (flock(2)), made where missing, for as long as the descriptor lives;
  /// nil: another process has it.
  ///
  /// On a read-only disk the lock of its folder stands in for a file that is not there.
  public static func lock(_ path: String) throws(SystemError) -> FileDescriptor? {
    let file = try openLock(path)
    let result = clinux_file_lock(file.raw)
    if result == -SystemError.wouldBlock { return nil }
    try check(result, "flock \(path)")
    return file
  }

  private static func openLock(_ path: String) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try open(path, [.readWrite, .create])
    } catch {
      guard error.code == SystemError.readOnly else { throw error }
      if let file = try? open(path, .read) { return file }
      return try open(parent(of: path), .read)
    }
  }

  /// What a symbolic link points to; also `/proc/self/exe`.
  @export(interface)
  public static func readLink(_ path: String) throws(SystemError) -> String {
    try checkPath(path, "readlink")
    var target = [CChar](repeating: 0, count: 4096)
    let length = try check(clinux_file_read_link(path, &target, 4096), "readlink \(path)")
    return String(decoding: target.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether this process may (access(2)): 4 read, 2 write, 1 run, or a sum of them.
  public static func may(_ path: String, _ bits: Int32) -> Bool {
    do throws(SystemError) {
      try require(path, bits)
      return true
    } catch {
      return false
    }
  }

  /// The same; an error says why not.
  public static func require(_ path: String, _ bits: Int32) throws(SystemError) {
    try checkPath(path, "access")
    try check(clinux_file_may(path, bits), "access \(path)")
  }
}

extension Files.Status {
  init(_ raw: clinux_file_status) {
    kind = Kind(rawValue: raw.kind) ?? .other
    mode = raw.mode
    uid = raw.uid
    gid = raw.gid
    size = raw.size
    modified = Instant(nanoseconds: raw.modified)
    changed = Instant(nanoseconds: raw.changed)
    device = raw.device
    inode = raw.inode
    links = raw.links
  }
}
