import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry days list` and `belfry days check`: calendars of days (E3).
enum DaysCommands {
  static func list(_ context: CommandContext) throws(CommandError) {
    // Not BELFRY_APP: without --app all are meant.
    let app = context.given.value(.app)
    let daemon = try Daemon.connect(context)
    let rows = try daemon.ask { client throws(ClientError) in try client.days(app: app) }
    if context.json {
      for row in rows { try context.say(json(row)) }
      return
    }
    if rows.isEmpty { return try context.say("no calendars yet") }
    var table = TextTable([
      .init(title: "NAME", shrinks: true), .init(title: "APP", shrinks: true),
      .init(title: "STATE"), .init(title: "DAYS", right: true), .init(title: "FIRST"),
      .init(title: "LAST"), .init(title: "FILE", shrinks: true),
      .init(title: "PROBLEM", wraps: true),
    ])
    for row in rows {
      table.add([
        row.name, row.app ?? "-", row.state.rawValue, "\(row.count)", text(row.first),
        text(row.last), row.path, row.problem ?? "",
      ])
    }
    try context.say(table)
  }

  private static func text(_ day: Int64?) -> String {
    day.map { CivilDate(days: $0).text } ?? "-"
  }

  /// As on the wire, but that a key that has no value is null.
  private static func json(_ row: ListedDays) -> JSONObject {
    var object = JSONObject()
    let known = row.parameters
    for name in ["app", "name", "file", "state", "days", "first", "last", "problem"] {
      object.append(name, known[name] ?? .null)
    }
    return object
  }

  /// As the daemon would read it, but without one.
  static func check(_ context: CommandContext) throws(CommandError) {
    let path = context.given.operands[0]
    guard let (kind, name) = DaysReader.Kind.of(path) else {
      throw .refused("FILE: a calendar is called NAME.days or NAME.ics")
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.read(path, limit: DaysReader.limit)
    } catch {
      guard error.code == SystemError.tooBig else { throw .refused("FILE: " + error.text) }
      throw .refused(path + ":" + DaysReader.tooLong.text)
    }
    let reader = DaysReader(zone: context.board.rules, now: SystemClock.real())
    let entries: [DayCalendar.Range]
    do throws(DaysError) {
      entries = try reader.read(bytes, kind)
    } catch {
      throw .refused(path + ":" + error.text)
    }
    for entry in entries {
      let first = CivilDate(days: entry.first).text
      let last = CivilDate(days: entry.last).text
      if context.json {
        try context.say([
          "first": .string(first), "last": .string(last), "name": .string(entry.name),
        ])
      } else {
        let days = entry.first == entry.last ? first : first + ".." + last
        try context.say(days + (entry.name.isEmpty ? "" : "  " + DisplayWidth.safe(entry.name)))
      }
    }
    if context.json { return }
    let calendar = DayCalendar(entries)
    let file = name.split(separator: "/").last.map { String($0) } ?? name
    try context.say(
      FieldError.quoted(file) + " is good: " + counted(calendar.dayCount, "day") + " in "
        + counted(entries.count, "entry", many: "entries"))
  }
}

/// The options that name calendars of days.
enum DaysArguments {
  static func set(_ given: Invocation, in draft: inout Notification) throws(CommandError) {
    draft.exceptOn = try names(.exceptOn, given)
    draft.onlyOn = try names(.onlyOn, given)
    draft.asOn = []
    for text in given.values(.asOn) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw .usage(
          "--as-on: " + FieldError.quoted(text) + " is none; write NAME=DAY, such as holidays=sun")
      }
      guard let weekday = WeekdaysArgument.day(parts[1]) else {
        throw .usage(
          "--as-on: " + FieldError.quoted(String(parts[1]))
            + " is no day; write mon, tue, wed, thu, fri, sat or sun")
      }
      draft.asOn.append(AsOn(calendar: String(parts[0]), weekday: weekday))
    }
  }

  /// Days of the week are a slip of another kind, which `told` names.
  private static func names(
    _ option: OptionName, _ given: Invocation
  ) throws(CommandError) -> [String] {
    let names = given.values(option)
    let areDays = names.contains { (try? WeekdaysArgument.rule($0)) != nil }
    return areDays ? names : try given.names(option)
  }

  /// A warning of the daemon's in the words of the command line, with what is meant by days that
  /// stand for a calendar.
  static func told(_ warning: String, _ given: Invocation) -> String {
    let said = CommandWords.reason(warning)
    for option in [OptionName.exceptOn, .onlyOn] {
      for name in given.values(option) {
        let head = "--" + option.rawValue + ": there is no calendar " + FieldError.quoted(name)
        guard said.hasPrefix(head + " yet") else { continue }
        let repeats = [OptionName.repeatUnit, .rrule].first { given.has($0) }
        if option == .exceptOn, repeats != nil || given.has(.weekdays),
          TimeText.date(name[...]) != nil
        {
          return said + "; for a day by itself write --exdate " + name
        }
        if (try? WeekdaysArgument.rule(name)) != nil {
          return said + "; for days of the week write --weekdays "
            + (option == .onlyOn ? name : "DAYS, such as mon-fri")
            + (repeats.map { ", and no --" + $0.rawValue } ?? "")
        }
      }
    }
    return said
  }
}
