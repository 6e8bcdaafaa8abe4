import BelfryCore
import BelfryWire

extension HelpDocument {
  /// belfry.conf(5).
  static var configuration: HelpDocument {
    var document = HelpDocument(
      page: ("belfry.conf", 5), summary: "the configuration of belfryd", blocks: aboutTheFile,
      seeAlso: [("belfryd", 8), ("belfry.app", 5), ("belfry-plugin", 7)])
    for section in ConfigurationSection.allCases { document.blocks += keys(of: section) }
    document.blocks += afterTheKeys
    return document
  }

  private static let aboutTheFile: [Block] = [
    .text(
      """
      An INI file: sections, keys and values, and comments that begin with # or ; on lines of their \
      own. Unknown sections and keys are errors, and the error names the line.
      """),
    .text(
      """
      belfryd reads the file when it starts, when it changes, on SIGHUP and on belfry reload. What \
      has changed counts at once, but for the keys that say otherwise below; belfry status names \
      those until belfryd is started again. A file with a mistake changes nothing, and neither does \
      one that is gone. belfryd --check FILE says whether FILE is a configuration. Nobody but its \
      owner may write to the file or to a folder above it.
      """),
    .heading("Files"),
    .term("/etc/belfry/belfry.conf", "The board's; belfryd --system reads it."),
    .term("~/.config/belfry/belfry.conf", "A user's; belfryd --user reads it."),
    .term("DIR/belfry.conf", "With belfryd --directory DIR."),
    .heading("Keys"),
  ]

  private static let afterTheKeys: [Block] = [
    .text(
      """
      [app:ID] stands over the app's manifest, and the manifest over [limits] and [clock]. Where all \
      of them are silent, the defaults hold.
      """),
    .heading("Example"),
    .example([
      "[clock]", "grace = 10", "[sound]", "volume = 80%", "quiet = 22:00-06:00",
      "[plugin:console]", "file = console", "[app:org.example.clock]", "critical = yes",
    ]),
  ]

  /// The blocks of one section; none where it has no keys.
  private static func keys(of section: ConfigurationSection) -> [Block] {
    let limits = SettingHelp.rows(of: AppLimitKey.self) { $0.section == section }
    switch section {
    case .clock: return [.keys(section: "[clock]", SettingHelp.rows(of: ClockKey.self) + limits)]
    case .sound: return [.keys(section: "[sound]", SettingHelp.rows(of: SoundKey.self))]
    case .output:
      return [
        .keys(section: "[output:NAME]", SettingHelp.rows(of: OutputKey.self)),
        .text(
          """
          Without such a section sounds play on [sound] device. With them every sound plays on each \
          output, or on those that [sound] output or [app:ID] output names.
          """),
      ]
    case .limits:
      return [.keys(section: "[limits]", limits + SettingHelp.rows(of: LimitKey.self))]
    case .access: return [.keys(section: "[access]", SettingHelp.rows(of: AccessKey.self))]
    case .log: return [.keys(section: "[log]", SettingHelp.rows(of: LogKey.self))]
    case .plugin:
      return [
        .keys(section: "[plugin:NAME]", SettingHelp.rows(of: PluginHostKey.self)),
        .text(
          "All other keys are the plugin's own; belfry plugin check FILE lists them."),
      ]
    case .app:
      return [
        .keys(
          section: "[app:ID]",
          SettingHelp.rows(of: AppKey.self) + SettingHelp.rows(of: AppLimitKey.self))
      ]
    case .daemon: return []
    }
  }

  /// belfry.app(5).
  static var manifest: HelpDocument {
    var document = HelpDocument(
      page: ("belfry.app", 5), summary: "what belfryd knows of an app: its manifest",
      blocks: aboutTheManifest, seeAlso: [("belfry", 1), ("belfryd", 8), ("belfry.conf", 5)])
    document.blocks.append(
      .keys(
        section: "[app]",
        SettingHelp.rows(of: ManifestKey.self) + SettingHelp.rows(of: AppLimitKey.self)))
    document.blocks += afterTheManifest
    return document
  }

