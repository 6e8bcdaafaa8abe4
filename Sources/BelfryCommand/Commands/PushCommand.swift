import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry push`: delivers a payload, or with `--dry-run` only says how it is understood.
enum PushCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    // Wrong words are wrong whatever the payload says.
    let said = try options(context)
    let reading = try read(context.given.operands[0])
    if context.given.has(.dryRun) {
      let draft = try draft(reading, said)
      let explanation = PushExplanation(reading: reading, draft: draft)
      if context.json { return try context.say(explanation.object) }
      return try explanation.say(context)
    }
    let daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    var options = try options(context)
    // Made here, so that a call that is repeated after a lost reply does nothing twice.
    options.id = Random.uuid()
    let explanation = PushExplanation(reading: reading, draft: try draft(reading, options))
    if context.given.has(.explain) {
      try explain(explanation, options, daemon, context)
    } else {
      let reply = try push(reading, options, daemon, context)
      try say(reply, explanation, events: nil, context)
    }
  }

  // MARK: What is given

  private static func read(_ path: String) throws(CommandError) -> ParsedPush {
    do throws(FieldError) {
      return try PushPayload.read(try bytes(path))
    } catch {
      throw .refused(error, .call)
    }
  }

  private static func draft(
    _ reading: ParsedPush, _ options: PushOptions
  ) throws(CommandError) -> PushDraft {
    do throws(FieldError) {
      return try reading.draft(options)
    } catch {
      throw .refused(error, .call)
    }
  }

  private static func options(_ context: CommandContext) throws(CommandError) -> PushOptions {
    var options = PushOptions()
    options.collapseID = context.given.value(.collapseID)
    if let id = options.collapseID {
      do throws(FieldError) {
        try Notification.checkIdentifier(id, field: "--collapse-id")
      } catch {
        throw .refused(error, .call)
      }
    }
    if let text = context.given.value(.expires) {
      let now = SystemClock.real()
      let time = try TimeText.parseEnd(text, option: .expires, now: now, zone: context.board)
        .instant(in: context.board)
      guard time > now else { throw .refused("--expires: this is past, so nothing would be shown") }
      options.expiration = time
    }
    options.limit = try context.given
      .integer(.limit, in: 1...Int64(PushPayload.sizeLimit), of: " of bytes").map { Int($0) }
    return options
  }

  /// `-` is standard input.
  private static func bytes(_ path: String) throws(FieldError) -> [UInt8] {
    let most = PushPayload.sizeLimit + 1
    do throws(SystemError) {
      if path != "-" { return try Files.read(path, limit: most) }
      return try standardInput(atMost: most)
    } catch {
      if error.code == SystemError.tooBig { throw PushPayload.tooLong }
      if path == "-" { throw FieldError("standard input", .malformed, error.text) }
      let isPayload = path.utf8.first == UInt8(ascii: "{")
      throw FieldError(
        "FILE", isPayload ? .malformed : error.code == SystemError.noEntry ? .unknown : .conflict,
        isPayload
          ? "this is a payload, not a file; belfry push - reads one from its input" : error.text)
    }
  }

  private static func standardInput(atMost most: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    let input = FileDescriptor(owning: 0)
    while bytes.count < most {
      guard let more = try input.read(atMost: 4096) else {
        _ = Poll.wait(input.raw, .readable)
        continue
      }
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  // MARK: Delivering

  private static func push(
    _ reading: ParsedPush, _ options: PushOptions, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> PushReply {
    try daemon.ask { client throws(ClientError) in
      try client.push(app: context.app, payload: reading.payload.object, options).reply
    }
  }

  /// Delivers it and says how it was understood, and what became of it.
  private static func explain(
    _ explanation: PushExplanation, _ options: PushOptions, _ daemon: Daemon,
    _ context: CommandContext
  ) throws(CommandError) {
    let watch = try Daemon.connect(context)
    // The watch stands before the push goes, so that nothing is missed.
    try watch.ask { client throws(ClientError) in
      try client.send("Watch", [:], more: true)
      _ = try client.receive(milliseconds: Client.patience)
    }
    if !context.json { try explanation.say(context) }
    let reply = try push(explanation.reading, options, daemon, context)
    var events: [WatchEvent] = []
    if let occurrence = reply.occurrence { events = try follow(occurrence, watch) }
    try say(reply, explanation, events: events, context)
  }

  /// An app in the foreground may take 2 s to say whether it has taken it (D1).
  private static let patience = 2500 * Nanoseconds.millisecond
  /// What comes after the first event of an occurrence follows at once.
  private static let pause = 300 * Nanoseconds.millisecond

  /// What is heard of an occurrence in a moment.
  private static func follow(
    _ occurrence: OccurrenceID, _ watch: Daemon
  ) throws(CommandError) -> [WatchEvent] {
    var events: [WatchEvent] = []
    var deadline = SystemClock.elapsed() + patience
    while true {
      let left = (deadline - SystemClock.elapsed()) / Nanoseconds.millisecond
      let reply = try watch.ask { client throws(ClientError) in
        try client.receive(milliseconds: Int32(max(0, left)))
      }
      guard let reply else { return events }
      let event = try watch.ask { _ throws(ClientError) in try Client.event(reply.parameters) }
      guard let event, event.occurrence == occurrence else { continue }
      events.append(event)
      deadline = SystemClock.elapsed() + pause
    }
  }

  private static func say(
    _ reply: PushReply, _ explanation: PushExplanation, events: [WatchEvent]?,
    _ context: CommandContext
  ) throws(CommandError) {
    let words = context.words
    if context.json {
      var object: JSONObject = [
        "id": .string(reply.id.text), "duplicate": .boolean(reply.isDuplicate),
        "occurrence": LocalWords.text(reply.occurrence?.text),
      ]
      for member in explanation.object.members
      where events != nil || !["payload", "bytes", "shown"].contains(member.name) {
        object.append(member.name, member.value)
      }
      object.append("note", LocalWords.text(reply.demotion))
      object.append("warnings", .array(reply.warnings.map { .string($0) }))
      if let events {
        object.append("events", .array(events.map { .object(words.json($0)) }))
      }
      return try context.say(object)
    }
    if events != nil { try context.say("") }
    if reply.isDuplicate {
      try context.say("pushed " + reply.id.text + " before: nothing is stored or shown again")
    } else {
      try context.say("pushed " + reply.id.text)
    }
    if let demotion = reply.demotion { try context.say(DisplayWidth.safe(demotion)) }
    for warning in reply.warnings { context.warn(words.local(warning)) }
    for event in events ?? [] {
      try context.say(DisplayWidth.safe(WatchCommand.line(event, words)))
    }
    if events == nil { warn(of: explanation, context) }
  }

  /// What somebody should know who has not asked for an explanation.
  private static func warn(of explanation: PushExplanation, _ context: CommandContext) {
    for entry in explanation.reading.odd where entry.reason.hasPrefix("left out") {
      context.warn(entry.path + " is " + entry.reason)
    }
  }
}
