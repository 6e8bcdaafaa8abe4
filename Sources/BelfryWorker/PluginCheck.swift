import BelfryCore
import BelfrySystem
import BelfryWire

/// `--check`: does what the clock would do with a plugin, and says what happened. All foreign code
/// runs in children.
struct PluginCheck: ~Copyable {
  /// What the last line says.
  struct Outcome {
    var good = false
    var refused = false
    var text = ""
    /// What a calendar said; nil: none was asked.
    var calendar: String?
    /// The calendar to ask once the delivery is done.
    var calendarToAsk: String?
    /// What it pushed; nil: it does not push.
    var pushes: Int?
    var nanoseconds: Int64?
    var logs: [String] = []

    /// The same keys always; `reason`: why it came to nothing.
    func json(reason: String?) -> String {
      var object = JSONLine()
      object.append("ok", good)
      object.append("reason", orNull: reason)
      object.append("delivery", orNull: text.isEmpty ? nil : text)
      object.append("calendar", orNull: calendar)
      object.append("pushes", orNull: pushes.map { Int64($0) })
      object.append("microseconds", orNull: nanoseconds.map { $0 / 1000 })
      object.append("log", logs)
      return object.text
    }
  }

  private let options: CheckOptions
  private let program: String
  private let folder: String

  static func run(_ options: CheckOptions) -> Int32 {
    do throws(SystemError) {
      let program = try Files.readLink("/proc/self/exe")
      let folder = (Environment.value(of: "TMPDIR") ?? "/tmp") + "/belfry-" + Random.uuid().text
      try Files.makeFolder(folder, mode: 0o700)
      defer { try? Files.removeTree(folder) }
      return try PluginCheck(options: options, program: program, folder: folder).run()
    } catch {
      PluginReport.complain([error.text], options)
      return 1
    }
  }

  private init(options: CheckOptions, program: String, folder: String) {
    self.options = options
    self.program = program
    self.folder = folder
  }

  private func run() throws(SystemError) -> Int32 {
    var words = [program, "--describe", options.file]
    if options.json { words.append("--json") }
    let describing = try Child.spawn(
      program, arguments: words, environment: Environment.all,
      descriptors: [(1, 1), (2, 2)])
    let ready = Poll.wait(describing.descriptor.raw, .readable, milliseconds: 10_000)
    if ready.isEmpty {
      describing.killGroup()
      _ = try describing.reap(wait: true)
      PluginReport.complain(
        ["loading the plugin takes more than 10 s: its process was ended"], options)
      return 1
    }
    switch try describing.reap(wait: true) {
    case .exited(0): break
    case .killed(let signal):
      PluginReport.complain(
        ["the plugin crashed while it was loaded, with signal \(signal)"], options)
      return 1
    default: return 1
    }
    let outcome = try deliver()
    report(outcome)
    return outcome.good ? 0 : 1
  }

  private func report(_ outcome: Outcome) {
    guard options.json else {
      for line in outcome.logs { try? Output.line("log       " + line) }
      let time = outcome.nanoseconds.map { " after \($0 / 1000) µs" } ?? ""
      if !outcome.text.isEmpty { try? Output.line("delivery  \(outcome.text)\(time)") }
      if let calendar = outcome.calendar { try? Output.line("calendar  " + calendar) }
      if let pushes = outcome.pushes {
        try? Output.line("push      \(pushes) at once; a check takes none")
      }
      return
    }
    try? Output.line(outcome.json(reason: nil))
  }

  /// Starts a worker as the clock does and plays the clock for one delivery.
  private func deliver() throws(SystemError) -> Outcome {
    let pair = try UnixSocket.pair(.packet)
    // What the plugin itself prints is no JSON.
    let child = try Child.spawn(
      program, arguments: [program], environment: Environment.all,
      descriptors: [
        (options.json ? Output.error : Output.standard, 1), (2, 2), (pair.second.raw, 3),
      ])
    let theirs = pair.second
    let ours = pair.first
    _ = consume theirs
    let configuration = ChildConfiguration(
      name: "check", file: options.file, settings: options.settings, runDirectory: folder)
    var outcome = Outcome()
    send(.configure(configuration), ours)
    converse(ours, &outcome)
    if outcome.text.isEmpty, outcome.calendar == nil, outcome.pushes == nil {
      outcome.text = "the process ended without an answer"
    }
    let ended = Poll.wait(child.descriptor.raw, .readable, milliseconds: 2_000)
    child.killGroup()
    let end = try child.reap(wait: true)
    if ended.isEmpty {
      outcome.good = false
      outcome.text += "; it did not end when asked to"
    } else if let end, end != .exited(0), !outcome.refused {
      outcome.good = false
      outcome.text += "; its process ended by \(end.text)"
    }
    return outcome
  }

