import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import Testing

/// Plays the clock for one worker.
final class ClockDouble {
  private let child: Child
  private var socket: FileDescriptor?
  private var reaped = false
  let pid: Int32
  /// Messages that `answer` passed over.
  private(set) var others: [MessageFromChild] = []

  init(
    _ file: String, settings: [String: String] = [:], run: String, name: String = "sink",
    environment: [String] = []
  ) throws {
    let pair = try UnixSocket.pair(.packet)
    // What the fixtures print is of no interest.
    let null = try Files.open("/dev/null", .write)
    child = try Child.spawn(
      Fixtures.worker, arguments: [Fixtures.worker],
      environment: environment + Fixtures.environment,
      descriptors: [(null.raw, 1), (null.raw, 2), (pair.second.raw, 3)])
    pid = child.pid
    let theirs = pair.second
    let ours = pair.first
    _ = consume theirs
    socket = consume ours
    let given = settings.map { Setting(key: $0.key, value: $0.value) }
    send(
      .configure(
        ChildConfiguration(name: name, file: file, settings: given, runDirectory: run)))
  }

  deinit {
    if !reaped {
      child.killGroup()
      _ = try? child.reap(wait: true)
    }
  }

  func send(_ message: MessageToChild) {
    guard let bytes = try? message.encode() else { return }
    _ = try? socket?.send(bytes, wait: true)
  }

  /// The next message; nil: the worker has gone, or says nothing for so long.
  func receive(seconds: Double = 60) -> MessageFromChild? {
    guard let raw = socket?.raw else { return nil }
    let milliseconds = Int32(seconds * 1000)
    guard !Poll.wait(raw, .readable, milliseconds: milliseconds).isEmpty,
      let bytes = try? socket?.receive(atMost: WorkerMessage.limit, wait: true), !bytes.isEmpty
    else { return nil }
    return try? MessageFromChild.decode(bytes)
  }

  /// The next of those messages that `select` takes.
  func next<Value>(_ select: (MessageFromChild) -> Value?) -> Value? {
    while let message = receive() {
      if let value = select(message) { return value }
      others.append(message)
    }
    return nil
  }

  func ready() throws -> PluginSummary {
    let summary: PluginSummary? = next {
      if case .ready(let summary) = $0 { return summary }
      return nil
    }
    return try #require(summary)
  }

  func refusal() -> String? {
    next {
      if case .refused(let reason) = $0 { return reason }
      return nil
    }
  }

  struct Answer: Equatable {
    var token: UInt64
    var answer: DeliveryAnswer
    var entered: Instant
  }

  /// The next answer; nil: the worker went without one.
  func answer() -> Answer? {
    next {
      if case .answered(let token, let answer, let entered) = $0 {
        return Answer(token: token, answer: answer, entered: entered)
      }
      return nil
    }
  }

  /// The next answer of a calendar; nil: the worker went without one.
  func calendarAnswer() -> (token: UInt64, answer: CalendarAnswer)? {
    next {
      if case .calendar(let token, let answer) = $0 { return (token, answer) }
      return nil
    }
  }

  /// Until the worker is heard to say so.
  func log(containing words: String) -> Bool {
    func matches(_ message: MessageFromChild) -> Bool {
      if case .log(_, let line) = message { return line.contains(words) }
      return false
    }
    return others.contains(where: matches) || next { matches($0) ? true : nil } == true
  }

  /// kill -9 of the process alone.
  func kill() throws {
    try BelfrySystem.Process.signal(pid, .kill)
    _ = try end()
  }

  func killGroup() {
    child.killGroup()
  }

  /// The clock's end of the socketpair goes.
  func hangUp() {
    socket = nil
  }

  func end(seconds: Double = 60) throws -> Child.End {
    let milliseconds = Int32(seconds * 1000)
    try #require(
      !Poll.wait(child.descriptor.raw, .readable, milliseconds: milliseconds).isEmpty,
      "the worker did not end in \(seconds) s")
    reaped = true
    return try #require(try child.reap(wait: true))
  }
}

/// Deliveries for tests.
enum Sample {
  static func id(_ k: Int64 = 0) -> OccurrenceID {
    OccurrenceID(uuid: Random.uuid(), generation: 0, k: k)
  }

  static func delivery(
    _ id: OccurrenceID, token: UInt64 = 1, attempt: Int32 = 1, replaces: String? = nil,
    _ change: (inout BelfryCore.Notification) -> Void = { _ in }
  ) -> DeliveryMessage {
    var notification = BelfryCore.Notification()
    notification.identifier = "tea"
    notification.alertBody = "The tea is ready"
    change(&notification)
    let now = SystemClock.real()
    let occurrence = Occurrence(
      id: id, app: "org.example.tea", notification: notification, due: now)
    return DeliveryMessage(
      token: token, parts: notification.soundName == nil ? .alert : [.alert, .sound],
      attempt: attempt, handedOver: now, replaces: replaces,
      deliveryContent: DeliveryContent(occurrence, notification.text(in: .none, zone: .utc)))
  }
}

/// Lines that the recorder wrote.
struct Recording {
  var lines: [[String: String]] = []

  init(_ path: String) {
    let bytes = (try? Files.read(path, limit: 1 << 24)) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      var fields: [String: String] = [:]
      for field in line.split(separator: " ") {
        let parts = field.split(separator: "=", maxSplits: 1)
        fields[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
      }
      lines.append(fields)
    }
  }

  var events: [String] { lines.map { $0["event"] ?? "" } }
}
