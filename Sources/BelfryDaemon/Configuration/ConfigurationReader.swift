import BelfryCore
import BelfrySystem
import BelfryWire

/// Reads belfry.conf. Unknown sections and keys are errors with their line; so are keys of features
/// that this build has not, unless they ask for what it does anyway.
public enum ConfigurationReader {
  /// Judges a whole file; empty bytes are the configuration without a file.
  public static func read(_ bytes: [UInt8]) throws(ConfigurationError) -> DaemonConfiguration {
    let file: INIFile
    do throws(WireError) {
      file = try INIFile.parse(bytes, repeatable: ["folder"])
    } catch {
      throw ConfigurationError(error.place, error.reason)
    }
    var configuration = DaemonConfiguration()
    for section in file.sections {
      try configuration.read(section)
      guard section.kind != "plugin" else { continue }
      configuration.fixed += section.entries.map {
        Setting(key: "[\(section.header)] \($0.key)", value: $0.value)
      }
    }
    configuration.scheduler.sinks = configuration.sinks
    return configuration
  }
}

extension DaemonConfiguration {
  fileprivate mutating func read(_ section: INIFile.Section) throws(ConfigurationError) {
    switch section.kind {
    case "plugin": return try readPlugin(section)
    case "app": return try readApp(section)
    default: break
    }
    guard section.name == nil else { throw section.unknown }
    for entry in section.entries {
      let key = ConfigurationKey(section.kind, entry)
      switch section.kind {
      case "daemon": throw key.unknown
      case "clock": try readClock(key)
      case "sound": try readSound(key)
      case "limits": try readLimit(key)
      case "access": try readAccess(key)
      case "log": try readLog(key)
      default: throw section.unknown
      }
    }
    if !["daemon", "clock", "sound", "limits", "access", "log"].contains(section.kind) {
      throw section.unknown
    }
  }

  private mutating func readClock(_ key: ConfigurationKey) throws(ConfigurationError) {
    switch key.name {
    case "grace": scheduler.grace = try key.duration(upTo: Duration.day)
    case "late": scheduler.late = try key.latePolicy()
    case "realtime":
      let priority = try key.integer(0...99)
      realtime = priority == 0 ? nil : Int32(priority)
    case "trust":
      guard key.value == "auto" || key.value == "always" else {
        throw key.error("is auto or always")
      }
      trustsAlways = key.value == "always"
    case "wake":
      switch key.value {
      case "all": scheduler.wake = .all
      case "urgent": scheduler.wake = .urgent
      case "never": scheduler.wake = .never
      default: throw key.error("is urgent, all or never")
      }
    case "trustAfter": scheduler.trustAfter = try key.duration(upTo: 36_500 * Duration.day)
    case "zone":
      guard ZoneName.isName(key.value) else {
        throw key.error("is the name of a time zone, such as Europe/Berlin")
      }
      zone = key.value
    default: throw key.unknown
    }
  }

  /// The speaker judges its values too; what it would only complain about is refused here.
  private mutating func readSound(_ key: ConfigurationKey) throws(ConfigurationError) {
    switch key.name {
    case "enabled": scheduler.sounds.isEnabled = try key.boolean()
    case "folder":
      guard key.value.utf8.first == UInt8(ascii: "/") else {
        throw key.error("is a folder's whole path, from /")
      }
      sound.append(Setting(key: "folder", value: key.value))
    case "device", "default", "volume", "quiet":
      guard !key.value.isEmpty else { throw key.error("needs a value") }
      if key.name == "volume" { scheduler.sounds.volume = try key.volume() }
      if key.name == "quiet" { scheduler.sounds.quiet = try key.quietHours() }
      sound.append(Setting(key: key.name, value: key.value))
    default: throw key.unknown
    }
  }

  private mutating func readLimit(_ key: ConfigurationKey) throws(ConfigurationError) {
    switch key.name {
    case "notifications": scheduler.notifications = try key.notifications()
    case "regions": scheduler.regions = try key.regions()
    case "apps": scheduler.apps = Int32(try key.integer(1...10_000_000))
    case "onFull": scheduler.onFull = try key.onFull()
    case "history": history.rows = try key.integer(1...10_000_000)
    case "requestsPerSecond": requestsPerSecond = try key.integer(1...1_000_000)
    case "sessions": scheduler.sessions = Int32(try key.integer(1...65_536))
    case "connections": connections = Int32(try key.integer(1...65_536))
    case "inbox": scheduler.inbox = try key.inbox()
    default: throw key.unknown
    }
  }

  private mutating func readLog(_ key: ConfigurationKey) throws(ConfigurationError) {
    guard key.name == "level" else { throw key.unknown }
    switch key.value {
    case "error": logLevel = .error
    case "warning": logLevel = .warning
    case "notice": logLevel = .notice
    case "info": logLevel = .info
    case "debug": logLevel = .debug
    default: throw key.error("is error, warning, notice, info or debug")
    }
  }

  private mutating func readAccess(_ key: ConfigurationKey) throws(ConfigurationError) {
    switch key.name {
    case "group", "critical":
      guard !key.value.isEmpty else { throw key.error("is a group's name or number") }
      if key.name == "group" { operatorGroup = key.value } else { criticalGroup = key.value }
    case "workerUser": workerUser = try key.user()
    case "speakerUser": speakerUser = try key.user()
    default: throw key.unknown
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
    guard let file = section["file"], !file.isEmpty else {
      throw ConfigurationError(section.line, "[\(section.header)] needs file =")
    }
    let settings = section.entries.filter { $0.key != "file" }.map {
      Setting(key: $0.key, value: $0.value)
    }
    plugins.append(Plugin(name: name, file: file, settings: settings, line: section.line))
  }

  private mutating func readApp(_ section: INIFile.Section) throws(ConfigurationError) {
    guard let app = section.name, DaemonConfiguration.isAppID(app) else {
      throw ConfigurationError(
        section.line, "[\(section.header)]: an app id is 1 to 128 of A-Z a-z 0-9 . _ -")
    }
    var override = SchedulerConfiguration.AppOverride()
    for entry in section.entries {
      let key = ConfigurationKey(section.header, entry)
      switch key.name {
      case "notifications": override.notifications = try key.notifications()
      case "regions": override.regions = try key.regions()
      case "sessions": override.sessions = try key.sessions()
      case "allowed": override.allowed = try key.settings()
      case "location": override.mayLocate = try key.boolean()
      case "critical": override.mayBeCritical = try key.boolean()
      case "onFull": override.onFull = try key.onFull()
      case "late": override.late = try key.latePolicy()
      case "folder": sound.append(Setting(key: "folder:" + app, value: try key.path()))
      case "inbox": override.inbox = try key.inbox()
      case "requestsPerSecond", "history", "default", "volume", "quiet", "enabled", "device":
        throw key.notInThisBuild
      default: throw key.unknown
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
    ConfigurationError(line, "[\(header)] is no section of belfry.conf")
  }
}
