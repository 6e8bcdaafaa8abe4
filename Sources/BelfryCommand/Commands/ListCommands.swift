import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry list` and `belfry history`: rows as they come for scripts, tables for people.
enum ListCommands {
  static func list(_ context: CommandContext) throws(CommandError) {
    let delivered = context.given.has(.delivered)
    var rows: [ListedNotification] = []
    let daemon = try Daemon.connect(context)
    try daemon.ask { client throws(ClientError) in
      try client.list(app: context.app, delivered: delivered) { rows.append($0) }
      if !delivered { try client.list(app: context.app, snoozed: true) { rows.append($0) } }
    }
    let words = context.following(daemon).words
    if context.json {
      for row in rows { try context.say(words.json(row)) }
      return
    }
    if rows.isEmpty { return try context.say(delivered ? "nothing is shown" : "nothing scheduled") }
    rows.sort { $0.next ?? .distantFuture < $1.next ?? .distantFuture }
    try context.say(delivered ? shownTable(rows, words) : table(rows, words))
  }

  private static func shownTable(_ rows: [ListedNotification], _ words: LocalWords) -> TextTable {
    var table = TextTable([
      .init(title: "ID", shrinks: true), .init(title: "APP", shrinks: true),
      .init(title: "DUE"), .init(title: "SINK", shrinks: true),
      .init(title: "SOUND", shrinks: true), .init(title: "TEXT", shrinks: true),
    ])
    for row in rows {
      let content = row.notification
      table.add([
        content.identifier ?? "", row.app, row.due.map { words.moment($0) } ?? "-",
        row.sink ?? "-", content.soundName ?? "-", text(content),
      ])
    }
    return table
  }

  private static func table(
    _ rows: [ListedNotification], _ words: LocalWords
  ) -> TextTable {
    var table = TextTable([
      .init(title: "ID", shrinks: true), .init(title: "APP", shrinks: true),
      .init(title: "NEXT"), .init(title: "REPEAT", shrinks: true), .init(title: "MODE"),
      .init(title: "STATE", isState: true),
      .init(title: "TEXT", shrinks: true),
    ])
    for row in rows {
      let content = row.notification
      table.add([
        content.identifier ?? "", row.app, next(row, words),
        repeatText(content), mode(content), state(row, words.now), text(content),
      ])
    }
    return table
  }

  /// When, or where; a snooze goes by the time, whatever its notification goes by.
  private static func next(_ row: ListedNotification, _ words: LocalWords) -> String {
    if let region = row.notification.region, row.state != .snoozed {
      return region.crossingWord(enters: "entering", leaves: "leaving") + " " + region.placeWords
    }
    return row.next.map { words.moment($0) } ?? "-"
  }

  /// `day`, `2 month`, `FREQ=DAILY`.
  private static func repeatText(_ content: Notification) -> String {
    if content.region != nil, !content.regionTriggersOnce { return "every crossing" }
    if let rule = content.rrule { return rule.text }
    guard let unit = content.repeatInterval else { return "-" }
    return content.every == 1 ? unit.name : "\(content.every) " + unit.name
  }

  /// The zone of what goes by a named one's clocks.
  private static func mode(_ content: Notification) -> String {
    if content.region != nil { return "region" }
    return content.mode == .zoned ? content.timeZone ?? "" : content.mode.rawValue
  }

  private static func state(_ row: ListedNotification, _ now: Instant) -> String {
    let late = row.next.map { now.nanoseconds(since: $0) } ?? 0
    let word = row.state.rawValue + (late > 5 * Nanoseconds.second ? ", late" : "")
    if let silence = row.silence { return word + ", silent: " + silence }
    return row.reason.map { word + ": " + $0 } ?? word
  }

  private static func text(_ content: Notification) -> String {
    let parts = [content.alertTitle, content.alertSubtitle, content.alertBody].compactMap { $0 }
    return parts.joined(separator: " – ")
  }

  static func history(_ context: CommandContext) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    var rows: [HistoryRow] = []
    try daemon.ask { client throws(ClientError) in
      try client.history(app: context.app) { rows.append($0) }
    }
    let words = context.following(daemon).words
    if context.json {
      for row in rows { try context.say(words.json(row)) }
      return
    }
    if rows.isEmpty { return try context.say("nothing has been delivered yet") }
    var table = TextTable([
      .init(title: "DUE"), .init(title: "LATE", right: true), .init(title: "SINK"),
      .init(title: "STATE", isState: true), .init(title: "TRIES", right: true),
      .init(title: "ID", shrinks: true), .init(title: "REASON", shrinks: true),
    ])
    for row in rows {
      table.add([
        words.moment(row.due),
        row.handedOver.map { LocalWords.span($0.nanoseconds(since: row.due)) } ?? "-",
        row.sink.isEmpty ? "-" : row.sink, row.state.rawValue, "\(row.attempts)", row.identifier,
        [row.reason, row.text.map { "“" + $0 + "”" }].compactMap { $0 }.joined(separator: ": "),
      ])
    }
    try context.say(table)
  }
}
