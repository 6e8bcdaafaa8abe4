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
    let count = try given.integer(.number) ?? 1
    guard (1...SkipSet.most).contains(count) else {
      throw .refused("-n: \(count) is not a number from 1 to \(SkipSet.most)")
    }
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
    let identifier = context.given.operands.first ?? ""
    // What is wrong is said without a daemon.
    _ = try at(context)
    let daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    let at = try at(context)
    let reply: SkipReply
    do throws(ClientError) {
      reply = try body(daemon.client, identifier, at)
    } catch {
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

  private static func told(_ instants: [Instant], _ words: LocalWords) -> String {
    guard let last = instants.last else { return "nothing" }
    if instants.count <= 3 {
      return instants.map { words.moment($0) }.joined(separator: ", ")
    }
    return "\(instants.count) times, from " + words.moment(instants[0]) + " to "
      + words.moment(last)
  }

  private static func at(_ context: CommandContext) throws(CommandError) -> Instant? {
    let now = SystemClock.real()
    let board = context.board
    return try context.given.value(.at).map { text throws(CommandError) in
      try TimeText.parse(text, option: .at, now: now, zone: board).instant(in: board)
    }
  }
}
