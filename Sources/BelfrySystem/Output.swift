import BelfryCore
import CLinux

/// Bytes and lines to open descriptors, waiting as long as it takes.
public enum Output {
  public static let standard: Int32 = 1
  public static let error: Int32 = 2

  /// Writes all of it, also to a descriptor that does not block.
  public static func write(
    _ bytes: [UInt8], to file: borrowing FileDescriptor
  ) throws(SystemError) {
    try write(bytes, to: file.raw)
  }

  public static func write(_ bytes: [UInt8], to raw: Int32) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      var count: Int64 = 0
      bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
        count = clinux_descriptor_write(raw, rest.baseAddress, rest.count)
      }
      if count == -Int64(SystemError.wouldBlock) {
        _ = Poll.wait(raw, .writable)
      } else {
        sent += try check(count, "write")
      }
    }
  }

  /// A line on standard output, its end included.
  public static func line(_ text: String) throws(SystemError) {
    try write(Array((text + "\n").utf8), to: standard)
  }

  /// A line on standard error, whatever becomes of it.
  public static func errorLine(_ text: String) {
    try? write(Array((text + "\n").utf8), to: error)
  }

  /// Whether two descriptors are of one file, pipe or socket.
  public static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    var devices: (UInt64, UInt64) = (0, 0)
    var inodes: (UInt64, UInt64) = (0, 0)
    return clinux_descriptor_identity(one, &devices.0, &inodes.0) == 0
      && clinux_descriptor_identity(other, &devices.1, &inodes.1) == 0
      && devices.0 == devices.1 && inodes.0 == inodes.1
  }

  public static func isTerminal(_ raw: Int32) -> Bool {
    clinux_descriptor_is_terminal(raw) == 1
  }

  /// A terminal's width in columns; nil: no terminal, or it does not say.
  public static func columns(_ raw: Int32) -> Int? {
    let columns = clinux_descriptor_columns(raw)
    return columns > 0 ? Int(columns) : nil
  }

  /// Whether a descriptor is the one that `JOURNAL_STREAM` names (systemd.exec(5)).
  public static func isJournal(_ raw: Int32) -> Bool {
    guard let stream = Environment.value(of: "JOURNAL_STREAM") else { return false }
    var device: UInt64 = 0
    var inode: UInt64 = 0
    guard clinux_descriptor_identity(raw, &device, &inode) == 0 else { return false }
    return ByteString(stream) == ByteString("\(device):\(inode)")
  }
}
