import BelfryCore
import BelfrySystem
import BelfryWire

/// Reads belfry.conf. Unknown sections and keys are errors with their line; so are keys of features
/// that this build has not, unless they ask for what it does anyway.
public enum ConfigurationReader {
  /// Judges a whole file; empty bytes are the configuration without a file.
  public static func read(_ bytes: [UInt8]) throws(ConfigurationError) -> DaemonConfiguration {
    let file = try parse(bytes)
    var configuration = DaemonConfiguration()
    for section in file.sections {
      try configuration.read(section)
      guard let kind = ConfigurationSection(rawValue: section.kind), kind != .plugin else {
        continue
      }
      for entry in section.entries {
        let setting = Setting(key: "[\(section.header)] \(entry.key)", value: entry.value)
        configuration.keys.append(setting)
        if kind.needsRestart(entry.key) { configuration.keysOfStart.append(setting) }
      }
    }
    try configuration.checkOutputs(file)
    configuration.scheduler.sinks = configuration.sinks
    return configuration
  }

  /// The same without a look at its sections and keys.
  static func parse(_ bytes: [UInt8]) throws(ConfigurationError) -> INIFile {
    do throws(WireError) {
      return try INIFile.parse(bytes, repeatable: [SoundKey.folder.rawValue])
    } catch {
      throw ConfigurationError(error.place, error.reason)
    }
  }
}

extension DaemonConfiguration {
  fileprivate mutating func read(_ section: INIFile.Section) throws(ConfigurationError) {
    guard let kind = ConfigurationSection(rawValue: section.kind) else { throw section.unknown }
    switch kind {
    case .plugin: return try readPlugin(section)
    case .app: return try readApp(section)
    case .output: return try readOutput(section)
    default: break
    }
    guard section.name == nil else { throw section.unknown }
    for entry in section.entries {
      let key = ConfigurationKey(section.kind, entry)
      if let limit = AppLimitKey(rawValue: key.name), limit.section == kind {
        try scheduler.limits.read(limit, key)
        continue
      }
      switch kind {
      case .clock: try readClock(key)
      case .sound: try readSound(key)
      case .limits: try readLimit(key)
      case .access: try readAccess(key)
      case .log: try readLog(key)
      case .daemon, .plugin, .app, .output: throw key.unknown(among: [])
      }
    }
  }

  private mutating func readClock(_ key: ConfigurationKey) throws(ConfigurationError) {
    let (name, value) = try key.judged(as: ClockKey.self, or: [.late])
    switch name {
    case .grace: scheduler.grace = try value.integer()
    case .realtime:
      let priority = try value.integer()
      realtime = priority == 0 ? nil : Int32(clamping: priority)
    case .early: wakesEarly = try value.boolean()
    case .trust: trustsAlways = try value.text() == "always"
    case .trustAfter: scheduler.trustAfter = try value.integer()
    case .zone:
      zone = try value.text()
      guard let zone, ZoneName.isName(zone) else { throw value.mistake }
    case .wake:
      guard let wake = EngineConfiguration.Wake(rawValue: try value.text()) else {
        throw value.mistake
      }
      scheduler.wake = wake
    }
  }

  /// The speaker judges its values too; what it would only complain about is refused here.
  private mutating func readSound(_ key: ConfigurationKey) throws(ConfigurationError) {
    let (name, value) = try key.judged(as: SoundKey.self)
    switch name {
    case .enabled: return scheduler.sounds.isEnabled = try value.boolean()
    case .volume: scheduler.sounds.volume = try value.number()
    case .quiet: scheduler.sounds.quiet = try value.quietHours()
    case .longest: return try readLongest(key, value)
    case .device, .output, .standard, .folder: break
    }
    sound.append(Setting(key: key.name, value: key.text))
  }

  private mutating func readLimit(_ key: ConfigurationKey) throws(ConfigurationError) {
    let limits = AppLimitKey.allCases.filter { $0.section == .limits }
    let (name, value) = try key.judged(as: LimitKey.self, or: limits)
    let number = try value.integer()
    switch name {
    case .apps: scheduler.apps = Int32(clamping: number)
    case .requestsPerSecond: requestsPerSecond = number
    case .connections: connections = Int32(clamping: number)
    case .history: history.rows = number
    case .bytes:
      guard number >= 1 << 20 else { throw key.refusal("it is at least 1M") }
      bytes = number
    }
  }

