import Foundation

/// The app's badge, what it registers, and what the user does.
extension BlockingScheduler {
  /// The app's number (D6).
  public func badge() throws(SchedulerError) -> Int {
    try perform(.badge(by: context))
  }

  /// 0 clears it.
  public func setBadge(_ number: Int) throws(SchedulerError) {
    try perform(.setBadge(number, by: context))
  }

  /// Registers what the app wants and its categories, instead of what it registered before (D5);
  /// returns what the operator leaves of it.
  @discardableResult
  public func register(
    _ settings: NotificationSettings, categories: [NotificationCategory] = []
  ) throws(SchedulerError) -> NotificationSettings {
    try perform(.register(settings, categories: categories, by: context))
  }

  /// What the app has registered.
  public func settings() throws(SchedulerError) -> RegisteredSettings {
    try perform(.settings(by: context))
  }

  /// Does what the user would by pressing a button: `action` nil is the default action, which opens
  /// the app (D3, D4). `id` is an identifier or an occurrence's id.
  public func act(
    _ id: String, action: String? = nil, text: String? = nil
  ) throws(SchedulerError) {
    try perform(.act(id, action: action, text: text, by: context))
  }

  /// Takes away what is shown.
  public func dismiss(_ id: String) throws(SchedulerError) {
    try perform(.dismiss(id, by: context))
  }

  /// Says that somebody has seen it: nothing of it comes again, and what is shown is taken away (E6).
  /// `id` nil: what came last; returns the identifier of what it was.
  @discardableResult
  public func acknowledge(_ id: String? = nil) throws(SchedulerError) -> String {
    try perform(.acknowledge(id, by: context))
  }

  /// Takes away what is shown and shows it again later, under its id with `.s<n>` (D7); returns when.
  @discardableResult
  public func snooze(_ id: String, for duration: Duration) throws(SchedulerError) -> Date {
    try perform(.snooze(id, for: duration, by: context))
  }

  /// Silences what plays and what is queued (S7); returns how many sounds that were.
  @discardableResult
  public func stopSound() throws(SchedulerError) -> Int {
    try perform(.stopSound(by: context))
  }
}
