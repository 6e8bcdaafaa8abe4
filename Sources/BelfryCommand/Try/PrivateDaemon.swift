import BelfryClient
import BelfryCore
import BelfrySystem

/// A daemon with a directory of its own; both are gone when this is.
struct PrivateDaemon: ~Copyable {
  let folder: String
  private let child: Child

  var socket: String { folder + "/socket" }
  private var log: String { folder + "/log" }
  /// Readable once the daemon has ended.
  var ended: Int32 { child.descriptor.raw }

  /// Starts belfryd with the console plugin. What the plugin shows goes to `output`; what the daemon
  /// says goes to a log in its directory.
  static func start(_ program: String, output: Int32?) throws(CommandError) -> PrivateDaemon {
    // Below /tmp whatever TMPDIR says: a socket's path has 107 bytes at most.
    let folder = "/tmp/belfry-try-" + String(Random.uuid().text.prefix(8))
    do throws(SystemError) {
      try Files.makeFolder(folder, mode: 0o700)
      do throws(SystemError) {
        let child = try spawn(program, folder, output: output)
        return PrivateDaemon(folder: folder, child: child)
      } catch {
        try? Files.removeTree(folder)
        throw error
      }
    } catch {
      throw .refused(error.text)
    }
  }

  private init(folder: String, child: consuming Child) {
    self.folder = folder
    self.child = child
  }

  private static func spawn(
    _ program: String, _ folder: String, output: Int32?
  ) throws(SystemError) -> Child {
    let configuration = "[plugin:console]\nfile = console\n"
    try Files.write(Array(configuration.utf8), to: folder + "/belfry.conf")
    let log = try Files.open(folder + "/log", [.append, .create])
    let nothing = try Files.open("/dev/null", .read)
    let environment = Environment.all.filter {
      !$0.hasPrefix("NOTIFY_SOCKET=") && !$0.hasPrefix("LISTEN_") && !$0.hasPrefix("WATCHDOG_")
    }
    return try Child.spawn(
      program, arguments: [program, "--directory", folder], environment: environment,
      descriptors: [(nothing.raw, 0), (output ?? log.raw, 1), (log.raw, 2)])
  }

  /// A connection, as soon as the daemon answers.
  func connect(_ stop: borrowing SignalDescriptor) throws(CommandError) -> Client {
    let deadline = SystemClock.elapsed() + 10 * Nanoseconds.second
    while SystemClock.elapsed() < deadline {
      if let client = try? Client(path: socket) { return client }
      var entries = [
        Poll.Entry(ended, .readable), Poll.Entry(stop.descriptor.raw, .readable),
      ]
      _ = try? Poll.wait(&entries, milliseconds: 10)
      if !entries[1].ready.isEmpty { throw TryCommand.stopped }
      if !entries[0].ready.isEmpty { throw .refused("belfryd ended at once: " + lastWords) }
    }
    throw .refused("belfryd does not answer: " + lastWords)
  }

  /// The end of the daemon's log.
  var lastWords: String {
    guard let bytes = try? Files.read(log, limit: 1 << 20) else { return "it left no log" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.last.map { String($0) } ?? "it said nothing"
  }

  deinit {
    // Its own children end with it, by end of file on their sockets.
    try? BelfrySystem.Process.signal(child.pid, .terminate)
    if Poll.wait(child.descriptor.raw, .readable, milliseconds: 3000).isEmpty { child.killGroup() }
    _ = try? child.reap(wait: true)
    try? Files.removeTree(folder)
  }
}
