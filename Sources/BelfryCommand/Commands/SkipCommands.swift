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
      if let day = day(context) {
        reply =
          isSkip
          ? try skipDay(day, identifier, daemon.client, context.app)
          : try unskipDay(day, identifier, daemon.client, context.app)
      } else {
        reply = try first(of: times) { at throws(ClientError) in
          try body(daemon.client, identifier, at)
        }
      }
    } catch {
      if let time = times[0], case .refused(.invalidField(let wrong)) = error, wrong.field == "at" {
        if !isSkip, day(context) != nil { throw .refused("--at: nothing is skipped on that day") }
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
    } else {
      refusal.reason = context.words.local(refusal.reason)
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

  /// A day that stands alone, by the board's clocks; nil: none is given.
  private static func day(_ context: CommandContext) -> Range<Instant>? {
    let today = context.board.civil(SystemClock.real()).date
    guard let text = context.given.value(.at), let date = TimeText.day(text, today: today) else {
      return nil
    }
    return day(date, context)
  }

  private static func day(_ date: CivilDate, _ context: CommandContext) -> Range<Instant>? {
    guard let start = context.board.start(of: date),
      let end = context.board.start(of: CivilDate(days: date.days + 1)), start < end
    else { return nil }
    return start..<end
  }

  /// Most of a day that are skipped one by one, which each take a run of their own.
  private static let mostApart = 32

  /// What is due on a day, what of it is past left out; nothing is the error of a time at which nothing is.
  private static func skipDay(
    _ day: Range<Instant>, _ identifier: String, _ client: Client, _ app: String?
  ) throws(ClientError) -> SkipReply {
    let now = SystemClock.real()
    let start = max(day.lowerBound, now)
    var page = try client.nextAndSkipped(
      app: app, identifier: identifier, count: Int32(mostApart) + 1, after: start.advanced(by: -1))
    var due = page.found.map { $0.instant }.filter { day.contains($0) }
    guard let first = due.first else {
      // The same skip twice is once.
      let skipped = page.skipped.filter { $0.reason == PassedRun.byRequest }
        .map { $0.first }.filter { day.contains($0) }
      guard skipped.isEmpty else {
        return SkipReply(instants: skipped, next: page.found.first?.instant)
      }
      return try client.skip(app: app, identifier: identifier, at: start)
    }
    if due.count > mostApart {
      page = try client.nextAndSkipped(
        app: app, identifier: identifier, count: Int32(SkipSet.most), after: start.advanced(by: -1))
      due = page.found.map { $0.instant }.filter { day.contains($0) }
    }
    // The next so many are those of the day where nothing that is passed over already is among them.
    let ahead = try client.nextAndSkipped(app: app, identifier: identifier, count: Int32(due.count))
    if ahead.found.first?.instant == first, ahead.skipped.isEmpty, due.count < SkipSet.most {
      return try client.skip(app: app, identifier: identifier, count: Int64(due.count))
    }
    guard due.count <= mostApart else {
      throw .refused(
        .invalidField(
          FieldError(
            "at", .outOfRange,
            "more than \(mostApart) are due on that day; take it out with exdate of belfry edit")))
    }
    var reply = SkipReply(instants: [], next: nil)
    for instant in due {
      let one = try client.skip(app: app, identifier: identifier, at: instant)
      reply.instants += one.instants
      reply.next = one.next
    }
    return reply
  }

  /// What is skipped on a day.
  private static func unskipDay(
    _ day: Range<Instant>, _ identifier: String, _ client: Client, _ app: String?
  ) throws(ClientError) -> SkipReply {
    let start = max(day.lowerBound, SystemClock.real())
    var place = start.advanced(by: -1)
    var reply: SkipReply?
    for _ in 0..<SkipSet.most {
      let page = try client.nextAndSkipped(
        app: app, identifier: identifier, count: 1, after: place)
      let run = page.skipped.first {
        day.contains($0.first) && $0.reason == PassedRun.byRequest
      }
      guard let run else { break }
      let one = try client.unskip(app: app, identifier: identifier, at: run.first)
      place = run.first
      reply = SkipReply(
        instants: (reply?.instants ?? []) + one.instants, next: one.next)
    }
    if let reply { return reply }
    return try client.unskip(app: app, identifier: identifier, at: start)
  }

  /// nil: no time is given.
  private static func times(_ context: CommandContext) throws(CommandError) -> [Instant?] {
    if let day = day(context) { return [max(day.lowerBound, SystemClock.real())] }
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
