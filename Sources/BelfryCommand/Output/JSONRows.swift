import BelfryCore
import BelfryWire

/// Rows of `--json`: times in RFC 3339, a key that has no value is null.
extension LocalWords {
  func json(_ instant: Instant?) -> JSONValue {
    guard let instant else { return .null }
    return .string(stamp(instant))
  }

  /// Seconds between due and hand-over.
  static func lateSeconds(due: Instant?, delivered: Instant?) -> JSONValue {
    guard let due, let delivered else { return .null }
    return .double(Double(delivered.nanoseconds(since: due)) / 1e9)
  }

  /// A row of `list`: the fields as they were given, and what has become of them.
  func json(_ row: ListedNotification) -> JSONObject {
    let fields = NotificationCodec.encode(row.notification)
    var object: JSONObject = [
      "identifier": .string(row.notification.identifier ?? ""), "app": .string(row.app),
      "next": json(row.next), "state": .string(row.state.rawValue),
      "mode": .string(row.notification.mode.rawValue),
    ]
    object.append("reason", Self.text(row.reason))
    object.append("silence", Self.text(row.silence))
    object.append("skipped", .array(row.passed.map { .object(json($0)) }))
    object.append("due", json(row.due))
    object.append("sink", Self.text(row.sink))
    object.append("occurrence", Self.text(row.occurrence?.text))
    for member in fields.members where member.name != "identifier" {
      object.append(member.name, member.value)
    }
    if let fireDate = row.notification.fireDate { object["fireDate"] = json(fireDate) }
    if let expires = row.notification.expires { object["expires"] = json(expires) }
    for (name, dates) in [("exdate", row.notification.exdate), ("rdate", row.notification.rdate)]
    where !dates.isEmpty {
      object[name] = .array(dates.map { json($0) })
    }
    if let until = row.notification.until { object["until"] = json(until) }
    return object.with(NotificationField.table.map { $0.name })
  }

  /// What does not ring.
  func json(_ run: PassedRun) -> JSONObject {
    ["first": json(run.first), "last": json(run.last), "reason": .string(run.reason)]
  }

  func json(_ row: HistoryRow) -> JSONObject {
    [
      "identifier": .string(row.identifier), "app": .string(row.app),
      "occurrence": .string(row.occurrence.text), "due": json(row.due),
      "handedOver": json(row.handedOver), "acknowledged": json(row.acknowledged),
      "lateSeconds": Self.lateSeconds(due: row.due, delivered: row.handedOver),
      "sink": .string(row.sink), "state": .string(row.state.rawValue),
      "reason": Self.text(row.reason), "attempts": .integer(Int64(row.attempts)),
      "clock": Self.text(row.clock?.rawValue), "missed": .integer(row.missed),
      "missedSince": json(row.missedSince), "text": Self.text(row.text),
    ]
  }

  func json(_ event: WatchEvent) -> JSONObject {
    [
      "kind": .string(event.kind.rawValue), "identifier": .string(event.identifier),
      "app": .string(event.app), "occurrence": Self.text(event.occurrence?.text),
      "sink": Self.text(event.sink), "at": json(event.at), "due": json(event.due),
      "handedOver": json(event.handedOver),
      "lateSeconds": Self.lateSeconds(due: event.due, delivered: event.handedOver),
      "reason": Self.text(event.reason), "missed": .integer(event.missed),
    ]
  }

  func json(_ reply: ScheduleReply, _ trigger: Trigger, warnings: [String]) -> JSONObject {
    var object: JSONObject = [
      "identifier": .string(reply.identifier), "scheduled": .boolean(reply.scheduled),
      "unchanged": .boolean(reply.unchanged), "replaced": .boolean(reply.replaced),
      "occurrence": Self.text(reply.occurrence?.text), "next": json(reply.next),
      "mode": .string(trigger.mode.rawValue), "zone": .string(trigger.zone.name),
      "discarded": .array(reply.discarded.map { .string($0) }),
    ]
    object.append("warnings", .array(warnings.map { .string($0) }))
    object.append("note", Self.text(reply.demotion))
    return object
  }

  static func text(_ text: String?) -> JSONValue {
    text.map { .string($0) } ?? .null
  }
}

extension JSONObject {
  /// Null for each of these that it has not: the same keys, whatever is known.
  func with(_ keys: [String]) -> JSONObject {
    var whole = self
    for name in keys where self[name] == nil { whole.append(name, .null) }
    return whole
  }
}
