import Foundation

internal import BelfryClient
internal import BelfryCore
internal import BelfryWire

/// The app's badge, what it registers, and what the user does.
extension BlockingScheduler {
  /// The app's number (D6).
  public func badge() throws(SchedulerError) -> Int {
    try badge(by: deadline())
  }

  func badge(by deadline: Deadline) throws(SchedulerError) -> Int {
    let reply = try link.call("Badge", parameters(), .harmless, by: deadline)
    return Int(clamping: reply["badge"]?.integer ?? 0)
  }

  /// 0 clears it.
  public func setBadge(_ number: Int) throws(SchedulerError) {
    try setBadge(number, by: deadline())
  }

  func setBadge(_ number: Int, by deadline: Deadline) throws(SchedulerError) {
    let parameters = parameters(("badge", .integer(Int64(number))))
    _ = try link.call("SetBadge", parameters, .harmless, by: deadline)
  }

  /// Registers what the app wants and its categories, instead of what it registered before (D5);
  /// returns what the operator leaves of it.
  @discardableResult
  public func register(
    _ settings: NotificationSettings, categories: [NotificationCategory] = []
  ) throws(SchedulerError) -> NotificationSettings {
    try register(settings, categories: categories, by: deadline())
  }

  func register(
    _ settings: NotificationSettings, categories: [NotificationCategory], by deadline: Deadline
  ) throws(SchedulerError) -> NotificationSettings {
    let parameters = parameters(
      ("settings", settings.encoded), ("categories", .array(categories.map { $0.encoded })))
    let reply = try link.call("RegisterSettings", parameters, .harmless, by: deadline)
    return NotificationSettings(reply["settings"])
  }

  /// What the app has registered.
  public func settings() throws(SchedulerError) -> RegisteredSettings {
    try settings(by: deadline())
  }

  func settings(by deadline: Deadline) throws(SchedulerError) -> RegisteredSettings {
    let reply = try link.call("Settings", parameters(), .harmless, by: deadline)
    return RegisteredSettings(
      isRegistered: reply["registered"]?.boolean ?? false,
      settings: NotificationSettings(reply["settings"]),
      categories: (reply["categories"]?.array ?? []).compactMap { NotificationCategory($0) })
  }

  /// Does what the user would by pressing a button: `action` nil is the default action, which opens
  /// the app (D3, D4). `id` is an identifier or an occurrence's id.
  public func act(
    _ id: String, action: String? = nil, text: String? = nil
  ) throws(SchedulerError) {
    try act(id, action: action, text: text, by: deadline())
  }

  func act(
    _ id: String, action: String?, text: String?, by deadline: Deadline
  ) throws(SchedulerError) {
    var parameters = parameters(("id", .string(id)))
    if let action { parameters.append("action", .string(action)) }
    if let text { parameters.append("text", .string(text)) }
    _ = try link.call("Act", parameters, .never, by: deadline)
  }

  /// Takes away what is shown.
  public func dismiss(_ id: String) throws(SchedulerError) {
    try dismiss(id, by: deadline())
  }

  func dismiss(_ id: String, by deadline: Deadline) throws(SchedulerError) {
    _ = try link.call("Dismiss", parameters(("id", .string(id))), .never, by: deadline)
  }

  /// Takes away what is shown and shows it again later, under its id with `.s<n>` (D7); returns when.
  @discardableResult
  public func snooze(_ id: String, for duration: Swift.Duration) throws(SchedulerError) -> Date {
    try snooze(id, for: duration, by: deadline())
  }

  func snooze(
    _ id: String, for duration: Swift.Duration, by deadline: Deadline
  ) throws(SchedulerError) -> Date {
    guard let microseconds = Microseconds.of(duration) else {
      throw SchedulerError(.outOfRange, field: "duration", "this is too long")
    }
    let parameters = parameters(
      ("id", .string(id)), ("duration", .integer(microseconds)))
    let reply = try link.call("Snooze", parameters, .never, by: deadline)
    guard let next = reply["next"]?.integer else {
      throw SchedulerError(.unreadableReply, "the daemon's reply has no next")
    }
    return Microseconds.date(next)
  }

  /// Silences what plays and what is queued (S7); returns how many sounds that were.
  @discardableResult
  public func stopSound() throws(SchedulerError) -> Int {
    try stopSound(by: deadline())
  }

  func stopSound(by deadline: Deadline) throws(SchedulerError) -> Int {
    let reply = try link.call("StopSound", parameters(), .harmless, by: deadline)
    return Int(clamping: reply["stopped"]?.integer ?? 0)
  }
}
