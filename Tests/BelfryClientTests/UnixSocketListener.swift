import BelfrySystem

/// A socket that takes connections and never reads.
final class UnixSocketListener {
  private var socket: FileDescriptor?

  init(_ path: String) throws { socket = try UnixSocket.listen(path, mode: 0o600) }

  /// Leaves the file behind.
  func close() { socket = nil }
}
