import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry test`: a full alert with sound, and what each sink answers.
enum TestCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let watch = try Daemon.connect(context)
    let caller = try Daemon.connect(context)
    // The watch stands before the test begins, so that no answer is missed.
    try watch.ask { client throws(ClientError) in
      try client.send("Watch", [:], more: true)
      _ = try client.receive(milliseconds: Client.patience)
    }
    let test = try begin(caller, context)
    if test.sinks.isEmpty {
      throw .refused("--sink: none is configured: add [plugin:NAME] to the configuration")
    }
    let down = try down(caller).filter { test.sinks.contains($0.sink) }
    for (sink, reason) in down {
      try say(sink, state: "down", reason: reason, context)
    }
    let up = test.sinks.filter { sink in !down.contains { $0.sink == sink } }
    var results = try collect(test.occurrence, up, watch, context)
    if !down.isEmpty { results.append(.failed) }
    // As `try` ends: a board without a card has nothing to mend, unless the speaker alone was asked.
    let isGood = results.contains(.good) && !results.contains(.failed)
    if !isGood { throw CommandError(status: .refused, message: "") }
  }

  private static func begin(
    _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> (occurrence: OccurrenceID, sinks: [String]) {
    do throws(ClientError) {
      return try daemon.client.test(app: context.app, sink: context.given.value(.sink))
    } catch {
      guard case .refused(.unknownSink(let name)) = error else { throw CommandError(error) }
      if ByteString(name) == ByteString(Sink.speaker) {
        throw CommandError(
          status: .refused, code: "unknownSink",
          message: "--sink: the speaker is switched off ([sound] enabled = no)")
      }
      let status = try daemon.ask { client throws(ClientError) in try client.status() }
      let plugins = (status["plugins"]?.array ?? []).compactMap { $0["name"]?.string }
      throw CommandError(
        status: .refused, code: "unknownSink",
        message: "--sink: there is none called " + FieldError.quoted(name)
          + CommandLineParser.suggestion(name, among: plugins + ["speaker"], prefix: ""))
    }
  }

  /// Plugins that answer nothing before they are up again, and why.
  private static func down(
    _ daemon: Daemon
  ) throws(CommandError) -> [(sink: String, reason: String?)] {
    let status = try daemon.ask { client throws(ClientError) in try client.status() }
    return (status["plugins"]?.array ?? []).compactMap { row in
      guard let name = row["name"]?.string, let state = row["state"]?.string,
        ["waiting to restart", "quarantined", "stopped"].contains(state)
      else { return nil }
      return (name, row["reason"]?.string)
    }
  }

  /// How long a sink may take: 30 s of waiting for the device, 30 s of sound, and some slack.
  private static let patience: Int64 = 75 * Nanoseconds.second

  private enum Answer { case good, failed, noDevice }

  /// A line for each sink as it answers.
  private static func collect(
    _ occurrence: OccurrenceID, _ sinks: [String], _ watch: Daemon, _ context: CommandContext
  ) throws(CommandError) -> [Answer] {
    var waiting = sinks
    var results: [Answer] = []
    let deadline = SystemClock.elapsed() + patience
    while !waiting.isEmpty {
      let left = (deadline - SystemClock.elapsed()) / Nanoseconds.millisecond
      let reply = try watch.ask { client throws(ClientError) in
        try client.receive(milliseconds: Int32(max(0, left)))
      }
      guard let reply else { break }
      let event = try watch.ask { _ throws(ClientError) in try Client.event(reply.parameters) }
      guard let event, event.occurrence == occurrence, let sink = event.sink,
        waiting.contains(sink)
      else { continue }
      waiting.removeAll { $0 == sink }
      let result =
        event.kind == .delivered ? .good : hasNoDevice(sink, event) ? .noDevice : Answer.failed
      results.append(result)
      try say(sink, event, context)
    }
    for sink in waiting {
      results.append(.failed)
      try say(sink, nil, context)
    }
    return results
  }

  private static func hasNoDevice(_ sink: String, _ event: WatchEvent?) -> Bool {
    ByteString(sink) == ByteString(Sink.speaker) && event?.reason?.hasPrefix("no-device") ?? false
  }

  /// `event` nil: it did not answer.
  private static func say(
    _ sink: String, _ event: WatchEvent?, _ context: CommandContext
  ) throws(CommandError) {
    var late = JSONValue.null
    if let event { late = LocalWords.lateSeconds(due: event.due, delivered: event.handedOver) }
    try say(
      sink, state: event?.kind.rawValue ?? "no answer", late: late, reason: event?.reason,
      words: hasNoDevice(sink, event) ? LocalWords.noDevice : nil, context)
  }

  /// `words` nil: the state and the reason.
  private static func say(
    _ sink: String, state: String, late: JSONValue = .null, reason: String?, words: String? = nil,
    _ context: CommandContext
  ) throws(CommandError) {
    if context.json {
      return try context.say([
        "sink": .string(sink), "state": .string(state), "lateSeconds": late,
        "reason": LocalWords.text(reason),
      ])
    }
    let result = words ?? DisplayWidth.safe(state + (reason.map { ": " + $0 } ?? ""))
    try context.say(DisplayWidth.padded(sink, to: 16, right: false) + "  " + result)
  }
}