  private static let aboutTheManifest: [Block] = [
    .text(
      """
      An INI file with the one section [app], named after the app's id, such as \
      org.example.clock.app. It gives the id to a user for good, and says what starts the app and \
      what it may do. belfryd reads a changed manifest within a second.
      """),
    .text(
      """
      A manifest with a mistake is not used, nor one that others than its owner can write: what was \
      read of it before still holds. belfry app list names it and the line.
      """),
    .heading("Files"),
    .term("DIR/apps", "With belfryd --directory DIR."),
    .term(
      "~/.config/belfry/apps",
      "With belfryd --user, before the folders of --system. The owner is that user."),
    .term(
      "/etc/belfry/apps, /usr/local/share/belfry/apps, /usr/share/belfry/apps",
      "With belfryd --system. The first manifest that is found counts."),
    .heading("Keys"),
  ]

  private static let afterTheManifest: [Block] = [
    .text(
      """
      Either executable or unit may be given. A limit stands over [limits] and [clock] of \
      belfry.conf, and [app:ID] there stands over it.
      """),
    .heading("Example"),
    .example([
      "[app]", "name = Alarm clock", "executable = /usr/lib/clock/clock", "user = bell",
      "soundFolder = /usr/share/clock/sounds",
    ]),
  ]

  /// All limits, with a key and without one.
  static var limits: HelpDocument {
    var document = HelpDocument(
      page: ("belfry.conf", 5), summary: "the limits of belfryd",
      blocks: [
        .text(
          """
          Over a limit the caller gets an error that names it. [limits] and [clock] hold for all \
          apps; a manifest or [app:ID] may say otherwise for one app.
          """),
        .heading("With a key"),
      ])
    document.blocks += keys(of: .limits)
    document.blocks.append(
      .keys(section: "[app], [app:ID]", SettingHelp.rows(of: AppLimitKey.self)))
    document.blocks.append(.heading("Without a key"))
    for (what, limit) in fixedLimits { document.blocks.append(.term(what, limit)) }
    return document
  }

  /// Bounds that nobody can set.
  private static let fixedLimits: [(String, String)] = [
    ("a message", "1 MiB."),
    ("identifier", "\(Notification.Limit.identifier) bytes."),
    ("alertBody", "\(Notification.Limit.alertBody) bytes."),
    ("titles, alertAction", "\(Notification.Limit.title) bytes each."),
    ("names", "\(Notification.Limit.name) bytes: of sounds, images, categories and threads."),
    (
      "userInfo",
      "\(Notification.Limit.userInfo) bytes as JSON, and \(Notification.Limit.depth) levels."
    ),
    (
      "arguments of a text",
      """
      \(Notification.Limit.arguments), and \(Notification.Limit.argumentBytes) bytes of them as JSON.
      """
    ),
    ("exdate, rdate", "\(Notification.Limit.dates) dates each."),
    ("a list in parts", "10000 notifications and 16 MiB."),
    (
      "categories of an app",
      """
      \(AppRegistration.maxCategories), and \(AppRegistration.maxBytes) bytes of their names and titles.
      """
    ),
    ("a .strings table", "4 MiB and 100000 pairs; all tables together have 32 MiB."),
    ("history", "30 days."),
    (
      "requests of one user",
      """
      256 KiB that are not answered, a small one counted as 4 KiB, and what is to be shown at once as \
      twice as much; what comes next waits in the sockets, but for the first on each connection, up \
      to 64 KiB. 32 MiB of messages and lists that have not come to their end.
      """
    ),
    ("events of one user", "32 MiB that the user's sessions have not read."),
    (
      "what waits for a sink",
      """
      64 MiB; 1000 deliveries where it is down, 10000 where it works. Beyond that the oldest \
      delivery of the user with most there expires.
      """
    ),
    (
      "the clock's time",
      """
      A fifth of each second for one user, and half a second at once; then the user's requests wait.
      """
    ),
  ]
}
