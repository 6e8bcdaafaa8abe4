import BelfryCore
import BelfrySystem
import BelfryWire

/// Asks the calendars plugin without a daemon: a `belfry-worker` of our own, as long as this lives
/// (N6).
struct CalendarWorker: ~Copyable {
  /// The plugin's name in the plugin folders.
  static let plugin = "calendars"
  /// How long it may take to be loaded, and again to answer.
  private static let patience = 10 * Nanoseconds.second

  private let child: Child
  private let socket: UnixSocket.Pair
  /// Where the worker keeps its files.
  private let folder: String

  /// Starts it for questions about `calendar`; refuses with what to install where something is
  /// missing.
  static func start(
    _ calendar: String, _ installation: Installation
  ) throws(CommandError) -> CalendarWorker {
    guard let file = installation.plugin(plugin) else {
      throw .refused("--calendar: " + FieldError.needsPlugin(calendar: calendar))
    }
    let program = try installation.need("belfry-worker")
    let folder = (Environment.value(of: "TMPDIR") ?? "/tmp") + "/belfry-" + Random.uuid().text
    let worker: CalendarWorker
    do throws(SystemError) {
      try Files.makeFolder(folder, mode: 0o700)
      worker = try spawn(
        program,
        ChildConfiguration(name: plugin, file: file, settings: [], runDirectory: folder))
    } catch {
      try? Files.removeTree(folder)
      throw .refused("--calendar: " + error.text)
    }
    // Not asked before it is ready: what it says of its end could be lost.
    if let reason = worker.reasonNotReady() { throw .refused("--calendar: " + reason) }
    return worker
  }

  private static func spawn(
    _ program: String, _ configuration: ChildConfiguration
  ) throws(SystemError) -> CalendarWorker {
    let quiet = try Files.open("/dev/null", .readWrite)
    var socket = try UnixSocket.pair(.packet)
    let child = try Child.spawn(
      program, arguments: [program], environment: Environment.all,
      descriptors: [(quiet.raw, 0), (quiet.raw, 1), (2, 2), (socket.second.raw, 3)])
    // Closes this process's copy of the worker's end, so that the end of the worker is seen.
    socket.second = quiet
    let worker = CalendarWorker(
      child: child, socket: socket, folder: configuration.runDirectory)
    worker.send(.configure(configuration))
    return worker
  }

  private init(
    child: consuming Child, socket: consuming UnixSocket.Pair, folder: String
  ) {
    self.child = child
    self.socket = socket
    self.folder = folder
  }

  deinit {
    child.killGroup()
    _ = try? child.reap(wait: true)
    try? Files.removeTree(folder)
  }

  func ask(_ question: CalendarQuestion) throws(CommandError) -> CalendarDays {
    send(.calendar(token: 1, question))
    let answer = receive { message in
      if case .calendar(_, let answer) = message { return answer }
      return nil
    }
    if let days = CalendarDays(question, answer) { return days }
    guard case .failed(let reason) = answer else {
      throw .refused("--calendar: the plugin's answer is none")
    }
    throw .refused("--calendar: " + reason)
  }

  private func reasonNotReady() -> String? {
    let answer = receive { message in
      if case .ready = message { return .days([], isLast: true) }
      return nil
    }
    if case .failed(let reason) = answer { return reason }
    return nil
  }

  /// What it says, once it says what `isMeant` knows.
  private func receive(_ isMeant: (MessageFromChild) -> CalendarAnswer?) -> CalendarAnswer {
    while true {
      let wait = Int32(Self.patience / Nanoseconds.millisecond)
      guard !Poll.wait(socket.first.raw, .readable, milliseconds: wait).isEmpty else {
        return .failed(
          reason: "the plugin did not answer within \(Self.patience / Nanoseconds.second) s")
      }
      guard let bytes = receiveBytes(), !bytes.isEmpty,
        let message = try? MessageFromChild.decode(bytes)
      else { return .failed(reason: "the plugin's process ended without an answer") }
      if case .refused(let reason) = message { return .failed(reason: reason) }
      if let answer = isMeant(message) { return answer }
    }
  }

  /// One that ends before it has read the question resets the socket; what it has said comes behind
  /// that error.
  private func receiveBytes() -> [UInt8]? {
    let limit = WorkerMessage.limit
    return (try? socket.first.receive(atMost: limit, wait: true))
      ?? (try? socket.first.receive(atMost: limit, wait: true))
  }

  /// An error shows as a missing answer.
  private func send(_ message: MessageToChild) {
    guard let bytes = try? message.encode() else { return }
    _ = try? socket.first.send(bytes, wait: true)
  }
}
