import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry status` and `belfry plugin list`, from what the daemon says of itself.
enum StatusCommands {
  static func status(_ context: CommandContext) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    let status = try daemon.ask { client throws(ClientError) in try client.status() }
    if context.json { return try context.say(whole(status)) }
    let words = context.following(daemon).words
    for member in StatusText(words: words).members(of: status).members {
      try say(member.name, member.value, context, indent: "")
    }
  }

  /// With all keys that there may be.
  private static func whole(_ status: JSONObject) -> JSONObject {
    var status = status
    if let rows = status["plugins"]?.array {
      status["plugins"] = .array(rows.map { .object(($0.object ?? [:]).with(pluginKeys)) })
    }
    return status.with(statusKeys)
  }

  private static let statusKeys = [
    "books", "configuration", "configurationProblem", "needsRestart", "demoted", "paused", "days",
    "daysProblems", "heldReason", "nextDue", "nextIn", "nextMode", "nextReason", "location",
    "manifestProblems", "manifestOddities", "textProblems", "appSoundFolders", "users",
  ]

  static func trustClock(_ context: CommandContext) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    let released = try daemon.ask { client throws(ClientError) in try client.trustClock() }
    if context.json { return try context.say(["released": .integer(released)]) }
    try context.say(
      "the clock is trusted until the next boot"
        + (released == 0
          ? "; nothing was held"
          : "; "
            + counted(released, "held notification goes on", many: "held notifications go on")))
  }

  static func reload(_ context: CommandContext) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    let reply = try daemon.ask { client throws(ClientError) in try client.reload() }
    if context.json {
      let down = warnings(reply.changed, daemon, context)
      return try context.say([
        "changed": .array(reply.changed.map { .string($0) }),
        "needsRestart": .array(reply.needsRestart.map { .string($0) }),
        "warnings": .array(down.map { .string($0) }),
      ])
    }
    try context.say(
      "the configuration was read again; "
        + (reply.changed.isEmpty
          ? "nothing has changed" : "changed: " + reply.changed.joined(separator: ", ")))
    if !reply.needsRestart.isEmpty {
      try context.say(
        "only a restart of belfryd takes up: " + reply.needsRestart.joined(separator: ", "))
    }
    for sentence in warnings(reply.changed, daemon, context) { context.warn(sentence) }
  }

  /// What its user would not want of what has changed.
  private static func warnings(
    _ changed: [String], _ daemon: Daemon, _ context: CommandContext
  ) -> [String] {
    guard changed.contains(where: { $0.hasPrefix("[plugin:") }) else { return [] }
    var sentences = plugins(among: changed, downAt: daemon)
    let status = try? daemon.client.status()
    if status?["plugins"]?.array?.isEmpty ?? false { sentences.append(nothingShows) }
    let missing = NamedSinkCheck.run(SocketPlace.find(context.given), status)
    return sentences + missing.map { $0.finding }
  }

  static let nothingShows = "nothing shows alerts: no [plugin:NAME] does (belfry help plugins)"

  /// So long a plugin may take to start before nobody waits to hear how it went.
  private static let patience = 2 * Nanoseconds.second

  /// Those of the changed sections that did not start, a sentence each; none where nobody says.
  private static func plugins(among changed: [String], downAt daemon: Daemon) -> [String] {
    let deadline = SystemClock.elapsed() + patience
    while let status = try? daemon.client.status() {
      let rows = (status["plugins"]?.array ?? []).compactMap { $0.object }.filter {
        changed.contains("[plugin:\($0["name"]?.string ?? "")]")
      }
      if rows.contains(where: isOnItsWay), SystemClock.elapsed() < deadline {
        _ = Poll.wait(-1, .readable, milliseconds: 100)
        continue
      }
      return rows.compactMap { row in
        guard let name = row["name"]?.string, row["state"]?.string != "running" else { return nil }
        return "\(name) is \(row["state"]?.string ?? "down")"
          + (row["reason"]?.string.map { ": " + $0 } ?? "")
      }
    }
    return []
  }

  /// It starts, or ends to be started with its new keys.
  private static func isOnItsWay(_ row: JSONObject) -> Bool {
    ["starting", "ending"].contains(row["state"]?.string ?? "")
  }

  private static func ask(_ context: CommandContext) throws(CommandError) -> JSONObject {
    let daemon = try Daemon.connect(context)
    return try daemon.ask { client throws(ClientError) in try client.status() }
  }

  /// A value behind its name; objects and lists below it.
  private static func say(
    _ name: String, _ value: JSONValue, _ context: CommandContext, indent: String
  ) throws(CommandError) {
    let head = DisplayWidth.padded(indent + name, to: 16, right: false) + "  "
    switch value {
    case .object(let object):
      try context.line(indent + context.paint.paint(name, .bold))
      for member in object.members {
        try say(member.name, member.value, context, indent: indent + "  ")
      }
    case .array(let items) where items.contains(where: { $0.object != nil }):
      try context.line(indent + context.paint.paint(name, .bold))
      let objects = items.compactMap { $0.object }
      let rows = name == "plugins" ? pluginTable(objects) : table(objects)
      let width = context.width.map { $0 - indent.utf8.count - 2 }
      for line in rows.lines(width: width, paint: context.paint) {
        try context.line(indent + "  " + line)
      }
    default:
      var texts = [text(value)]
      if case .array(let items) = value, !items.isEmpty { texts = items.map { text($0) } }
      let isBad = name.hasPrefix("books") && name != "books"
      try say(texts, beside: head, isBad: isBad, context)
    }
  }

  /// Texts below each other, each folded into what the terminal has beside the name.
  private static func say(
    _ texts: [String], beside head: String, isBad: Bool, _ context: CommandContext
  ) throws(CommandError) {
    for (index, shown) in texts.map({ DisplayWidth.safe($0) }).enumerated() {
      let space = DisplayWidth.padded("", to: DisplayWidth.of(head), right: false)
      try context.say(
        shown, beside: index == 0 ? head : space, style: isBad ? .red : Paint.style(of: shown))
    }
  }

  /// A column for each name that any of the objects has.
  static func table(_ objects: [JSONObject]) -> TextTable {
    var names: [String] = []
    for object in objects {
      for member in object.members where !names.contains(member.name) { names.append(member.name) }
    }
    var table = TextTable(names.map { .init(title: $0, shrinks: true) })
    for object in objects { table.add(names.map { text(object[$0] ?? .null) }) }
    return table
  }

  static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: return "-"
    case .boolean(let flag): return flag ? "yes" : "no"
    case .integer(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .string(let text): return text.isEmpty ? "-" : text
    case .array(let items):
      return items.isEmpty ? "-" : items.map { text($0) }.joined(separator: ", ")
    case .object: return value.text
    }
  }

  static func plugins(_ context: CommandContext) throws(CommandError) {
    let rows = (try ask(context)["plugins"]?.array ?? []).compactMap { $0.object }
    if context.json {
      for row in rows {
        try context.say(row.with(pluginKeys))
      }
      return
    }
    if rows.isEmpty {
      return try context.say("no plugins are configured: add [plugin:NAME] to the configuration")
    }
    try context.say(pluginTable(rows))
  }

  private static let pluginKeys = [
    "file", "id", "version", "capabilities", "pid", "queued", "handedOver", "restarts", "health",
    "healthText", "reason",
  ]

  /// What a person wants to know of each plugin; the last column says what happened to one that is
  /// not well.
  private static func pluginTable(_ rows: [JSONObject]) -> TextTable {
    var table = TextTable([
      .init(title: "NAME"), .init(title: "STATE", isState: true),
      .init(title: "VERSION", shrinks: true),
      .init(title: "RESTARTS", right: true), .init(title: "QUEUED", right: true),
      .init(title: "HEALTH", isState: true), .init(title: "FILE", shrinks: true),
      .init(title: "WHAT HAPPENED", wraps: true),
    ])
    for row in rows {
      let names = ["name", "state", "version", "restarts", "queued", "health", "file"]
      let health = row["healthText"]?.string
      // Of one that runs again it is long past.
      let reason = row["state"]?.string == "running" ? nil : row["reason"]?.string
      table.add(names.map { text(row[$0] ?? .null) } + [reason ?? health ?? ""])
    }
    return table
  }
}
