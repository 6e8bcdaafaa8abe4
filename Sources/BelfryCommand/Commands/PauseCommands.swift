import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry pause` and `belfry resume` (E1).
enum PauseCommands {
  /// What the command line names: some by identifier, an app, or everything.
  private struct Scope {
    var identifiers: [String]
    var everything: Bool
    var app: String?

    /// In words.
    var told: String {
      if everything { return "everything" }
      if identifiers.isEmpty { return app ?? "the app" }
      return identifiers.joined(separator: ", ")
    }

    init(_ context: CommandContext) throws(CommandError) {
      let given = context.given
      identifiers = given.operands
      let name = given.command.name
      if given.has(.all), !identifiers.isEmpty {
        throw .usage("\(name) takes IDs or --all, not both (belfry \(name) --help)")
      }
      if identifiers.isEmpty, !given.has(.all), !given.has(.app) {
        throw .usage(
          "\(name) needs identifiers, or --app APP for a whole app, or --all for everything")
      }
      everything = given.has(.all) && !given.has(.app)
      app = context.app
    }
  }

  static func pause(_ context: CommandContext) throws(CommandError) {
    var scope = try Scope(context)
    // What is wrong is said without a daemon.
    _ = try span(context)
    let daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    scope.identifiers = try IdentifierBeginning.complete(scope.identifiers, daemon, context)
    let span = try span(context)
    if scope.everything { try confirm(context) }
    let reply = try carryOut(scope, daemon, context) { client throws(ClientError) in
      try client.pause(
        app: scope.app, identifiers: scope.identifiers, everything: scope.everything,
        from: span.from, until: span.until)
    }
    let words = context.words
    if context.json { return try context.say(words.json(reply)) }
    let begin = span.from == nil ? "" : " from " + words.moment(reply.from)
    let end = reply.until.map { " until " + words.moment($0) } ?? " until it is resumed"
    try context.say("paused " + scope.told + begin + end)
    if let asked = span.until, reply.until ?? .distantFuture > asked {
      context.warn(
        "--until: it was paused for longer before, and that holds; for a shorter pause belfry resume"
          + " it first")
    }
    if reply.critical > 0 {
      try context.say(
        counted(
          reply.critical,
          "critical notification rings all the same; it is paused by its identifier",
          many: "critical notifications ring all the same; they are paused by their identifiers"))
    }
    try sayEnding(reply, context)
  }

  /// On a terminal: it silences what others have scheduled, too.
  private static func confirm(_ context: CommandContext) throws(CommandError) {
    guard context.mayAsk else { return }
    let span = context.given.has(.until) ? "" : ", until it is resumed"
    guard context.confirms("pause everything, of all users" + span + "?") else {
      throw .refused("nothing is paused (--yes answers beforehand)")
    }
  }

  /// One-shots that will never ring, unless somebody resumes before.
  private static func sayEnding(
    _ reply: PauseReply, _ context: CommandContext
  ) throws(CommandError) {
    if reply.ending.isEmpty { return }
    try context.say("these fire once, within the pause, and will be skipped:")
    var table = TextTable([
      .init(title: "ID", shrinks: true, keeps: true, wraps: true),
      .init(title: "APP", shrinks: true), .init(title: "DUE"),
    ])
    for one in reply.ending {
      table.add([one.identifier, one.app, context.words.moment(one.due)])
    }
    try context.say(table)
    if reply.more > 0 { try context.say("and \(reply.more) more") }
  }

  static func resume(_ context: CommandContext) throws(CommandError) {
    var scope = try Scope(context)
    let daemon = try Daemon.connect(context)
    scope.identifiers = try IdentifierBeginning.complete(scope.identifiers, daemon, context)
    let reply = try carryOut(scope, daemon, context) { client throws(ClientError) in
      try client.resume(
        app: scope.app, identifiers: scope.identifiers, everything: scope.everything)
    }
    if context.json {
      return try context.say([
        "resumed": .integer(reply.resumed), "stillPaused": LocalWords.text(reply.stillPaused),
      ])
    }
    try context.say(
      reply.resumed == 0 ? scope.told + ": nothing was paused" : "resumed " + scope.told)
    if let still = reply.stillPaused {
      context.warn(
        scope.everything
          ? still + " still (belfry status)"
          : "it does not ring yet: " + context.words.local(still))
    }
  }

  private static func carryOut<Result>(
    _ scope: Scope, _ daemon: Daemon, _ context: CommandContext,
    _ body: (Client) throws(ClientError) -> Result
  ) throws(CommandError) -> Result {
    do throws(ClientError) {
      return try body(daemon.client)
    } catch {
      if case .refused(.notFound(let identifier)) = error {
        var missing = try MissingNotification.scheduled(identifier, daemon, context)
        // Such as `pause bell 1h`.
        if context.given.command.options.contains(.until), !context.given.has(.until),
          let span = DurationArgument.span(identifier)
        {
          missing.reason += "; for so long write --until " + span
        } else if scope.identifiers.count > 1 {
          missing.reason += ", so nothing else is done"
        }
        throw missing
      }
      throw CommandError(error)
    }
  }

  private static func span(
    _ context: CommandContext
  ) throws(CommandError) -> (from: Instant?, until: Instant?) {
    let now = SystemClock.real()
    let board = context.board
    let from = try context.given.value(.from).map { text throws(CommandError) in
      if DurationArgument.isMeant(text) {
        return now.advanced(by: try DurationArgument.parse(text, "--from"))
      }
      // A day alone is its beginning, of today what is left.
      let today = board.civil(now).date
      guard let date = TimeText.day(text, today: today) else {
        return try TimeText.parse(text, option: .from, now: now, zone: board).instant(in: board)
      }
      let whole = LocalWords.date(date) + "T00:00"
      let start = try TimeText.parse(whole, option: .from, now: now, zone: board)
        .instant(in: board)
      return date == today ? max(start, now) : start
    }
    let until = try context.given.value(.until).map { text throws(CommandError) in
      let until = try TimeText.parseEnd(text, option: .until, now: now, zone: board)
        .instant(in: board)
      // A time of day is the next one after the beginning.
      guard let from, until <= from, !DurationArgument.isMeant(text) else { return until }
      return try TimeText.parseEnd(text, option: .until, now: from, zone: board).instant(in: board)
    }
    if let until {
      guard until > from ?? now else {
        throw .refused("--until: a pause ends after it begins: name a later time")
      }
    }
    return (from, until)
  }
}

extension LocalWords {
  /// The answer to `pause`.
  func json(_ reply: PauseReply) -> JSONObject {
    [
      "from": json(reply.from), "until": json(reply.until),
      "ending": .array(
        reply.ending.map { one in
          [
            "identifier": .string(one.identifier), "app": .string(one.app),
            "due": json(one.due),
          ]
        }), "more": .integer(reply.more), "critical": .integer(reply.critical),
    ]
  }

  /// `everything until Thu 07:00; org.example.clock until it is resumed; 2 by name`.
  func paused(_ status: PauseStatus) -> String {
    var parts = status.spans.map { span in
      let begin = span.from > now ? " from " + moment(span.from) : ""
      let end = span.until.map { " until " + moment($0) } ?? " until it is resumed"
      return (span.app ?? "everything") + begin + end
    }
    if status.notifications > 0 {
      let open = status.openNotifications
      parts.append(
        "\(status.notifications) by name"
          + (open > 0 ? ", \(open) of them until they are resumed" : ""))
    }
    return parts.joined(separator: "; ")
  }
}
