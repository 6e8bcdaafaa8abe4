import BelfryClient
import BelfryCore
import BelfryWire

/// `belfry app list` and `belfry app show`: apps, whose they are, and what their manifests say.
enum AppCommands {
  static func list(_ context: CommandContext) throws(CommandError) {
    // Not BELFRY_APP: it says whose notifications are meant, and here there are none.
    let rows = try ask(context, context.given.value(.app))
    if context.json {
      for row in rows { try context.say(json(row)) }
      return
    }
    if rows.isEmpty { return try context.say("no apps yet") }
    var table = TextTable([
      .init(title: "APP", shrinks: true), .init(title: "NAME", shrinks: true),
      .init(title: "OWNER", right: true), .init(title: "SCHEDULED", right: true),
      .init(title: "BADGE", right: true), .init(title: "SESSIONS", right: true),
      .init(title: "STARTED BY", shrinks: true), .init(title: "PROBLEMS", wraps: true),
    ])
    for row in rows {
      table.add([
        row.app, row.name ?? "-", owner(row), "\(row.scheduled)", "\(row.badge)",
        "\(row.sessions)", row.launch ?? "-", row.problems.joined(separator: "; "),
      ])
    }
    try context.say(table)
  }

  static func show(_ context: CommandContext) throws(CommandError) {
    let id = context.given.operands[0]
    guard let row = try ask(context, id).first else {
      throw CommandError(
        status: .refused, code: "notFound",
        message: "APP: nobody has used " + FieldError.quoted(id) + ", and no manifest names it")
    }
    if context.json { return try context.say(json(row)) }
    var lines = [
      ("app", row.app), ("name", row.name ?? "-"), ("owner", owner(row)),
      ("manifest", row.manifest ?? "-"), ("started by", row.launch ?? "-"),
      ("language", row.language ?? "-"), ("allowed", words(row.allowed)),
      ("location", row.location ? "yes" : "no"), ("scheduled", "\(row.scheduled)"),
      ("badge", "\(row.badge)"), ("sessions", "\(row.sessions)"),
    ]
    lines += AppLimitKey.shown.map { limit in
      let most = "at most \(row.limits.number(of: limit) ?? 0)"
      return (limit.rawValue, limit == .inbox ? most + " in each" : most)
    }
    lines.append(("launch for push", row.launchesForPush ? "yes" : "no"))
    lines += row.problems.map { ("problem", $0) }
    for (name, value) in lines {
      try context.say(
        DisplayWidth.safe(value), beside: DisplayWidth.padded(name, to: 15, right: false) + "  ")
    }
  }

  private static func ask(
    _ context: CommandContext, _ app: String?
  ) throws(CommandError) -> [AppInfo] {
    var rows: [AppInfo] = []
    try Daemon.connect(context).ask { client throws(ClientError) in
      try client.apps(app: app) { rows.append($0) }
    }
    return rows
  }

  private static func owner(_ row: AppInfo) -> String {
    row.owner.map { "\($0)" } ?? "nobody yet"
  }

  private static func words(_ settings: AppSettings) -> String {
    var words: [String] = []
    if settings.contains(.alert) { words.append("alert") }
    if settings.contains(.badge) { words.append("badge") }
    if settings.contains(.sound) { words.append("sound") }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }

  /// As on the wire, but that a key that has no value is null.
  static func json(_ row: AppInfo) -> JSONObject {
    var object = JSONObject()
    let known = row.parameters
    for name in [
      "app", "name", "owner", "manifest", "launch", "language", "allowed", "location", "badge",
      "scheduled", "sessions",
    ] + AppLimitKey.shown.map({ $0.rawValue }) + ["launchForPush", "problems"] {
      object.append(name, known[name] ?? .null)
    }
    return object
  }
}
