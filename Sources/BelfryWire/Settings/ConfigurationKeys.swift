import BelfryCore

/// The sections of belfry.conf, by what stands before their colon.
public enum ConfigurationSection: String, CaseIterable, Sendable {
  case clock, sound, output, limits, access, log, plugin, app
  /// Has no keys yet.
  case daemon
}

extension ConfigurationSection {
  /// Whether a changed value of a key counts from the next start of belfryd only.
  public func needsRestart(_ key: String) -> Bool {
    switch self {
    case .clock: ClockKey(rawValue: key)?.needsRestart ?? false
    case .access: AccessKey(rawValue: key)?.needsRestart ?? false
    case .sound, .output, .limits, .log, .plugin, .app, .daemon: false
    }
  }
}

/// `[clock]`; `late` is one of `AppLimitKey`.
public enum ClockKey: String, SettingKey {
  case grace, realtime, early, trust, trustAfter, zone, wake

  public func row<Row: SettingRow>() -> Row {
    switch self {
    case .grace:
      Row(
        .duration(upTo: Nanoseconds.day), usual: "5",
        about: "how long after its due time an alert counts as late")
    case .realtime:
      Row(
        .integer(0...99), usual: "0", atStart: true,
        about: "a SCHED_FIFO priority, with locked memory; needs CAP_SYS_NICE; 0: none")
    case .early:
      Row(
        .boolean, usual: "yes",
        about: "the clock wakes up to 0.5 ms before an alert is due, so that it is handed over at"
          + " the due instant; no: saves power")
    case .trust:
      Row(
        .words(["auto", "always"]), usual: "auto", atStart: true,
        about: "always: the clock is believed from the start, and nothing is held back for it")
    case .trustAfter:
      Row(
        .duration(upTo: 36_500 * Nanoseconds.day), usual: "120", atStart: true,
        about: "how long after the boot a clock that nobody has synchronised is believed")
    case .zone: Row(.zone, usual: "the system's", about: "the board's time zone")
    case .wake:
      Row(
        .words(EngineConfiguration.Wake.allCases.map { $0.rawValue }), usual: "urgent",
        atStart: true,
        about: "which alerts wake a sleeping board; urgent: those that are timeSensitive or"
          + " critical")
    }
  }
}

/// `[sound]`.
public enum SoundKey: String, SettingKey {
  case enabled, device, output, standard = "default", folder, longest, volume, quiet

  public func row<Row: SettingRow>() -> Row {
    switch self {
    case .enabled: Row(.boolean, usual: "yes", about: "no: there is no speaker")
    case .device:
      Row(
        .text(upTo: 4095), usual: "ALSA's default",
        about: "ALSA devices, tried in order, separated by blanks or semicolons")
    case .output:
      Row(.outputs, usual: "each [output:NAME]", about: "on which outputs sounds play, all at once")
    case .standard:
      Row(
        .text(upTo: 4095), usual: "the shipped sound",
        about: "a file name or path that replaces the default sound")
    case .folder:
      Row(.path, usual: nil, about: "one more sound folder; may be given several times")
    case .longest:
      Row(
        .duration(upTo: 600 * Nanoseconds.second), usual: "30",
        about: "the longest sound that plays, from 1 s; for a longer one the default sound plays")
    case .volume: Row(.volume, usual: "1", about: "the speaker's own volume")
    case .quiet:
      Row(.quietHours, usual: nil, about: "when no sound is heard but those of critical alerts")
    }
  }
}

/// `[output:NAME]`.
public enum OutputKey: String, SettingKey {
  case device, wake

  /// So many sections there may be.
  public static let most = 8

  public func row<Row: SettingRow>() -> Row {
    switch self {
    case .device:
      Row(
        .text(upTo: 4095), usual: "[sound] device",
        about: "ALSA devices, tried in order, separated by blanks or semicolons")
    case .wake:
      Row(
        .duration(upTo: 10 * Nanoseconds.second), usual: "0",
        about: "how long an amplifier or HDMI display that sleeps takes to wake: silence is played"
          + " for so long before a sound is due")
    }
  }
}

