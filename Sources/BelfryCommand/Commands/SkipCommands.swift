import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry skip` and `belfry unskip` (E2).
enum SkipCommands {
  static func skip(_ context: CommandContext) throws(CommandError) {
    let given = context.given
    if given.has(.number), given.has(.at) {
      throw .usage("-n and --at cannot stand together")
    }
    let count = try given.integer(.number, in: 1...SkipSet.most) ?? 1
    try run(context, isSkip: true) { (client, identifier, at) throws(ClientError) in
      try client.skip(app: context.app, identifier: identifier, count: count, at: at)
    }
  }

  static func unskip(_ context: CommandContext) throws(CommandError) {
    try run(context, isSkip: false) { (client, identifier, at) throws(ClientError) in
      try client.unskip(app: context.app, identifier: identifier, at: at)
    }
  }

  private static func run(
    _ context: CommandContext, isSkip: Bool,
    _ body: (Client, String, Instant?) throws(ClientError) -> SkipReply
  ) throws(CommandError) {
    // What is wrong is said without a daemon.
    _ = try times(context)
    let daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    let identifier =
      try IdentifierBeginning.complete(context.given.operands, daemon, context).first ?? ""
    let times = try times(context)
    let reply: SkipReply
    do throws(ClientError) {
      reply = try first(of: times) { at throws(ClientError) in
        try body(daemon.client, identifier, at)
      }
    } catch {
      if let time = times[0], case .refused(.invalidField(let wrong)) = error, wrong.field == "at" {
        throw try nothingDue(at: time, identifier, wrong, daemon, context)
      }
      guard case .refused(.notFound) = error else { throw CommandError(error) }
      throw try MissingNotification.scheduled(identifier, daemon, context)
    }
    let words = context.words
    if context.json {
      return try context.say([
        "identifier": .string(identifier),
        "instants": .array(reply.instants.map { words.json($0) }), "next": words.json(reply.next),
      ])
    }
    let done = isSkip ? "skipped " : "not skipped any more: "
    try context.say(done + told(reply.instants, words))
    try context.say("next: " + (reply.next.map { words.firing($0) } ?? "never, as things are"))
  }

  /// With the next one in the words of whoever asks.
  private static func nothingDue(
    at time: Instant, _ identifier: String, _ error: FieldError, _ daemon: Daemon,
    _ context: CommandContext
  ) throws(CommandError) -> CommandError {
    let next = try daemon.ask { client throws(ClientError) in
      try client.nextAndSkipped(app: context.app, identifier: identifier, count: 1, after: time)
    }.found.first
    var refusal = CommandError.refused(error, .call)
    refusal.field = "--at"
    if let next, error.reason.hasPrefix("nothing is due then") {
      refusal.reason =
        "nothing is due then; the next one after that is " + context.words.moment(next.instant)
    }
    return refusal
  }

  private static func told(_ instants: [Instant], _ words: LocalWords) -> String {
    guard let last = instants.last else { return "nothing" }
    if instants.count <= 3 {
      return instants.map { words.moment($0) }.joined(separator: ", ")
    }
    return "\(instants.count) times, from " + words.moment(instants[0]) + " to "
      + words.moment(last)
  }

  /// nil: no time is given.
  private static func times(_ context: CommandContext) throws(CommandError) -> [Instant?] {
    guard let text = context.given.value(.at) else { return [nil] }
    return try TimeText.parse(text, option: .at, now: SystemClock.real(), zone: context.board)
      .instants(in: context.board).map { Optional($0) }
  }

  /// The answer for the first time at which something is due: what clocks show twice names the
  /// occurrence on either pass.
  private static func first(
    of times: [Instant?], _ body: (Instant?) throws(ClientError) -> SkipReply
  ) throws(ClientError) -> SkipReply {
    do throws(ClientError) {
      return try body(times[0])
    } catch {
      guard case .refused(.invalidField) = error, times.count > 1 else { throw error }
      return try body(times[1])
    }
  }
}
