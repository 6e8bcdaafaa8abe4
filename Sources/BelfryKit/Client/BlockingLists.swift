import Foundation

internal import BelfryClient
internal import BelfryCore
internal import BelfryWire

extension BlockingScheduler {
  /// What is scheduled, in the daemon's order.
  public func scheduled() throws(SchedulerError) -> [ScheduledNotification] {
    try scheduled(by: deadline())
  }

  func scheduled(by deadline: Deadline) throws(SchedulerError) -> [ScheduledNotification] {
    try list(delivered: false, by: deadline).map { ScheduledNotification($0) }
  }

  /// What sinks still show.
  public func shown() throws(SchedulerError) -> [ShownNotification] {
    try shown(by: deadline())
  }

  func shown(by deadline: Deadline) throws(SchedulerError) -> [ShownNotification] {
    try list(delivered: true, by: deadline).map { ShownNotification($0) }
  }

  /// What was snoozed and comes again; it is not counted among what is scheduled.
  public func snoozed() throws(SchedulerError) -> [ScheduledNotification] {
    try snoozed(by: deadline())
  }

  func snoozed(by deadline: Deadline) throws(SchedulerError) -> [ScheduledNotification] {
    try list(delivered: false, snoozed: true, by: deadline).map { ScheduledNotification($0) }
  }

  private func list(
    delivered: Bool, snoozed: Bool = false, by deadline: Deadline
  ) throws(SchedulerError) -> [ListedNotification] {
    let app = app
    return try link.perform(.harmless, by: deadline) { client throws(ClientError) in
      var rows: [ListedNotification] = []
      try client.list(
        app: app, delivered: delivered, snoozed: snoozed, milliseconds: deadline.milliseconds
      ) {
        rows.append($0)
      }
      return rows
    }
  }

  /// Every delivery that the history still has, oldest first (D9).
  public func history() throws(SchedulerError) -> [HistoryEntry] {
    try history(by: deadline())
  }

  func history(by deadline: Deadline) throws(SchedulerError) -> [HistoryEntry] {
    let app = app
    return try link.perform(.harmless, by: deadline) { client throws(ClientError) in
      var rows: [HistoryEntry] = []
      try client.history(app: app, milliseconds: deadline.milliseconds) {
        rows.append(HistoryEntry($0))
      }
      return rows
    }
  }

  /// The next occurrences of a scheduled notification after `date` (nil: now), at most `count`
  /// (N18).
  public func next(
    of identifier: String, count: Int = 1, after date: Date? = nil
  ) throws(SchedulerError) -> [Upcoming] {
    try next(("identifier", .string(identifier)), count, date, by: deadline())
  }

  /// The next occurrences of a notification that is only drafted.
  public func next(
    of draft: LocalNotification, count: Int = 1, after date: Date? = nil
  ) throws(SchedulerError) -> [Upcoming] {
    try next(("notification", .object(try draft.encoded())), count, date, by: deadline())
  }

  func next(
    _ what: (String, JSONValue), _ count: Int, _ date: Date?, by deadline: Deadline
  ) throws(SchedulerError) -> [Upcoming] {
    var parameters = parameters(what, ("count", .integer(Int64(count))))
    if let date {
      do throws(FieldError) {
        let after = try Instant(date, field: "after")
        parameters.append("after", .integer(after.microseconds))
      } catch {
        throw SchedulerError(error)
      }
    }
    let reply = try link.call("Next", parameters, .harmless, by: deadline)
    return try decode { () throws(FieldError) in
      try UpcomingOccurrence.read(reply).map { Upcoming($0) }
    }
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
    try replaceAll(notifications, by: deadline())
  }

  func replaceAll(
    _ notifications: [LocalNotification], by deadline: Deadline
  ) throws(SchedulerError) -> ReplaceOutcome {
    let parts = try parts(of: notifications.map { $0.identified })
    let stay = notifications.allSatisfy { $0.staysPending(for: longest) }
    let reply = try link.perform(stay ? .harmless : .never, by: deadline) {
      client throws(ClientError) in
      var reply = JSONObject()
      for part in parts {
        do throws(ClientError) {
          reply = try client.call(
            "ReplaceAll", part.parameters, milliseconds: deadline.milliseconds)
        } catch {
          throw error.counting(from: part.first)
        }
      }
      return reply
    }
    return try decode { () throws(FieldError) in ReplaceOutcome(try ReplaceAllReply(reply)) }
  }

  /// A call of several, and the index of its first notification.
  private struct Part {
    var first: Int
    var rows: [JSONValue] = []
    var parameters: JSONObject = [:]
  }

  /// The calls, each well below the limit of a message; the last one swaps.
  private func parts(of notifications: [LocalNotification]) throws(SchedulerError) -> [Part] {
    var parts = [Part(first: 0)]
    var size = 0
    for (index, notification) in notifications.enumerated() {
      let encoded: JSONValue
      do throws(SchedulerError) {
        encoded = .object(try notification.encoded())
      } catch {
        throw error.under(index: index)
      }
      let count = encoded.text.utf8.count
      if size + count > 512 * 1024, size > 0 {
        parts.append(Part(first: index))
        size = 0
      }
      parts[parts.count - 1].rows.append(encoded)
      size += count
    }
    for index in parts.indices {
      let isLast = index == parts.count - 1
      parts[index].parameters = parameters(
        ("notifications", .array(parts[index].rows)), ("final", .boolean(isLast)))
    }
    return parts
  }
}

extension ClientError {
  /// This error of a part, its index as the whole list counts.
  fileprivate func counting(from first: Int) -> ClientError {
    let list = "notifications["
    guard first > 0, case .refused(.invalidField(var field)) = self, field.field.hasPrefix(list),
      let end = field.field.firstIndex(of: "]"),
      let index = Int(field.field[..<end].dropFirst(list.utf8.count))
    else { return self }
    field.field = "\(list)\(first + index)\(field.field[end...])"
    return .refused(.invalidField(field))
  }
}

extension SchedulerError {
  /// This error, met in an element of the list.
  fileprivate func under(index: Int) -> SchedulerError {
    var error = self
    error.field = field.map { "notifications[\(index)].\($0)" }
    return error
  }
}
