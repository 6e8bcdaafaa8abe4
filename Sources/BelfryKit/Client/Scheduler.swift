import Foundation

/// The client of a Belfry daemon for code that awaits: schedules notifications, lists, cancels, and
/// tells what became of them.
///
/// Calls go out in the order in which they were made, over one connection, and none waits for another's
/// reply; what many tasks ask at once the daemon stores together. While a call waits it holds no
/// thread. What ``BlockingScheduler`` says of restarts holds here too: a call either was done once or
/// throws, and none hangs. A task that is cancelled before its call is sent gets
/// ``SchedulerError/Code/cancelled``; once sent, a call is waited for.
///
/// ```swift
/// let scheduler = Scheduler()
/// var bell = LocalNotification(alertBody: "Lunch", soundName: "bell.wav")
/// bell.identifier = "lunch"
/// bell.fireDate = Date(timeIntervalSince1970: 1_767_783_600)  // 2026-01-07 11:00Z
/// bell.timeZone = TimeZone(identifier: "Europe/Berlin")       // 12:00 on the board's wall
/// bell.rrule = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
/// let outcome = try await scheduler.schedule(bell)
/// print(outcome.next ?? "never")
/// ```
public final class Scheduler: Sendable {
  /// The same daemon and app for code that may block.
  public let blocking: BlockingScheduler
  private let pipeline: Pipeline

  public init(_ options: SchedulerOptions = SchedulerOptions()) {
    blocking = BlockingScheduler(options)
    pipeline = Pipeline(options)
  }

  /// The app that all calls are about.
  public var app: String { blocking.app }
  public var options: SchedulerOptions { blocking.options }
  var context: CallContext { blocking.context }

  func perform<Value>(_ operation: Operation<Value>) async throws(SchedulerError) -> Value {
    guard !Task.isCancelled else {
      throw SchedulerError(.cancelled, "the task was cancelled before the call was sent")
    }
    let replies = try await pipeline.exchange(
      operation.calls, operation.retryPolicy, by: blocking.deadline())
    return try operation.read(replies)
  }
}

extension Scheduler {
  /// Schedules a notification, or replaces the pending one of the same identifier (N1).
  ///
  /// One without an identifier gets a new one. With one, scheduling again what may have been
  /// scheduled is harmless as long as it is not due.
  @discardableResult
  public func schedule(
    _ notification: LocalNotification
  ) async throws(SchedulerError) -> ScheduleOutcome {
    try await perform(.schedule(notification, by: context))
  }

  /// Delivers a notification now, whatever its `fireDate`; it is never listed as scheduled (N14).
  @discardableResult
  public func presentNow(
    _ notification: LocalNotification
  ) async throws(SchedulerError) -> PresentOutcome {
    try await perform(.presentNow(notification, by: context))
  }

  /// Cancels by identifiers; what of them is shown is taken back, what sounds stops (N15).
  ///
  /// Unknown ones are no error. Where a reply was lost and the call repeated, the numbers are those
  /// of the repeat.
  @discardableResult
  public func cancel(_ identifiers: String...) async throws(SchedulerError) -> CancelOutcome {
    try await cancel(identifiers)
  }

  /// Cancels by identifiers.
  @discardableResult
  public func cancel(_ identifiers: [String]) async throws(SchedulerError) -> CancelOutcome {
    try await perform(.cancel(identifiers, by: context))
  }

  /// Cancels every notification that is equal in all fields but the identifier (N15).
  @discardableResult
  public func cancel(
    equalTo notification: LocalNotification
  ) async throws(SchedulerError) -> CancelOutcome {
    try await perform(.cancel(equalTo: notification, by: context))
  }

  @discardableResult
  public func cancelAll() async throws(SchedulerError) -> CancelOutcome {
    try await perform(.cancelAll(by: context))
  }

  /// What is scheduled, in the daemon's order.
  public func scheduled() async throws(SchedulerError) -> [ScheduledNotification] {
    try await perform(.list(.scheduled, by: context))
  }

  /// What sinks still show.
  public func shown() async throws(SchedulerError) -> [ShownNotification] {
    try await perform(.shown(by: context))
  }

