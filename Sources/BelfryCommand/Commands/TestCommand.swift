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
    UnknownApp.warn(caller, context, isMade: true)
    let test = try begin(caller, context)
    if test.sinks.isEmpty {
      throw .refused("--to: none is configured: add [plugin:NAME] to the configuration")
    }
    if try sink(context) == nil,
      !test.sinks.contains(where: { ByteString($0) != ByteString(Sink.speaker) })
    {
      context.warn(StatusCommands.nothingShows)
    }
    let results = try collect(test.occurrence, test.sinks, watch, caller, context)
    // As `try` ends: a board without a card has nothing to mend, unless the speaker alone was asked.
    let isGood = results.contains(.good) && !results.contains(.failed)
    if !isGood { throw CommandError(status: .refused, message: "") }
  }

  /// nil: every one.
  private static func sink(_ context: CommandContext) throws(CommandError) -> String? {
    let names = context.given.list(.to)
    guard names.count < 2 else { throw .usage("--to: test takes one of them, or none for all") }
    return names.first
  }

  private static func begin(
    _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> (occurrence: OccurrenceID, sinks: [String]) {
    let sink = try sink(context)
    do throws(ClientError) {
      return try daemon.client.test(app: context.app, sink: sink)
    } catch {
      guard case .refused(.unknownSink(let name)) = error else { throw CommandError(error) }
      if ByteString(name) == ByteString(Sink.speaker) {
        throw CommandError(
          status: .refused, code: "unknownSink",
          message: "--to: the speaker is switched off ([sound] enabled = no)")
      }
      throw CommandError(
        status: .refused, code: "unknownSink",
        message: UnknownSink.told(name, daemon)
          ?? "--to: there is none called " + FieldError.quoted(name))
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
  /// What is down is tried once more for the test, so it is looked for more than once.
  private static let glance = Nanoseconds.second

  private enum Answer { case good, failed, noDevice }

  /// A line for each sink as it answers.
  private static func collect(
    _ occurrence: OccurrenceID, _ sinks: [String], _ watch: Daemon, _ caller: Daemon,
    _ context: CommandContext
  ) throws(CommandError) -> [Answer] {
    var waiting = sinks
    var results: [Answer] = []
    let deadline = SystemClock.elapsed() + patience
    var nextGlance = SystemClock.elapsed() + glance
    while !waiting.isEmpty {
      let now = SystemClock.elapsed()
      if now >= deadline { break }
      if now >= nextGlance {
        nextGlance = now + glance
        for (sink, reason) in try down(caller) where waiting.contains(sink) {
          waiting.removeAll { $0 == sink }
          results.append(.failed)
          try say(sink, state: "down", reason: reason, context)
        }
        continue
      }
      let reply = try watch.ask { client throws(ClientError) in
        let left = min(nextGlance, deadline) - now
        return try client.receive(milliseconds: Int32(left / Nanoseconds.millisecond) + 1)
      }
      guard let reply else { continue }
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
    try context.say(result, beside: DisplayWidth.padded(sink, to: 16, right: false) + "  ")
  }
}
