import BelfryClient
import BelfryCore
import BelfryWire

/// `belfry history`: rows as they come for scripts, a table for people, the newest last.
enum HistoryCommand {
  /// Which rows are wanted.
  private struct Filter {
    var since: Instant?
    var identifier: String?
    /// None: all of them.
    var sinks: [String]
    var state: DeliveryState?
    /// So many of the newest; nil: all.
    var limit: Int?

    init(_ context: CommandContext) throws(CommandError) {
      let given = context.given
      since = try HistoryCommand.since(given, context.words)
      identifier = given.value(.id)
      sinks = given.list(.to)
      state = try given.choice(.state, "state")
      limit = try given.rows().map { Int(clamping: $0) }
    }

    /// Nothing was asked for but everything.
    var isOpen: Bool {
      since == nil && identifier == nil && sinks.isEmpty && state == nil && limit == nil
    }

    func takes(_ row: HistoryRow) -> Bool {
      if let since, row.due < since { return false }
      if let identifier, row.identifier != identifier { return false }
      if !sinks.isEmpty, !sinks.contains(row.sink) { return false }
      return state == nil || row.state == state
    }
  }

  static func run(_ context: CommandContext) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    let filter = try Filter(context)
    var rows: [HistoryRow] = []
    // First, so that what ends meanwhile is missing in neither.
    var waiting = try waiting(daemon, context).filter { filter.takes($0) }
    try daemon.ask { client throws(ClientError) in
      try client.history(app: context.app) { row in
        waiting.removeAll { $0.occurrence == row.occurrence && $0.sink == row.sink }
        guard filter.takes(row) else { return }
        rows.append(row)
        // What is too old is dropped in large pieces.
        if let limit = filter.limit, rows.count / 2 >= limit { rows.removeFirst(limit) }
      }
    }
    for row in waiting {
      rows.insert(row, at: rows.lastIndex { $0.due <= row.due }.map { $0 + 1 } ?? 0)
    }
    if let limit = filter.limit, rows.count > limit { rows.removeFirst(rows.count - limit) }
    if rows.isEmpty, filter.isOpen { UnknownApp.warn(daemon, context) }
    // One that has left is in the history, too.
    if rows.isEmpty {
      for name in filter.sinks {
        if let words = UnknownSink.told(name, daemon) { context.warn(words) }
      }
    }
    if context.json {
      for row in rows { try context.say(context.words.json(row)) }
      return
    }
    guard rows.isEmpty else { return try context.say(table(rows, context.words)) }
    try context.say(
      filter.isOpen ? "nothing has been delivered yet" : "nothing of that is in the history")
  }

  /// What has not come to an end; a daemon from before knows nothing of that.
  private static func waiting(
    _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> [HistoryRow] {
    try daemon.ask { client throws(ClientError) in
      var rows: [HistoryRow] = []
      do throws(ClientError) {
        try client.history(app: context.app, waiting: true) { rows.append($0) }
      } catch {
        guard case .refused(.invalidField) = error else { throw error }
      }
      return rows
    }
  }

  private static func table(_ rows: [HistoryRow], _ words: LocalWords) -> TextTable {
    var table = TextTable([
      .init(title: "DUE"), .init(title: "LATE", right: true), .init(title: "SINK"),
      .init(title: "STATE", isState: true), .init(title: "TRIES", right: true),
      .init(title: "ID", shrinks: true), .init(title: "REASON", wraps: true),
    ])
    for row in rows {
      table.add([
        words.moment(row.due),
        row.handedOver.map { LocalWords.span($0.nanoseconds(since: row.due)) } ?? "-",
        row.sink.isEmpty ? "-" : row.sink, row.state.rawValue, "\(row.attempts)", row.identifier,
        [
          row.reason.map { words.local($0) }, missed(row, words),
          row.text.map { "“" + $0 + "”" },
        ].compactMap { $0 }.joined(separator: ": "),
      ])
    }
    return table
  }

  /// What it stands for (T10): `3 missed since Sat 07:00`.
  private static func missed(_ row: HistoryRow, _ words: LocalWords) -> String? {
    guard row.missed > 0 else { return nil }
    return "\(row.missed) missed" + (row.missedSince.map { " since " + words.moment($0) } ?? "")
  }

  /// `2d` ago, a day (`2027-01-31`, `yesterday`, `mon`), or a time that has passed.
  static func since(
    _ given: Invocation, _ words: LocalWords
  ) throws(CommandError) -> Instant? {
    guard let text = given.value(.since) else { return nil }
    if DurationArgument.isMeant(text) { _ = try DurationArgument.parse(text, "--since") }
    if let ago = try? DurationArgument.parse(text, "--since") {
      return words.now.advanced(by: -max(0, ago))
    }
    let day =
      TimeText.date(text[...])
      ?? TimeText.lastDate(text, words.zone.civil(words.now).date)
    // Of an hour that came twice all is shown.
    let time = try TimeText.parse(
      day.map { LocalWords.date($0) + "T00:00" } ?? text, option: .since, now: words.now,
      zone: words.zone, overlap: .first)
    let instant = time.instant(in: words.zone)
    if instant > words.now, let last = lastSuch(text, words) { return last }
    guard instant <= words.now else {
      throw .usage(
        "--since: " + FieldError.quoted(text) + " lies ahead, " + words.firing(instant)
          + "; write how long ago (12h, 2d), a day (2027-01-31) or 'today 07:00'")
    }
    return instant
  }

  /// Of a time of day alone: when clocks showed it last.
  private static func lastSuch(_ text: String, _ words: LocalWords) -> Instant? {
    for days in [0, 1] as [Int64] {
      let time = try? TimeText.parse(
        "today " + text, option: .since, now: words.now.advanced(by: -days * Nanoseconds.day),
        zone: words.zone, overlap: .first)
      if let instant = time?.instant(in: words.zone), instant <= words.now { return instant }
    }
    return nil
  }
}
