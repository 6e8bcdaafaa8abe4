import BelfryClient
import BelfryCore
import BelfryWire

/// `belfry watch`: events until Ctrl-C, or until the daemon ends.
enum WatchCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    var failure: CommandError?
    try daemon.ask { client throws(ClientError) in
      try client.watch(app: context.app) { event in
        do throws(CommandError) {
          try say(event, context)
          return true
        } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
  }

  private static func say(_ event: WatchEvent, _ context: CommandContext) throws(CommandError) {
    let words = context.words
    if context.json { return try context.say(words.json(event)) }
    try context.say(DisplayWidth.safe(line(event, words)))
  }

  /// `07:00:00.003  delivered   bell  by console, 0.2 ms late`.
  static func line(_ event: WatchEvent, _ words: LocalWords) -> String {
    var line = words.precise(event.at) + "  "
    line += DisplayWidth.padded(event.kind.rawValue, to: 10, right: false) + "  "
    line += event.identifier
    var notes: [String] = []
    if let sink = event.sink, !sink.isEmpty { notes.append("by " + sink) }
    if let due = event.due, let handedOver = event.handedOver {
      notes.append(LocalWords.span(handedOver.nanoseconds(since: due)) + " late")
    }
    if event.missed > 0 { notes.append("\(event.missed) missed before it") }
    if let reason = event.reason, !reason.isEmpty { notes.append(reason) }
    return notes.isEmpty ? line : line + "  " + notes.joined(separator: ", ")
  }
}
