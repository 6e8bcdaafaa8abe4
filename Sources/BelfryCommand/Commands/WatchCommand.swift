import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry watch`: events until Ctrl-C, of the next daemon, too, when this one ends.
enum WatchCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    var daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    UnknownApp.warn(daemon, context)
    while try !watch(daemon, context) {
      tell("the daemon has ended; watch goes on when one answers again", context)
      daemon = next(context)
      tell("watching again; belfry history has what happened meanwhile", context)
    }
  }

  private static func tell(_ sentence: String, _ context: CommandContext) {
    if context.json { context.warn(sentence) } else { Output.errorLine("belfry: " + sentence) }
  }

  /// False: the daemon has closed the connection.
  private static func watch(
    _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> Bool {
    var failure: CommandError?
    do throws(ClientError) {
      try daemon.client.watch(app: context.app) { event in
        do throws(CommandError) {
          try say(event, context)
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      guard error == .disconnected else { throw CommandError(error, of: .call) }
      return false
    }
    if let failure { throw failure }
    return true
  }

  private static func next(_ context: CommandContext) -> Daemon {
    while true {
      var nothing: [Poll.Entry] = []
      _ = try? Poll.wait(&nothing, milliseconds: 500)
      if let daemon = try? Daemon.connect(context) { return daemon }
    }
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
    if let reason = event.reason, !reason.isEmpty { notes.append(words.local(reason)) }
    return notes.isEmpty ? line : line + "  " + notes.joined(separator: ", ")
  }
}