  /// What was snoozed and comes again; it is not counted among what is scheduled.
  public func snoozed() async throws(SchedulerError) -> [ScheduledNotification] {
    try await perform(.list(.snoozed, by: context))
  }

  /// Replaces the whole scheduled list at once: entries equal in all fields are untouched, others
  /// replaced, missing ones cancelled; what is shown stays (N16).
  ///
  /// Those without an identifier are new ones each time: to replace a list by itself without any
  /// change, give each its own.
  @discardableResult
  public func replaceAll(
    _ notifications: [LocalNotification]
  ) async throws(SchedulerError) -> ReplaceOutcome {
    try await perform(.replaceAll(notifications, by: context))
  }

  /// The next occurrences of a scheduled notification after `date` (nil: now), at most `count`
  /// (N18).
  public func next(
    of identifier: String, count: Int = 1, after date: Date? = nil
  ) async throws(SchedulerError) -> [Upcoming] {
    try await perform(.next(of: identifier, count, date, by: context))
  }

  /// The next occurrences of a notification that is only drafted.
  ///
  /// ```swift
  /// var rent = LocalNotification(alertBody: "Rent")
  /// rent.fireDate = ISO8601DateFormatter().date(from: "2027-01-31T08:00:00Z")
  /// rent.repeatInterval = .month
  /// let dates = try await Scheduler().next(of: rent, count: 4)
  /// // 31 January, 28 February, 31 March, 30 April: always reckoned from the anchor (T4)
  /// ```
  public func next(
    of draft: LocalNotification, count: Int = 1, after date: Date? = nil
  ) async throws(SchedulerError) -> [Upcoming] {
    try await perform(.next(of: draft, count, date, by: context))
  }

  /// Every delivery that the history still has, oldest first (D9).
  public func history() async throws(SchedulerError) -> [HistoryEntry] {
    try await perform(.history(by: context))
  }
}

/// The app's badge, what it registers, and what the user does.
extension Scheduler {
  /// The app's number (D6).
  public func badge() async throws(SchedulerError) -> Int {
    try await perform(.badge(by: context))
  }

  /// 0 clears it.
  public func setBadge(_ number: Int) async throws(SchedulerError) {
    try await perform(.setBadge(number, by: context))
  }

  /// Registers what the app wants and its categories, instead of what it registered before (D5);
  /// returns what the operator leaves of it.
  @discardableResult
  public func register(
    _ settings: NotificationSettings, categories: [NotificationCategory] = []
  ) async throws(SchedulerError) -> NotificationSettings {
    try await perform(.register(settings, categories: categories, by: context))
  }

  /// What the app has registered.
  public func settings() async throws(SchedulerError) -> RegisteredSettings {
    try await perform(.settings(by: context))
  }

  /// Does what the user would by pressing a button: `action` nil is the default action, which opens
  /// the app (D3, D4). `id` is an identifier or an occurrence's id.
  public func act(
    _ id: String, action: String? = nil, text: String? = nil
  ) async throws(SchedulerError) {
    try await perform(.act(id, action: action, text: text, by: context))
  }

  /// Takes away what is shown; where nothing is, ends the wait of what is snoozed (D11).
  public func dismiss(_ id: String) async throws(SchedulerError) {
    try await perform(.dismiss(id, by: context))
  }

  /// Says that somebody has seen it: nothing of it comes again, and what is shown is taken away (E6).
  /// `id` nil: what came last; returns the identifier of what it was.
  @discardableResult
  public func acknowledge(_ id: String? = nil) async throws(SchedulerError) -> String {
    try await perform(.acknowledge(id, by: context))
  }

  /// Takes away what is shown and shows it again later, under its id with `.s<n>` (D7); where nothing is
  /// shown, moves what is snoozed (D11). Returns when it comes.
  @discardableResult
  public func snooze(
    _ id: String, for duration: Duration
  ) async throws(SchedulerError) -> Date {
    try await perform(.snooze(id, for: duration, by: context))
  }

  /// Silences what plays and what is queued (S7); returns how many sounds that were.
  @discardableResult
  public func stopSound() async throws(SchedulerError) -> Int {
    try await perform(.stopSound(by: context))
  }
}
