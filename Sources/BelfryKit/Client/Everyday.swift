import Foundation

/// Living with what is scheduled (E1, E2, E7).
extension BlockingScheduler {
  /// Pauses notifications: what of them is due from `from` (nil: now) and before `until` (nil: until they
  /// are resumed) is skipped, and nothing is made up afterwards (E1).
  ///
  /// They stay in the list. The outcome names one-shots that are due in the pause, since they end as
  /// skipped. All of them are paused, or none: throws ``SchedulerError/Code/notFound`` where one is not
  /// scheduled, and ``SchedulerError/Code/outOfRange`` for a pause that ends before it begins.
  @discardableResult
  public func pause(
    _ identifiers: [String], from: Date? = nil, until: Date? = nil
  ) throws(SchedulerError) -> PauseOutcome {
    try perform(
      .pause(.notifications(identifiers), from: from, until: until, by: context))
  }

  /// Pauses all that the app has scheduled and will schedule, and its pushes; critical ones ring all the
  /// same, and the outcome says how many (E1).
  @discardableResult
  public func pauseApp(
    from: Date? = nil, until: Date? = nil
  ) throws(SchedulerError) -> PauseOutcome {
    try perform(.pause(.app, from: from, until: until, by: context))
  }

  /// Pauses everybody's but what is critical, for root, the operator's group and the user that the
  /// daemon runs for (E1).
  @discardableResult
  public func pauseEverything(
    from: Date? = nil, until: Date? = nil
  ) throws(SchedulerError) -> PauseOutcome {
    try perform(.pause(.everything, from: from, until: until, by: context))
  }

  /// Ends what pauses these notifications by name, now and later; what else pauses one, such as a pause
  /// of its app, the outcome says (E1).
  @discardableResult
  public func resume(
    _ identifiers: [String]
  ) throws(SchedulerError) -> ResumeOutcome {
    try perform(.resume(.notifications(identifiers), by: context))
  }

  /// Ends the pauses of the app as a whole; a notification that is paused by name stays so (E1).
  @discardableResult
  public func resumeApp() throws(SchedulerError) -> ResumeOutcome {
    try perform(.resume(.app, by: context))
  }

  /// Ends the pauses of everything; who is paused by app or by name stays so (E1).
  @discardableResult
  public func resumeEverything() throws(SchedulerError) -> ResumeOutcome {
    try perform(.resume(.everything, by: context))
  }

  /// The calendars of days that `exceptOn`, `onlyOn` and `asOn` can name (E3): the operator's, and those
  /// of the caller's apps.
  public func dayCalendars() throws(SchedulerError) -> [DayCalendarInfo] {
    try perform(.dayCalendars())
  }

  /// Skips the next `count` occurrences, 1 to 1,000 (E2). The same call twice skips the same ones, as long
  /// as none of them was due between.
  @discardableResult
  public func skip(
    _ identifier: String, count: Int = 1
  ) throws(SchedulerError) -> SkipOutcome {
    try perform(.skip(identifier, count: count, by: context))
  }

  /// Skips the occurrence within the second that begins at `date` (E2); throws
  /// ``SchedulerError/Code/unknown`` where none is due then, and says when the next one is.
  @discardableResult
  public func skip(
    _ identifier: String, at date: Date
  ) throws(SchedulerError) -> SkipOutcome {
    try perform(.skip(identifier, at: date, by: context))
  }

  /// Has what is to be skipped ring again: the occurrence at `date`, or (nil) all that lie ahead (E2).
  @discardableResult
  public func unskip(
    _ identifier: String, at date: Date? = nil
  ) throws(SchedulerError) -> SkipOutcome {
    try perform(.unskip(identifier, at: date, by: context))
  }

  /// Changes fields of what is scheduled; the others stay as they are (E7).
  ///
  /// `change` gets the notification as it is listed, and only the fields that it changes are sent: all of
  /// them change at once, or none. To set `fireDate`, `fireIn` or `region` clears the other two, and so do
  /// `repeatInterval`, `rrule` and `rrules`. Where nothing changes that says when, it is due as before.
  /// Throws ``SchedulerError/Code/notFound`` where it has fired or was cancelled.
  @discardableResult
  public func edit(
    _ identifier: String, _ change: @Sendable (inout LocalNotification) -> Void
  ) throws(SchedulerError) -> ScheduleOutcome {
    let old = try scheduled().named(identifier)
    var new = old
    change(&new)
    do throws(SchedulerError) {
      return try perform(.edit(identifier, old, new, by: context))
    } catch {
      throw error.ofEdit
    }
  }
}

