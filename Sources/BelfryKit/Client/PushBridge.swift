import Foundation

internal import BelfryCore
package import BelfryWire

extension PushValue {
  init(_ wire: JSONValue) {
    switch wire {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .array(elements.map { PushValue($0) })
    case .object(let object): self = .dictionary(Self.payload(object))
    }
  }

  static func payload(_ object: JSONObject) -> [String: PushValue] {
    var pairs = [String: PushValue](minimumCapacity: object.members.count)
    for member in object.members { pairs[member.name] = PushValue(member.value) }
    return pairs
  }

  /// The payload that a notification carries as text; nil: it carries none.
  static func payload(text: String?) -> [String: PushValue]? {
    guard let text, let value = try? JSONValue.parse(Array(text.utf8)), let object = value.object
    else { return nil }
    return payload(object)
  }

  /// Throws with the path of a number that JSON has not.
  package static func wire(_ pairs: [String: PushValue]) throws(SchedulerError) -> JSONObject {
    try object(pairs, path: "")
  }

  private static func object(
    _ pairs: [String: PushValue], path: String
  ) throws(SchedulerError) -> JSONObject {
    var object = JSONObject()
    // In an order of its own, so that equal payloads are equal texts.
    for (name, value) in pairs.sorted(by: { $0.key < $1.key }) {
      object.append(name, try value.wire(path: path.isEmpty ? name : "\(path).\(name)"))
    }
    return object
  }

  private func wire(path: String) throws(SchedulerError) -> JSONValue {
    switch self {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .double(let value) where !value.isFinite:
      throw SchedulerError(.outOfRange, field: path, "JSON has finite numbers only")
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .dictionary(let pairs): return .object(try Self.object(pairs, path: path))
    case .array(let elements):
      var values: [JSONValue] = []
      values.reserveCapacity(elements.count)
      for element in elements {
        values.append(try element.wire(path: "\(path)[\(values.count)]"))
      }
      return .array(values)
    }
  }
}

extension PushOutcome {
  init(_ reply: JSONObject) throws(FieldError) {
    id = try reply.uuid("id")
    isDuplicate = reply["duplicate"]?.boolean ?? false
    occurrence = reply["occurrence"]?.string
    pruned = reply.strings("pruned")
    cut = reply.strings("cut")
    ignored = (reply["ignored"]?.array ?? []).map {
      Ignored(path: $0["path"]?.string ?? "", reason: $0["reason"]?.string ?? "")
    }
  }
}

extension InboxPage {
  init(_ reply: JSONObject) throws(FieldError) {
    guard let rows = reply["entries"]?.array, let token = reply["token"]?.string else {
      throw FieldError("entries", .missing, "a page has entries and a token")
    }
    self.init(entries: [], token: token, moreComing: reply["moreComing"]?.boolean ?? false)
    entries.reserveCapacity(rows.count)
    for row in rows { entries.append(try InboxEntry(row.object ?? [:])) }
  }
}

extension InboxEntry {
  init(_ row: JSONObject) throws(FieldError) {
    guard let received = row["received"]?.integer else {
      throw FieldError("entries.received", .missing, "an entry has a time")
    }
    self.init(
      id: try row.uuid("id"), kind: Kind(word: row["kind"]?.string ?? "") ?? .base,
      received: Microseconds.date(received),
      payload: row["payload"]?.object.map { PushValue.payload($0) },
      isPruned: row["isPruned"]?.boolean ?? true, pruned: row.strings("pruned"))
  }
}

extension InboxEntry.Kind {
  /// Its word on the wire is the case's name.
  init?(word: String) {
    guard let found = Self.allCases.first(where: { "\($0)" == word }) else { return nil }
    self = found
  }
}

extension MarkReadOutcome {
  init(_ reply: JSONObject) throws(FieldError) {
    self.init(marked: try reply.uuids("marked"), unknown: try reply.uuids("unknown"))
  }
}

extension JSONObject {
  fileprivate func uuid(_ name: String) throws(FieldError) -> UUID {
    guard let text = self[name]?.string, let uuid = UUID(uuidString: text) else {
      throw FieldError(name, .malformed, "this is a UUID of 36 characters")
    }
    return uuid
  }

  fileprivate func uuids(_ name: String) throws(FieldError) -> [UUID] {
    var found: [UUID] = []
    for text in strings(name) {
      guard let uuid = UUID(uuidString: text) else {
        throw FieldError(name, .malformed, "this is a list of UUIDs")
      }
      found.append(uuid)
    }
    return found
  }

  fileprivate func strings(_ name: String) -> [String] {
    (self[name]?.array ?? []).compactMap { $0.string }
  }
}
