/// A row of `app list`: an app that is used, or that has a manifest.
public struct AppInfo: Hashable, Sendable {
  public var app: String
  public var name: String?
  /// nil: whoever uses it first (A1).
  public var owner: UInt32?
  /// The path of its manifest; nil: it has none.
  public var manifest: String?
  /// What starts it, such as `/usr/bin/alarm` or `alarm.service`; nil: nothing.
  public var launch: String?
  public var language: String?
  public var allowed: AppSettings
  /// Whether its regions are judged (R5).
  public var location: Bool
  public var badge: Int64
  public var scheduled: Int64
  public var sessions: Int64
  /// The limits that hold (A2).
  public var limits: AppLimits
  /// A push with content-available starts it (P9).
  public var launchesForPush = false
  /// What is wrong with its manifest, with file and line.
  public var problems: [String]

  public init(
    app: String, name: String?, owner: UInt32?, manifest: String?, launch: String?,
    language: String?, allowed: AppSettings, location: Bool, badge: Int64, scheduled: Int64,
    sessions: Int64, limits: AppLimits, problems: [String]
  ) {
    self.app = app
    self.name = name
    self.owner = owner
    self.manifest = manifest
    self.launch = launch
    self.language = language
    self.allowed = allowed
    self.location = location
    self.badge = badge
    self.scheduled = scheduled
    self.sessions = sessions
    self.limits = limits
    self.problems = problems
  }
}
