import BelfryCore

/// The keys for limits that each app can have: in `[app:ID]`, in manifests, and, for all apps, in
/// `[limits]` (`late`: in `[clock]`).
public enum AppLimitKey: String, SettingKey {
  case notifications, onFull, regions, sessions, inbox, late

  /// Where belfry.conf sets it for all apps.
  public var section: ConfigurationSection { self == .late ? .clock : .limits }

  /// Those that `App` of the interface has, where `sessions` are the open ones.
  public static let shown: [AppLimitKey] = [.notifications, .regions, .inbox]

  public func row<Row: SettingRow>() -> Row {
    switch self {
    case .notifications:
      Row(
        .integer(1...10_000_000), usual: "512, or 64 with discard",
        about: "scheduled notifications of an app; what is due at once does not count")
    case .onFull:
      Row(
        .words(EngineConfiguration.OnFull.allCases.map { $0.rawValue }), usual: "refuse",
        about: "what happens beyond notifications: the new one is refused, or the latest to fire is"
          + " discarded, which may be the new one; BelfryUIKit asks for discard where nobody says")
    case .regions:
      Row(
        .integer(0...1_000_000), usual: "20",
        about: "notifications with a region of an app; they do not count as notifications")
    case .sessions:
      Row(
        .integer(1...65_536), usual: "128",
        about: "open sessions of an app at a time; in [limits] also those of a user")
    case .inbox:
      Row(
        .integer(1...10_000_000), usual: "1000",
        about: "pushes kept in each inbox; one more pushes the oldest out")
    case .late:
      Row(
        .latePolicy, usual: "fire",
        about: "what becomes of a late alert: it fires, it is dropped, or it fires if it is at most"
          + " so late")
    }
  }
}

extension AppLimits {
  /// The number that holds; nil: none, or this limit is no number.
  public func number(of key: AppLimitKey) -> Int32? {
    switch key {
    case .notifications: notifications
    case .regions: regions
    case .sessions: sessions
    case .inbox: inbox
    case .onFull, .late: nil
    }
  }

  /// Takes up a value that `key` allows; false: it is none.
  @export(interface)
  public mutating func set(_ key: AppLimitKey, _ value: SettingValue) -> Bool {
    switch (key, value) {
    case (.notifications, .integer(let number)): notifications = Int32(clamping: number)
    case (.regions, .integer(let number)): regions = Int32(clamping: number)
    case (.sessions, .integer(let number)): sessions = Int32(clamping: number)
    case (.inbox, .integer(let number)): inbox = Int32(clamping: number)
    case (.onFull, .text(let word)): onFull = EngineConfiguration.OnFull(rawValue: word)
    case (.late, .latePolicy(let policy)): late = policy
    default: return false
    }
    return true
  }
}
