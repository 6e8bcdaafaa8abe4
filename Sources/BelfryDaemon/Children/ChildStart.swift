import BelfrySystem

/// A child that was just started, on its way from the helper thread to the clock.
final class ChildStart: @unchecked Sendable {
  let child: Child
  /// Our end of its descriptor 3, non-blocking.
  let socket: FileDescriptor
  /// The plugin's file that was found; empty for the speaker.
  let file: String

  init(_ child: consuming Child, _ socket: consuming FileDescriptor, file: String) {
    self.child = child
    self.socket = socket
    self.file = file
  }

  /// Starts `program` with a fresh socketpair as descriptor 3, nothing to read, and our output.
  static func start(
    _ program: String, environment: [String], file: String
  ) throws(SystemError) -> ChildStart {
    let pair = try UnixSocket.pair(.packet)
    let nothing = try Files.open("/dev/null", .read)
    let child = try Child.spawn(
      program, arguments: [program], environment: environment,
      descriptors: [
        (from: nothing.raw, to: 0), (from: 1, to: 1), (from: 2, to: 2),
        (from: pair.second.raw, to: 3),
      ])
    try pair.first.setNonBlocking(true)
    // A burst of the scheduler's window must fit.
    try? pair.first.setSendBuffer(256 * 1024)
    return ChildStart(child, pair.first, file: file)
  }
}
