import BelfryClient
import BelfryCore
import BelfryWire

/// `belfry inbox fetch` and `belfry inbox mark-read`.
enum InboxCommands {
  static func fetch(_ context: CommandContext) throws(CommandError) {
    var left = try context.given.rows()
    var token = context.given.value(.since)
    let daemon = try Daemon.connect(context)
    let words = context.following(daemon).words
    var rows: [InboxEntry] = []
    var moreComing = false
    repeat {
      let page = try daemon.ask { client throws(ClientError) in
        try client.fetchInbox(
          app: context.app, container: context.given.value(.container) ?? "", since: token,
          limit: left.map { min($0, SchedulerCall.inboxLimit.most) })
      }
      (token, moreComing) = (page.token, page.moreComing)
      left = left.map { $0 - Int64(page.entries.count) }
      if context.json {
        for entry in page.entries { try context.say(words.json(entry)) }
      } else {
        rows += page.entries
      }
    } while moreComing && left != 0
    if rows.isEmpty, !context.given.has(.since) { UnknownApp.warn(daemon, context) }
    if context.json {
      return try context.say([
        "token": LocalWords.text(token), "moreComing": .boolean(moreComing),
      ])
    }
    try say(rows, isFirst: !context.given.has(.since), words, context)
    try context.say("token: " + DisplayWidth.safe(token ?? "-"))
    if moreComing { try context.say("there is more: fetch again with --since and this token") }
  }

  private static func say(
    _ rows: [InboxEntry], isFirst: Bool, _ words: LocalWords, _ context: CommandContext
  ) throws(CommandError) {
    if rows.isEmpty {
      return try context.say(isFirst ? "the inbox is empty" : "nothing has come since")
    }
    var table = TextTable([
      .init(title: "ID"), .init(title: "KIND"), .init(title: "RECEIVED"),
      .init(title: "TEXT", shrinks: true), .init(title: "MISSING", shrinks: true),
    ])
    for row in rows {
      table.add([
        row.id.text, row.kind == InboxEntry.readKind ? "read" : row.kindWord,
        words.moment(row.received), text(of: row),
        row.pruned.joined(separator: ", "),
      ])
    }
    try context.say(table)
  }

  /// What the alert says, or what else there is.
  private static func text(of entry: InboxEntry) -> String {
    guard let payload = entry.payload, let reading = try? PushPayload.read(Array(payload.utf8))
    else { return "-" }
    let shown = reading.payload.shown
    let texts = [shown.alertTitle, shown.alertSubtitle, shown.alertBody].compactMap { $0 }
    if !texts.isEmpty { return texts.joined(separator: ": ") }
    if let badge = reading.payload.badge { return "badge \(badge)" }
    return reading.payload.contentAvailable ? "content-available" : "-"
  }

  // MARK: Marking

  static func markRead(_ context: CommandContext) throws(CommandError) {
    let words = context.given.operands
    guard !words.isEmpty else { throw .usage("inbox mark-read needs ID (belfry inbox fetch)") }
    var ids: [UUIDBits] = []
    for word in words {
      guard let id = UUIDBits(text: word) else {
        throw .usage("ID: " + FieldError.quoted(word) + " is not a UUID of 36 characters")
      }
      ids.append(id)
    }
    let daemon = try Daemon.connect(context)
    var done = MarkReadReply(marked: [], unknown: [])
    var rest = ids[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(Int(SchedulerCall.inboxLimit.most)))
      rest = rest.dropFirst(part.count)
      let reply = try daemon.ask { client throws(ClientError) in
        try client.markRead(
          app: context.app, container: context.given.value(.container) ?? "", ids: part)
      }
      done.marked += reply.marked
      done.unknown += reply.unknown
    }
    try say(done, of: ids.count, context)
  }

  private static func say(
    _ done: MarkReadReply, of count: Int, _ context: CommandContext
  ) throws(CommandError) {
    if context.json {
      try context.say(done.parameters)
    } else {
      let before = count - done.marked.count - done.unknown.count
      try context.say(
        "marked \(done.marked.count) as read"
          + (before > 0 ? ", \(before) had been marked before" : ""))
    }
    guard let first = done.unknown.first else { return }
    let others = done.unknown.count - 1
    throw .refused(
      "ID: the inbox has no " + first.text + (others > 0 ? " and " + counted(others, "other") : "")
        + " (see: belfry inbox fetch)")
  }
}

extension LocalWords {
  /// A row of `inbox fetch`.
  func json(_ entry: InboxEntry) -> JSONObject {
    let known = entry.parameters
    return [
      "id": .string(entry.id.text), "kind": .string(entry.kindWord),
      "received": json(entry.received), "payload": known["payload"] ?? .null,
      "isPruned": true, "pruned": known["pruned"] ?? [],
    ]
  }
}