/// `[limits]`, beside `AppLimitKey`.
public enum LimitKey: String, SettingKey {
  case apps, requestsPerSecond, connections, history, bytes

  public func row<Row: SettingRow>() -> Row {
    switch self {
    case .apps:
      Row(
        .integer(1...10_000_000), usual: "32",
        about: "app ids that one user may take by using them first")
    case .requestsPerSecond:
      Row(.integer(1...1_000_000), usual: "10000", about: "requests of one user in a second")
    case .connections:
      Row(
        .integer(1...65_536), usual: "256",
        about: "connections in all, without the operator's; a user with fewer than 8 gets one from"
          + " the user with most")
    case .history:
      Row(
        .integer(1...10_000_000), usual: "10000",
        about: "rows of history; beyond that the oldest rows of the user with most go")
    case .bytes:
      Row(
        .size, usual: "64M",
        about: "what the books hold of one user's notifications and pushes, 1M or more; beyond it"
          + " notifications are refused and the oldest pushes go; root and belfryd's user are free")
    }
  }
}

/// `[access]`.
public enum AccessKey: String, SettingKey {
  case group, critical, workerUser, speakerUser

  public func row<Row: SettingRow>() -> Row {
    switch self {
    case .group:
      Row(.group, usual: nil, atStart: true, about: "whose members may do what root may")
    case .critical:
      Row(
        .group, usual: nil, atStart: true,
        about: "whose members' notifications may be critical; those of root, the operator and"
          + " belfryd's user always may")
    case .workerUser:
      Row(
        .user, usual: "belfry-worker with --system", atStart: true,
        about: "as whom plugins run, if belfryd may change users; where there is no such user they"
          + " run as belfryd does, and log and doctor say so")
    case .speakerUser:
      Row(
        .user, usual: "belfry-speaker with --system", atStart: true,
        about: "the same for the speaker")
    }
  }
}

/// `[log]`.
public enum LogKey: String, SettingKey {
  case level

  public func row<Row: SettingRow>() -> Row {
    Row(
      .words(LogLevel.words.map { $0.word }), usual: "info",
      about: "what goes to the log: this and what is more serious")
  }
}

extension LogLevel {
  /// The levels as the configuration names them.
  public static var words: [(word: String, level: LogLevel)] {
    [
      ("error", .error), ("warning", .warning), ("notice", .notice), ("info", .info),
      ("debug", .debug),
    ]
  }
}

/// The host's own keys of `[plugin:NAME]`; all others are the plugin's.
public enum PluginHostKey: String, SettingKey {
  case file, memory, uid, gid

  public func row<Row: SettingRow>() -> Row {
    switch self {
    case .file:
      Row(
        .text(upTo: 4095), usual: nil,
        about: "a name that is found in the plugin folders, or a path; must be given")
    case .memory:
      Row(.size, usual: "256M", about: "private memory that the plugin may have; 0: no limit")
    case .uid:
      Row(
        .integer(0...4_294_967_294), usual: "that of [access] workerUser",
        about: "as whom this plugin runs")
    case .gid: Row(.integer(0...4_294_967_294), usual: "uid", about: "the group of uid")
    }
  }
}

/// `[app:ID]`, beside `AppLimitKey`.
public enum AppKey: String, SettingKey {
  case allowed, location, critical, folder, output

  public func row<Row: SettingRow>() -> Row {
    switch self {
    case .allowed: Row(.parts, usual: "all", about: "which parts of a notification it may use")
    case .location:
      Row(
        .boolean, usual: "yes for apps of root and of belfryd's user",
        about: "whether it may know where the board is")
    case .critical:
      Row(
        .boolean, usual: "as [access] critical says",
        about: "whether its notifications may be critical; without the right, critical counts as"
          + " timeSensitive, and the answer says so")
    case .folder:
      Row(.path, usual: nil, about: "a sound folder of that app, before its manifest's")
    case .output:
      Row(.outputs, usual: "[sound] output", about: "on which outputs its sounds play")
    }
  }

  /// Keys that only later builds obey here.
  public static let later = [
    "requestsPerSecond", "history", "default", "volume", "quiet", "enabled", "device",
  ]
}
