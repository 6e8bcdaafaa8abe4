import CLinux

/// An open file descriptor, closed when its owner goes.
@frozen
public struct FileDescriptor: ~Copyable, Sendable {
  /// Its number, valid as long as this owner lives.
  public let raw: Int32

  public init(owning raw: Int32) {
    self.raw = raw
  }

  deinit {
    _ = clinux_descriptor_close(raw)
  }

  /// Gives the number away: the caller closes it.
  public consuming func release() -> Int32 {
    let number = raw
    discard self
    return number
  }
}

/// What a read that may not wait came to.
public enum Transfer: Hashable, Sendable {
  /// So many bytes; for a packet its true length.
  case bytes(Int)
  case wouldBlock
  /// The other side has closed.
  case end
}

extension FileDescriptor {
  /// read(2) into `buffer`.
  public borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Transfer {
    try Transfer(clinux_descriptor_read(raw, buffer.baseAddress, buffer.count), "read")
  }

  /// read(2) of at most `size` bytes; nil: would block; empty: the end.
  public borrowing func read(atMost size: Int) throws(SystemError) -> [UInt8]? {
    try collect(size) { buffer throws(SystemError) in try read(into: buffer) }
  }

  /// write(2); how many bytes went, 0 when it would block.
  public borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    let count = clinux_descriptor_write(raw, bytes.baseAddress, bytes.count)
    return count == -Int64(SystemError.wouldBlock) ? 0 : try check(count, "write")
  }

  /// pread(2) into `buffer`; how many bytes came, fewer than fit only at the end of the file.
  public borrowing func read(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    guard let start = buffer.baseAddress, buffer.count > 0 else { return 0 }
    return Int(try check(clinux_file_read_at(raw, start, buffer.count, offset), "pread"))
  }

  /// pwrite(2) of all bytes.
  public borrowing func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    let result = bytes.withUnsafeBytes {
      $0.isEmpty ? 0 : clinux_file_write_at(raw, $0.baseAddress!, $0.count, offset)
    }
    try check(result, "pwrite")
  }

  /// Whether another process holds an fcntl(2) lock on some of these bytes.
  public borrowing func isLocked(at offset: Int64, size: Int64) throws(SystemError) -> Bool {
    try check(clinux_file_is_locked(raw, offset, size), "fcntl") != 0
  }

  public borrowing func setNonBlocking(_ on: Bool) throws(SystemError) {
    try check(clinux_descriptor_set_nonblocking(raw, on ? 1 : 0), "fcntl")
  }

  public borrowing func setCloseOnExec(_ on: Bool) throws(SystemError) {
    try check(clinux_descriptor_set_close_on_exec(raw, on ? 1 : 0), "fcntl")
  }

  /// Another descriptor for the same thing, close-on-exec.
  public borrowing func duplicate() throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try check(clinux_descriptor_duplicate(raw, 3), "fcntl"))
  }

  /// fsync(2).
  public borrowing func sync() throws(SystemError) {
    try check(clinux_file_sync(raw), "fsync")
  }

  /// The read end and the write end of a pipe(2).
  public static func pipe() throws(SystemError) -> Pipe {
    var read: Int32 = -1
    var write: Int32 = -1
    try check(clinux_descriptor_pipe(&read, &write), "pipe")
    return Pipe(read: FileDescriptor(owning: read), write: FileDescriptor(owning: write))
  }

  @frozen
  public struct Pipe: ~Copyable {
    public var read: FileDescriptor
    public var write: FileDescriptor
  }
}

extension Transfer {
  init(_ count: Int64, _ operation: String) throws(SystemError) {
    switch count {
    case -Int64(SystemError.wouldBlock): self = .wouldBlock
    case 0: self = .end
    default: self = .bytes(try check(count, operation))
    }
  }
}

/// The bytes that `fill` puts into a fresh buffer; nil: would block; empty: the end. More than
/// `size`, of a packet that was cut, is an error.
func collect(
  _ size: Int,
  _ fill: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Transfer
) throws(SystemError) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: size)
  var transfer = Transfer.wouldBlock
  var failure: SystemError?
  bytes.withUnsafeMutableBytes { buffer in
    do throws(SystemError) {
      transfer = try fill(buffer)
    } catch {
      failure = error
    }
  }
  if let failure { throw failure }
  switch transfer {
  case .wouldBlock: return nil
  case .end: return []
  case .bytes(let count):
    guard count <= size else {
      throw SystemError(code: SystemError.messageSize, operation: "receive")
    }
    bytes.removeLast(size - count)
    return bytes
  }
}
