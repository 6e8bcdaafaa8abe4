import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// What a person does with an app's badge and with what is shown.
enum UserCommands {
  /// Of each command that answers (D11).
  static let onSnoozes =
    "What is shown or heard goes first, and a snooze of ID stays. Where nothing is, what waits as a"
    + " snooze is meant. list --json prints the occurrence's id of each, to choose one. What repeats"
    + " goes on."

  static func badge(_ context: CommandContext) throws(CommandError) {
    let new = try context.given.operands.first.map { word throws(CommandError) in
      // A sign promises that it is added.
      guard !word.hasPrefix("+"), let number = Int64(word) else {
        throw .usage("N: " + FieldError.quoted(word) + " is not a whole number")
      }
      return number
    }
    let daemon = try Daemon.connect(context)
    // An app comes to be by its first badge; 0 of one that is not there is there already.
    let isUnknown = new != nil && UnknownApp.warn(daemon, context, isMade: new != 0)
    let badge = try daemon.ask { client throws(ClientError) in
      guard let new, new != 0 || !isUnknown else { return try client.badge(app: context.app) }
      try client.setBadge(app: context.app, new)
      return new
    }
    if new == nil, badge == 0 { UnknownApp.warn(daemon, context) }
    if context.json { return try context.say(["badge": .integer(badge)]) }
    try context.say("\(badge)")
  }

  static func act(_ context: CommandContext) throws(CommandError) {
    var ids = context.given.operands
    guard !ids.isEmpty else { throw .usage("act needs ID.. [ACTION]") }
    let daemon = try Daemon.connect(context)
    var action: String?
    if let last = ids.last, ids.count > 1 {
      // Only an action takes text.
      let isAction = context.given.has(.text) ? true : try !isShown(last, daemon, context)
      if isAction { action = ids.removeLast() }
    }
    ids = try IdentifierBeginning.complete(ids, shown: true, daemon, context)
    try each(ids, context) { id throws(CommandError) in
      try ask(daemon, context, id) { client throws(ClientError) in
        try client.act(app: context.app, id: id, action: action, text: context.given.value(.text))
      }
      try say(context, "acted on ", id, state: "activated")
    }
  }

  /// Whether it is the identifier, or the occurrence's id, of what is shown or snoozed.
  private static func isShown(
    _ word: String, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> Bool {
    var isShown = false
    let app = context.ownApp
    try daemon.ask { client throws(ClientError) in
      for snoozed in [false, true] {
        try client.list(app: app, delivered: !snoozed, snoozed: snoozed) { row in
          let names = [row.notification.identifier, row.occurrence?.text].compactMap { $0 }
          if names.contains(where: { ByteString($0) == ByteString(word) }) { isShown = true }
        }
      }
    }
    return isShown
  }

  static func dismiss(_ context: CommandContext) throws(CommandError) {
    var ids = context.given.operands
    guard context.given.has(.all) == ids.isEmpty else {
      throw .usage(
        (ids.isEmpty ? "dismiss needs an ID, or --all" : "dismiss takes IDs or --all, not both")
          + " (belfry dismiss --help)")
    }
    let daemon = try Daemon.connect(context)
    ids = try IdentifierBeginning.complete(ids, shown: true, daemon, context)
    // By occurrence: a name may be shown more than once, and snoozed beside that.
    var names: [ByteString: String] = [:]
    if ids.isEmpty {
      try daemon.ask { client throws(ClientError) in
        try client.list(app: context.ownApp, delivered: true) { row in
          guard let id = row.occurrence?.text, names[ByteString(id)] == nil else { return }
          names[ByteString(id)] = row.notification.identifier ?? id
          ids.append(id)
        }
      }
      if ids.isEmpty { UnknownApp.warn(daemon, context) }
      if ids.isEmpty, !context.json { return try context.say("nothing is shown") }
    }
    try each(ids, context) { id throws(CommandError) in
      try ask(daemon, context, id) { client throws(ClientError) in
        try client.dismiss(app: context.app, id: id)
      }
      let name = context.json ? nil : names[ByteString(id)]
      try say(context, "dismissed ", name ?? id, state: "dismissed")
    }
  }

  /// Goes on where one is not there; the first that was not ends the command.
  private static func each(
    _ ids: [String], _ context: CommandContext, _ body: (String) throws(CommandError) -> Void
  ) throws(CommandError) {
    var missing: CommandError?
    for id in ids {
      do throws(CommandError) {
        try body(id)
      } catch {
        guard error.status == .refused else { throw error }
        if let missing { CommandLineTool.say(missing, json: context.json) }
        missing = error
      }
    }
    if let missing { throw missing }
  }

  static func acknowledge(_ context: CommandContext) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    let ids = try IdentifierBeginning.complete(
      context.given.operands, shown: true, daemon, context)
    guard !ids.isEmpty else { return try acknowledge(nil, daemon, context) }
    try each(ids, context) { id throws(CommandError) in try acknowledge(id, daemon, context) }
  }

  /// nil: what came last.
  private static func acknowledge(
    _ id: String?, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) {
    let done = try ask(daemon, context, id) { client throws(ClientError) in
      try client.acknowledge(app: context.app, id: id)
    }
    if context.json {
      return try context.say([
        "id": .string(done.identifier), "occurrence": .string(done.occurrence),
        "state": "dismissed",
      ])
    }
    try context.say("acknowledged " + done.identifier)
  }

  static func snooze(_ context: CommandContext) throws(CommandError) {
    let words = context.given.operands
    guard words.count >= 2 else {
      let isSpan = words.first.map { (try? DurationArgument.parse($0, "")) != nil } ?? false
      throw .usage(
        "snooze needs ID.. DURATION"
          + (isSpan ? ": which one? belfry list --delivered has the ID of each" : ""))
    }
    if (try? DurationArgument.parse(words[0], "")) != nil,
      (try? DurationArgument.parse(words[words.count - 1], "")) == nil
    {
      throw .usage(
        "DURATION: it stands last: snooze " + words.dropFirst().joined(separator: " ") + " "
          + words[0])
    }
    let duration = try DurationArgument.parse(words[words.count - 1], "DURATION")
    let daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    let ids = try IdentifierBeginning.complete(
      Array(words.dropLast()), shown: true, daemon, context)
    try each(ids, context) { id throws(CommandError) in
      let next = try ask(daemon, context, id) { client throws(ClientError) in
        try client.snooze(app: context.app, id: id, duration: duration)
      }
      if context.json {
        return try context.say([
          "id": .string(id), "state": "snoozed", "next": context.words.json(next),
        ])
      }
      try context.say("snoozed " + id + ": " + context.words.firing(next))
    }
  }

  /// What was not found is no alert, rather than nothing scheduled.
  private static func ask<T>(
    _ daemon: Daemon, _ context: CommandContext, _ id: String?,
    _ body: (Client) throws(ClientError) -> T
  ) throws(CommandError) -> T {
    do throws(ClientError) {
      return try body(daemon.client)
    } catch {
      guard case .refused(.notFound) = error else { throw CommandError(error) }
      guard let id else {
        UnknownApp.warn(daemon, context)
        throw .refused(
          "nothing is shown or waits for an answer in this app (see: belfry list --delivered)")
      }
      throw try MissingNotification.shown(id, daemon, context)
    }
  }

  private static func say(
    _ context: CommandContext, _ done: String, _ id: String, state: String
  ) throws(CommandError) {
    if context.json { return try context.say(["id": .string(id), "state": .string(state)]) }
    try context.say(done + id)
  }
}
