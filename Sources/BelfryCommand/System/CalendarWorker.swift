import BelfryCore
import BelfrySystem
import BelfryWire

/// Asks a calendar plugin without a daemon: a `belfry-worker` of our own, for one question (N6).
enum CalendarWorker {
  /// The plugin's name in the plugin folders.
  static let plugin = "calendars"
  /// How long it may take to be loaded, and again to answer.
  private static let patience = 10 * Duration.second

  static func ask(_ question: CalendarQuestion) throws(CommandError) -> CalendarDays {
    let installation = try Installation.here()
    let worker = try installation.need("belfry-worker")
    guard let file = installation.plugin(plugin) else {
      throw .refused("--calendar: " + FieldError.needsPlugin(calendar: question.calendar))
    }
    do throws(SystemError) {
      let folder = (Environment.value(of: "TMPDIR") ?? "/tmp") + "/belfry-" + Random.uuid().text
      try Files.makeFolder(folder, mode: 0o700)
      defer { try? Files.removeTree(folder) }
      let answer = try converse(worker, file, folder, question)
      if let days = CalendarDays(question, answer) { return days }
      throw SystemError(code: 0, operation: reason(answer))
    } catch {
      throw .refused("--calendar: " + (error.code == 0 ? error.operation : error.text))
    }
  }

  private static func reason(_ answer: CalendarAnswer) -> String {
    if case .failed(let reason) = answer { return reason }
    return "the plugin answered nonsense"
  }

  private static func converse(
    _ worker: String, _ file: String, _ folder: String, _ question: CalendarQuestion
  ) throws(SystemError) -> CalendarAnswer {
    let pair = try UnixSocket.pair(.packet)
    let quiet = try Files.open("/dev/null", .readWrite)
    let child = try Child.spawn(
      worker, arguments: [worker], environment: Environment.all,
      descriptors: [(quiet.raw, 0), (quiet.raw, 1), (2, 2), (pair.second.raw, 3)])
    let (ours, theirs) = (pair.first, pair.second)
    _ = consume theirs
    let configuration = ChildConfiguration(
      name: plugin, file: file, settings: [], runDirectory: folder)
    let answer = listen(ours, configuration, question)
    child.killGroup()
    _ = try child.reap(wait: true)
    return answer
  }

  private static func listen(
    _ socket: borrowing FileDescriptor, _ configuration: ChildConfiguration,
    _ question: CalendarQuestion
  ) -> CalendarAnswer {
    send(.configure(configuration), socket)
    while true {
      let wait = Int32(patience / Duration.millisecond)
      guard !Poll.wait(socket.raw, .readable, milliseconds: wait).isEmpty else {
        return .failed(reason: "the plugin did not answer within \(patience / Duration.second) s")
      }
      guard let bytes = try? socket.receive(atMost: WorkerMessage.limit, wait: true),
        !bytes.isEmpty, let message = try? MessageFromChild.decode(bytes)
      else { return .failed(reason: "the plugin's process ended without an answer") }
      switch message {
      case .ready: send(.calendar(token: 1, question), socket)
      case .refused(let reason): return .failed(reason: reason)
      case .calendar(_, let answer): return answer
      default: break
      }
    }
  }

  private static func send(_ message: MessageToChild, _ socket: borrowing FileDescriptor) {
    guard let bytes = try? message.encode() else { return }
    _ = try? socket.send(bytes, wait: true)
  }
}