  private mutating func readLog(_ key: ConfigurationKey) throws(ConfigurationError) {
    let (name, value) = try key.judged(as: LogKey.self)
    switch name {
    case .level:
      let word = try value.text()
      guard let found = LogLevel.words.first(where: { $0.word == word }) else {
        throw value.mistake
      }
      logLevel = found.level
    }
  }

  private mutating func readAccess(_ key: ConfigurationKey) throws(ConfigurationError) {
    let (name, value) = try key.judged(as: AccessKey.self)
    switch name {
    case .group: operatorGroup = try value.text()
    case .critical: criticalGroup = try value.text()
    case .workerUser: workerUser = try value.text()
    case .speakerUser: speakerUser = try value.text()
    }
  }

  private mutating func readPlugin(_ section: INIFile.Section) throws(ConfigurationError) {
    guard let name = section.name, DaemonConfiguration.isSinkName(name) else {
      throw ConfigurationError(
        section.line, "[\(section.header)]: a plugin's name is 1 to 64 of A-Z a-z 0-9 _ -")
    }
    guard name != DaemonConfiguration.speaker else {
      throw ConfigurationError(section.line, "[\(section.header)]: the speaker has that name")
    }
    guard name != Sink.app else {
      throw ConfigurationError(
        section.line, "[\(section.header)]: that name stands for the app itself")
    }
    let fileKey = PluginHostKey.file.rawValue
    guard let file = section[fileKey], !file.isEmpty else {
      let near = ["path", "library", "so", "plugin", "exec"].first { section[$0] != nil }
      throw ConfigurationError(
        section.line,
        "[\(section.header)] needs file ="
          + (near.map { ", which here is written \($0) =" } ?? ", such as file = console"))
    }
    let settings = section.entries.filter { $0.key != fileKey }.map {
      Setting(key: $0.key, value: $0.value)
    }
    plugins.append(Plugin(name: name, file: file, settings: settings, line: section.line))
  }

  private mutating func readApp(_ section: INIFile.Section) throws(ConfigurationError) {
    guard let app = section.name, DaemonConfiguration.isAppID(app) else {
      throw ConfigurationError(
        section.line, "[\(section.header)]: an app id is 1 to 128 of A-Z a-z 0-9 . _ -")
    }
    var override = EngineConfiguration.AppOverride()
    for entry in section.entries {
      let key = ConfigurationKey(section.header, entry)
      if let limit = AppLimitKey(rawValue: key.name) {
        try override.limits.read(limit, key)
        continue
      }
      if AppKey.later.contains(key.name) { throw key.notInThisBuild }
      let (name, value) = try key.judged(as: AppKey.self, or: AppLimitKey.allCases)
      switch name {
      case .allowed: override.allowed = try value.parts()
      case .location: override.mayLocate = try value.boolean()
      case .critical: override.mayBeCritical = try value.boolean()
      case .folder: sound.append(Setting(key: "folder:" + app, value: try value.text()))
      case .output: sound.append(Setting(key: "output:" + app, value: try value.text()))
      }
    }
    scheduler.overrides[app] = override
  }

  /// A sink's name is part of delivery ids and names a folder.
  private static func isSinkName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { isWord($0) }
  }

  /// A1.
  static func isAppID(_ name: String) -> Bool {
    (1...128).contains(name.utf8.count)
      && name.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: ".") }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension INIFile.Section {
  fileprivate var unknown: ConfigurationError {
    let word = kind.utf8.split(separator: UInt8(ascii: " ")).first.map {
      String(decoding: $0, as: UTF8.self)
    }
    let named: [ConfigurationSection] = [.plugin, .app, .output]
    let near = NameSuggestion.nearest(
      to: word ?? kind, among: ConfigurationSection.allCases.map { $0.rawValue })
    let meant = near.flatMap { ConfigurationSection(rawValue: $0) }.map { section in
      "; did you mean [\(section.rawValue)\(named.contains(section) ? ":NAME" : "")]?"
    }
    return ConfigurationError(line, "[\(header)] is no section of belfry.conf" + (meant ?? ""))
  }
}
