internal import BelfryClient
internal import BelfryCore
internal import BelfryWire

/// Which of an app's lists.
enum Listing {
  case scheduled, shown, snoozed

  fileprivate func call(by context: CallContext) -> Call {
    var parameters = context.parameters(("delivered", .boolean(self == .shown)))
    if self == .snoozed { parameters.append("snoozed", true) }
    return Call("List", parameters, more: true)
  }
}

extension Operation where Value == [ScheduledNotification] {
  /// `.scheduled` or `.snoozed`.
  static func list(_ listing: Listing, by context: CallContext) -> Operation {
    Operation([listing.call(by: context)], .reading) { replies throws(SchedulerError) in
      try rows(replies, "notifications") { row throws(FieldError) in
        ScheduledNotification(try ListedNotification(row))
      }
    }
  }
}

extension Operation where Value == [ShownNotification] {
  static func shown(by context: CallContext) -> Operation {
    Operation([Listing.shown.call(by: context)], .reading) { replies throws(SchedulerError) in
      try rows(replies, "notifications") { row throws(FieldError) in
        ShownNotification(try ListedNotification(row))
      }
    }
  }
}

extension Operation where Value == [HistoryEntry] {
  static func history(by context: CallContext) -> Operation {
    let call = Call("History", context.parameters(), more: true)
    return Operation([call], .reading) { replies throws(SchedulerError) in
      try rows(replies, "deliveries") { row throws(FieldError) in
        HistoryEntry(try HistoryRow(row))
      }
    }
  }
}

/// The rows of a list that came in many replies.
private func rows<Row>(
  _ replies: [JSONObject], _ name: String,
  _ body: (JSONObject) throws(FieldError) -> Row
) throws(SchedulerError) -> [Row] {
  var rows: [Row] = []
  for reply in replies {
    for value in reply[name]?.array ?? [] {
      guard let object = value.object else {
        throw SchedulerError(.unreadableReply, "the daemon's reply cannot be read: \(name)")
      }
      rows.append(try reading { () throws(FieldError) in try body(object) })
    }
  }
  return rows
}

extension Operation where Value == ReplaceOutcome {
  static func replaceAll(
    _ notifications: [LocalNotification], by context: CallContext
  ) throws(SchedulerError) -> Operation {
    let notifications = notifications.map { $0.identified }
    let calls = try parts(of: notifications, by: context)
    return Operation(calls, context.retryPolicy(notifications)) { replies throws(SchedulerError) in
      try reading { () throws(FieldError) in
        ReplaceOutcome(try ReplaceAllReply(replies.last ?? [:]))
      }
    }
  }

  /// The calls, each well below the limit of a message; the last one swaps.
  private static func parts(
    of notifications: [LocalNotification], by context: CallContext
  ) throws(SchedulerError) -> [Call] {
    var parts: [(first: Int, rows: [JSONValue])] = [(0, [])]
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
        parts.append((index, []))
        size = 0
      }
      parts[parts.count - 1].rows.append(encoded)
      size += count
    }
    return parts.enumerated().map { number, part in
      let isLast = number == parts.count - 1
      let parameters = context.addingParameters(
        ("notifications", .array(part.rows)), ("final", .boolean(isLast)))
      return Call("ReplaceAll", parameters, first: part.first)
    }
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
