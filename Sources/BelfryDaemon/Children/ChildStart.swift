import BelfrySystem

/// A child that was just started, on its way from the worker thread to the clock.
final class ChildStart: @unchecked Sendable {
  let child: Child
  /// Our end of its descriptor 3, non-blocking.
  let socket: FileDescriptor
  /// The plugin's file that was found; empty for the speaker.
  let file: String
  /// What it has to do without; nil: nothing.
  let warning: String?
  /// What it prints; nil: that goes where ours does.
  let output: PipeEnd?
  /// Of all starts of this daemon, by which what it leaves behind is known.
  let life: Int32

  init(
    _ child: consuming Child, _ socket: consuming FileDescriptor, file: String,
    warning: String? = nil, output: PipeEnd? = nil, life: Int32 = 0
  ) {
    self.child = child
    self.socket = socket
    self.file = file
    self.warning = warning
    self.output = output
    self.life = life
  }

  /// Starts `program` with a fresh socketpair as descriptor 3 and nothing to read. What it prints
  /// comes by a pipe where ours goes to a log; a terminal and a file of its own it has itself.
  /// `identity`: whom it is to become, with `folder` as descriptor 4.
  static func start(
    _ program: String, environment: [String], file: String, as identity: Child.Identity?,
    folder: RunFolder?, warning: String?, life: Int32
  ) throws(SystemError) -> ChildStart {
    var environment = environment
    if let identity { environment.append(Child.Identity.variable + "=" + identity.text) }
    let pair = try UnixSocket.pair(.packet)
    let nothing = try Files.open("/dev/null", .read)
    let pipe = try FileDescriptor.pipe()
    try pipe.read.setNonBlocking(true)
    let isLogged = !Output.isTerminal(Output.error)
    let isOneLog = isLogged && Output.isSame(Output.standard, Output.error)
    var descriptors: [(from: Int32, to: Int32)] = [
      (from: nothing.raw, to: 0),
      (from: isOneLog ? pipe.write.raw : Output.standard, to: Output.standard),
      (from: isLogged ? pipe.write.raw : Output.error, to: Output.error),
      (from: pair.second.raw, to: 3),
    ]
    if let folder { descriptors.append((from: folder.raw, to: RunFolder.number)) }
    let child = try Child.spawn(
      program, arguments: [program], environment: environment, descriptors: descriptors)
    Orphans.mark(child.pid, life: life)
    try pair.first.setNonBlocking(true)
    // A burst of the scheduler's window must fit.
    try? pair.first.setSendBuffer(256 * 1024)
    return ChildStart(
      child, pair.first, file: file, warning: warning,
      output: isLogged ? PipeEnd(pipe.read) : nil, life: life)
  }
}