  private func send(_ message: MessageToChild, _ socket: borrowing FileDescriptor) {
    guard let bytes = try? message.encode() else { return }
    _ = try? socket.send(bytes, wait: true)
  }

  /// Until the child has answered, or has gone, or 10 s have passed without a word.
  private func converse(_ socket: borrowing FileDescriptor, _ outcome: inout Outcome) {
    let id = OccurrenceID(uuid: Random.uuid(), generation: 0, k: 0)
    var pendings = 0
    while true {
      let timeout: Int32 = pendings > 0 ? 60_000 : 10_000
      guard !Poll.wait(socket.raw, .readable, milliseconds: timeout).isEmpty else {
        let words = "no answer within \(timeout / 1000) s"
        outcome.good = false
        if outcome.calendar == nil { outcome.text = words } else { outcome.calendar = words }
        return
      }
      guard let bytes = try? socket.receive(atMost: WorkerMessage.limit, wait: true),
        !bytes.isEmpty, let message = try? MessageFromChild.decode(bytes)
      else { return }
      switch message {
      case .ready(let summary):
        outcome.calendarToAsk = CalendarCheck.choose(summary.calendars)
        let calls = summary.capabilities.contains { ByteString($0) == "delivery/1" }
        if summary.capabilities.contains(where: { ByteString($0) == "push/1" }) {
          outcome.pushes = 0
        }
        if calls || (outcome.calendarToAsk == nil && outcome.pushes == nil) {
          send(.deliver(sample(id)), socket)
        } else {
          outcome.good = true
          goOn(socket, &outcome)
        }
      case .refused(let reason):
        outcome.refused = true
        return outcome.text = reason
      case .log(_, let line): outcome.logs.append(line)
      case .answered(_, let answer, let entered):
        outcome.nanoseconds = SystemClock.real().nanoseconds(since: entered)
        switch answer {
        case .pending: pendings += 1
        case .done(let note):
          outcome.good = true
          outcome.text = "done" + (note.map { " (\($0))" } ?? "")
        case .retry(let after): outcome.text = "asks to retry after \(Nanoseconds.text(after))"
        case .failed(let reason), .silenced(let reason): outcome.text = "failed: " + reason
        }
        if case .pending = answer { break }
        send(.withdraw(token: 1, id), socket)
        goOn(socket, &outcome)
      case .calendar(_, let answer):
        outcome.calendar = CalendarCheck.words(answer, outcome.calendarToAsk ?? "")
        if case .failed = answer { outcome.good = false }
        finish(socket, outcome)
      case .push(let push):
        outcome.pushes = (outcome.pushes ?? 0) + 1
        let later = PluginPushAnswer.later(reason: "this is a check", after: .max)
        send(.pushed(token: push.token, later), socket)
      case .health:
        // Behind all that it had to push.
        return send(.stop, socket)
      case .started, .withdrawn, .input: break
      }
    }
  }

  /// To the end; by what it has pushed, if it does.
  private func finish(_ socket: borrowing FileDescriptor, _ outcome: Outcome) {
    send(outcome.pushes == nil ? .stop : .health(token: 3), socket)
  }

  /// To the calendar, or to the end.
  private func goOn(_ socket: borrowing FileDescriptor, _ outcome: inout Outcome) {
    guard let calendar = outcome.calendarToAsk else { return finish(socket, outcome) }
    outcome.calendar = calendar + ": no answer"
    send(.calendar(token: 2, CalendarCheck.question(calendar)), socket)
  }

  private func sample(_ id: OccurrenceID) -> DeliveryMessage {
    let now = SystemClock.real()
    var told = DeliveryContent(id: id, app: "belfry.check", due: now)
    told.identifier = "check"
    told.title = "Belfry"
    told.body = "This is a test of the plugin."
    told.action = Localization.none.defaultAction
    return DeliveryMessage(token: 1, parts: .alert, handedOver: now, deliveryContent: told)
  }
}
