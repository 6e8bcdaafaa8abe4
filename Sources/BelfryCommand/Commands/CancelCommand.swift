import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry cancel` and `belfry stop-sound`.
enum CancelCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    if context.given.has(.all) != context.given.operands.isEmpty {
      let hasNone = context.given.operands.isEmpty
      throw .usage(
        (hasNone ? "cancel needs an ID, or --all" : "cancel takes IDs or --all, not both")
          + " (belfry cancel --help)")
    }
    let daemon = try Daemon.connect(context)
    // What is shown alone is withdrawn by its whole identifier.
    let words = try IdentifierBeginning.complete(context.given.operands, daemon, context)
    var (cancelled, withdrawn): (Int64, Int64) = (0, 0)
    var missing: [String] = []
    if words.isEmpty {
      try confirm(daemon, context)
      (cancelled, withdrawn) = try daemon.ask { client throws(ClientError) in
        try client.cancelAll(app: context.app)
      }
    }
    for (index, word) in words.enumerated() where !words[..<index].contains(word) {
      let counts = try daemon.ask { client throws(ClientError) in
        try client.cancel(app: context.app, identifiers: [word])
      }
      if counts.cancelled + counts.withdrawn == 0 { missing.append(word) }
      cancelled += counts.cancelled
      withdrawn += counts.withdrawn
    }
    if words.isEmpty, cancelled + withdrawn == 0 { UnknownApp.warn(daemon, context) }
    if context.json {
      try context.say(["cancelled": .integer(cancelled), "withdrawn": .integer(withdrawn)])
    } else if cancelled + withdrawn > 0 || missing.isEmpty {
      try context.say("cancelled \(cancelled), withdrawn \(withdrawn)")
    }
    if let first = missing.first {
      var error = try MissingNotification.scheduled(first, daemon, context)
      if missing.count > 1 {
        let others = missing.dropFirst().map { FieldError.quoted($0) }
        error.reason += "; nor is there " + others.joined(separator: ", ")
      }
      throw error
    }
  }

  /// On a terminal: all of an app is easily said, and cannot be taken back.
  private static func confirm(
    _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) {
    guard context.mayAsk else { return }
    var (count, shown): (Int64, Int64) = (0, 0)
    try daemon.ask { client throws(ClientError) in
      try client.list(app: context.ownApp) { _ in count += 1 }
      try client.list(app: context.ownApp, delivered: true) { _ in shown += 1 }
    }
    guard count + shown > 0 else { return }
    let all = count == 1 ? "the one notification" : "all \(count) notifications"
    let parts = [
      count > 0 ? "cancel " + all : nil,
      shown > 0 ? "withdraw " + counted(shown, "alert") + " still shown" : nil,
    ]
    let asked = parts.compactMap { $0 }.joined(separator: ", and ")
    guard context.confirms(asked + " of the app \(context.ownApp)?") else {
      throw .refused("nothing is cancelled (--yes answers beforehand)")
    }
  }

  static func stopSound(_ context: CommandContext) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    let stopped = try daemon.ask { client throws(ClientError) in
      try client.stopSound(app: context.app)
    }
    if stopped == 0 { UnknownApp.warn(daemon, context) }
    if context.json { return try context.say(["stopped": .integer(stopped)]) }
    try context.say(
      stopped == 0 ? "nothing was playing" : "stopped " + counted(stopped, "sound"))
  }
}
