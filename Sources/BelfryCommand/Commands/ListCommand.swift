import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry list`: rows as they come for scripts, tables for people.
enum ListCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let delivered = context.given.has(.delivered)
    var rows: [ListedNotification] = []
    let daemon = try Daemon.connect(context)
    try daemon.ask { client throws(ClientError) in
      try client.list(app: context.app, delivered: delivered) { rows.append($0) }
      if !delivered { try client.list(app: context.app, snoozed: true) { rows.append($0) } }
    }
    if rows.isEmpty { UnknownApp.warn(daemon, context) }
    let context = context.following(daemon)
    let words = context.words
    if context.json {
      for row in rows { try context.say(words.json(row)) }
      return
    }
    if rows.isEmpty { return try context.say(delivered ? "nothing is shown" : "nothing scheduled") }
    rows.sort { $0.next ?? .distantFuture < $1.next ?? .distantFuture }
    try context.say(delivered ? shownTable(rows, words) : table(rows, words, context.repeatWords))
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
        row.sink ?? "-", sound(content), text(content),
      ])
    }
    return table
  }

  private static func table(
    _ rows: [ListedNotification], _ words: LocalWords, _ repeats: RepeatWords
  ) -> TextTable {
    var repeats = repeats
    let namesSinks = rows.contains {
      !$0.notification.sinks.isEmpty || !$0.notification.ladder.isEmpty
    }
    let states = rows.map { state($0, words) }
    let isUsual = states.allSatisfy { $0 == ListedNotification.State.scheduled.rawValue }
    var columns: [TextTable.Column] = [
      .init(title: "ID", shrinks: true, keeps: true, wraps: true),
      .init(title: "APP", shrinks: true, drops: true),
      .init(title: "NEXT"), .init(title: "IN", right: true, isSpare: true),
      .init(title: "REPEAT", shrinks: true, wraps: true), .init(title: "SOUND", shrinks: true),
      .init(title: "MODE", isSpare: true),
      .init(title: "STATE", isSpare: isUsual, wraps: true, isState: true),
      .init(title: "TEXT", shrinks: true),
    ]
    if namesSinks { columns.insert(.init(title: "TO", shrinks: true), at: 6) }
    // It is wide, and stands last.
    let hasPlaces = rows.contains { place($0) != nil }
    if hasPlaces { columns.append(.init(title: "PLACE", shrinks: true, isSpare: true)) }
    var table = TextTable(columns)
    for (row, state) in zip(rows, states) {
      let content = row.notification
      var cells = [
        content.identifier ?? "", row.app, next(row, words), remaining(row, words),
        repeats.text(content, next: row.next), sound(content), mode(content), state, text(content),
      ]
      let sinks =
        (content.firstSinks.isEmpty ? "all" : content.firstSinks.joined(separator: ", "))
        + (content.ladder.isEmpty ? "" : ", then its ladder")
      if namesSinks { cells.insert(sinks, at: 6) }
      if hasPlaces { cells.append(place(row)?.placeWords ?? "-") }
      table.add(cells)
    }
    return table
  }

  /// Where it comes; a snooze goes by the time, whatever its notification goes by.
  private static func place(_ row: ListedNotification) -> CircularRegion? {
    row.state == .snoozed ? nil : row.notification.region
  }

  /// When, or by what.
  private static func next(_ row: ListedNotification, _ words: LocalWords) -> String {
    if let region = place(row) { return region.crossingWord(enters: "entering", leaves: "leaving") }
    return row.next.map { words.moment($0) } ?? "-"
  }

  /// `9 h 12 min`; `-` where nobody can say, or it is late.
  private static func remaining(_ row: ListedNotification, _ words: LocalWords) -> String {
    guard let next = row.next, next > words.now, next != .distantFuture else { return "-" }
    let text = Nanoseconds.words(next.nanoseconds(since: words.now))
    return text.hasPrefix("in ") ? String(text.dropFirst(3)) : text
  }

  /// The zone of what goes by a named one's clocks.
  private static func mode(_ content: Notification) -> String {
    if content.region != nil { return "region" }
    return content.mode == .zoned ? content.timeZone ?? "" : content.mode.rawValue
  }

  /// What the speaker plays.
  private static func sound(_ content: Notification) -> String {
    guard content.mayHaveSound, content.mayReachSpeaker else { return "-" }
    return content.soundName ?? "later"
  }

  private static func state(_ row: ListedNotification, _ words: LocalWords) -> String {
    let late = row.next.map { words.now.nanoseconds(since: $0) } ?? 0
    let word = row.state.rawValue + (late > 5 * Nanoseconds.second ? ", late" : "")
    var parts = [word]
    if row.state != .paused, let run = row.passed.first {
      let end = run.last.map { $0 == run.first ? "" : " to " + words.moment($0) } ?? " and on"
      let more = row.passed.count - 1
      parts[0] +=
        ", skips " + words.moment(run.first) + end + (more > 0 ? " and \(more) more" : "")
    }
    // That it is skipped is said.
    let isSaid = parts[0] != word && row.reason == row.passed.first?.reason
    if let reason = row.reason.map({ words.local($0) }), !isSaid {
      // `it is paused until …` says the word itself.
      let head = "it is "
      if reason.hasPrefix(head + word) {
        parts[0] = String(reason.dropFirst(head.count))
      } else {
        parts.append(reason)
      }
    }
    if let silence = row.silence { parts.append("silent: " + words.local(silence)) }
    guard parts.count > 1 else { return parts[0] }
    let isSilent = row.silence != nil && parts.count == 2
    return parts[0] + (isSilent ? ", " : ": ") + parts[1...].joined(separator: "; ")
  }

  private static func text(_ content: Notification) -> String {
    let parts = [content.alertTitle, content.alertSubtitle, content.alertBody].compactMap { $0 }
    let text = parts.filter { !$0.isEmpty }.joined(separator: " – ")
    return text.isEmpty ? ScheduleCommand.badge(content) ?? "-" : text
  }
}
