import Foundation

extension BlockingScheduler {
  /// What is scheduled, in the daemon's order.
  public func scheduled() throws(SchedulerError) -> [ScheduledNotification] {
    try perform(.list(.scheduled, by: context))
  }

  /// What sinks still show.
  public func shown() throws(SchedulerError) -> [ShownNotification] {
    try perform(.shown(by: context))
  }

  /// What was snoozed and comes again; it is not counted among what is scheduled.
  public func snoozed() throws(SchedulerError) -> [ScheduledNotification] {
    try perform(.list(.snoozed, by: context))
  }

  /// Every delivery that the history still has, oldest first (D9).
  public func history() throws(SchedulerError) -> [HistoryEntry] {
    try perform(.history(by: context))
  }

  /// The next occurrences of a scheduled notification after `date` (nil: now), at most `count`
  /// (N18).
  public func next(
    of identifier: String, count: Int = 1, after date: Date? = nil
  ) throws(SchedulerError) -> [Upcoming] {
    try perform(.next(of: identifier, count, date, by: context))
  }

  /// The next occurrences of a notification that is only drafted.
  public func next(
    of draft: LocalNotification, count: Int = 1, after date: Date? = nil
  ) throws(SchedulerError) -> [Upcoming] {
    try perform(.next(of: draft, count, date, by: context))
  }

  /// Replaces the whole scheduled list at once: entries equal in all fields are untouched, others
  /// replaced, missing ones cancelled; what is shown stays (N16).
  ///
  /// Those without an identifier are new ones each time: to replace a list by itself without any
  /// change, give each its own.
  @discardableResult
  public func replaceAll(
    _ notifications: [LocalNotification]
  ) throws(SchedulerError) -> ReplaceOutcome {
    try perform(.replaceAll(notifications, by: context))
  }
}