/// Living with what is scheduled (E1, E2, E7).
extension Scheduler {
  /// Pauses notifications: what of them is due from `from` (nil: now) and before `until` (nil: until they
  /// are resumed) is skipped, and nothing is made up afterwards (E1).
  ///
  /// They stay in the list. The outcome names one-shots that are due in the pause, since they end as
  /// skipped. All of them are paused, or none: throws ``SchedulerError/Code/notFound`` where one is not
  /// scheduled, and ``SchedulerError/Code/outOfRange`` for a pause that ends before it begins.
  ///
  /// ```swift
  /// try await scheduler.pause(["school"], from: firstOfAugust, until: fifteenthOfSeptember)
  /// ```
  @discardableResult
  public func pause(
    _ identifiers: [String], from: Date? = nil, until: Date? = nil
  ) async throws(SchedulerError) -> PauseOutcome {
    try await perform(
      .pause(.notifications(identifiers), from: from, until: until, by: context))
  }

  /// Pauses all that the app has scheduled and will schedule, and its pushes; critical ones ring all the
  /// same, and the outcome says how many (E1).
  @discardableResult
  public func pauseApp(
    from: Date? = nil, until: Date? = nil
  ) async throws(SchedulerError) -> PauseOutcome {
    try await perform(.pause(.app, from: from, until: until, by: context))
  }

  /// Pauses everybody's but what is critical, for root, the operator's group and the user that the
  /// daemon runs for (E1).
  @discardableResult
  public func pauseEverything(
    from: Date? = nil, until: Date? = nil
  ) async throws(SchedulerError) -> PauseOutcome {
    try await perform(.pause(.everything, from: from, until: until, by: context))
  }

  /// Ends what pauses these notifications by name, now and later; what else pauses one, such as a pause
  /// of its app, the outcome says (E1).
  @discardableResult
  public func resume(
    _ identifiers: [String]
  ) async throws(SchedulerError) -> ResumeOutcome {
    try await perform(.resume(.notifications(identifiers), by: context))
  }

  /// Ends the pauses of the app as a whole; a notification that is paused by name stays so (E1).
  @discardableResult
  public func resumeApp() async throws(SchedulerError) -> ResumeOutcome {
    try await perform(.resume(.app, by: context))
  }

  /// Ends the pauses of everything; who is paused by app or by name stays so (E1).
  @discardableResult
  public func resumeEverything() async throws(SchedulerError) -> ResumeOutcome {
    try await perform(.resume(.everything, by: context))
  }

  /// The calendars of days that `exceptOn`, `onlyOn` and `asOn` can name (E3): the operator's, and those
  /// of the caller's apps.
  public func dayCalendars() async throws(SchedulerError) -> [DayCalendarInfo] {
    try await perform(.dayCalendars())
  }

  /// Skips the next `count` occurrences, 1 to 1,000 (E2). The same call twice skips the same ones, as long
  /// as none of them was due between.
  @discardableResult
  public func skip(
    _ identifier: String, count: Int = 1
  ) async throws(SchedulerError) -> SkipOutcome {
    try await perform(.skip(identifier, count: count, by: context))
  }

  /// Skips the occurrence within the second that begins at `date` (E2); throws
  /// ``SchedulerError/Code/unknown`` where none is due then, and says when the next one is.
  @discardableResult
  public func skip(
    _ identifier: String, at date: Date
  ) async throws(SchedulerError) -> SkipOutcome {
    try await perform(.skip(identifier, at: date, by: context))
  }

  /// Has what is to be skipped ring again: the occurrence at `date`, or (nil) all that lie ahead (E2).
  @discardableResult
  public func unskip(
    _ identifier: String, at date: Date? = nil
  ) async throws(SchedulerError) -> SkipOutcome {
    try await perform(.unskip(identifier, at: date, by: context))
  }

  /// Changes fields of what is scheduled; the others stay as they are (E7).
  ///
  /// `change` gets the notification as it is listed, and only the fields that it changes are sent: all of
  /// them change at once, or none. To set `fireDate`, `fireIn` or `region` clears the other two, and so do
  /// `repeatInterval`, `rrule` and `rrules`. Where nothing changes that says when, it is due as before.
  /// Throws ``SchedulerError/Code/notFound`` where it has fired or was cancelled.
  ///
  /// ```swift
  /// try await scheduler.edit("school") { $0.alertBody = "School starts at 8:15" }
  /// ```
  @discardableResult
  public func edit(
    _ identifier: String, _ change: @Sendable (inout LocalNotification) -> Void
  ) async throws(SchedulerError) -> ScheduleOutcome {
    let old = try await scheduled().named(identifier)
    var new = old
    change(&new)
    do throws(SchedulerError) {
      return try await perform(.edit(identifier, old, new, by: context))
    } catch {
      throw error.ofEdit
    }
  }
}
