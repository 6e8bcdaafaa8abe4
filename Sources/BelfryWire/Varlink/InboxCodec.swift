import BelfryCore

extension InboxEntry {
  /// The kinds' words on the wire, by their numbers.
  private static let kinds = ["base", "query", "recordZone", "readNotification", "database"]

  /// The kind in the interface's words.
  public var kindWord: String {
    (0..<Int64(Self.kinds.count)).contains(kind) ? Self.kinds[Int(kind)] : Self.kinds[0]
  }

  /// The entry as `InboxEntry` of the interface; its position is the token's business.
  public var parameters: JSONObject {
    var object: JSONObject = [
      "id": .string(id.text), "kind": .string(kindWord),
      "received": .integer(received.microseconds),
    ]
    if let payload, let value = try? JSONValue.parse(payload) { object.append("payload", value) }
    object.append("isPruned", true)
    object.append("pruned", .array(pruned.map { .string($0) }))
    return object
  }

  /// Reads one; its position is 0.
  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    let kind = try members.text("kind")
    guard let number = Self.kinds.firstIndex(where: { Word($0) == Word(kind) }) else {
      throw FieldError("kind", .unknown, "there is no such word here")
    }
    self.init(
      id: try members.uuid("id"), position: 0, kind: Int64(number),
      payload: try members.optionalObject("payload").map { JSONValue.object($0).text },
      received: try members.instant("received"), pruned: try members.texts("pruned"))
  }
}

/// A page of an inbox as it came over the wire (P7).
public struct InboxPage: Hashable, Sendable {
  /// Oldest first.
  public var entries: [InboxEntry]
  /// Stands for having seen all of these.
  public var token: String
  /// There are others after them.
  public var moreComing: Bool

  public init(entries: [InboxEntry], token: String, moreComing: Bool) {
    self.entries = entries
    self.token = token
    self.moreComing = moreComing
  }

  /// The reply to `FetchInbox`.
  public var parameters: JSONObject {
    [
      "entries": .array(entries.map { .object($0.parameters) }), "token": .string(token),
      "moreComing": .boolean(moreComing),
    ]
  }

  /// Reads a reply to `FetchInbox`.
  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    var entries: [InboxEntry] = []
    for (index, value) in try members.array("entries").enumerated() {
      guard case .object(let object) = value else {
        throw members.wrongType("entries[\(index)]", "an object")
      }
      do throws(FieldError) {
        entries.append(try InboxEntry(object))
      } catch {
        throw error.under(index: index).under(field: "entries")
      }
    }
    self.init(
      entries: entries, token: try members.text("token"),
      moreComing: try members.boolean("moreComing"))
  }
}

/// What became of ids that were to be marked as read (P8).
public struct MarkReadReply: Hashable, Sendable {
  public var marked: [UUIDBits]
  /// The inbox has none of these.
  public var unknown: [UUIDBits]

  public init(marked: [UUIDBits], unknown: [UUIDBits]) {
    self.marked = marked
    self.unknown = unknown
  }

  /// The reply to `MarkRead`.
  public var parameters: JSONObject {
    [
      "marked": .array(marked.map { .string($0.text) }),
      "unknown": .array(unknown.map { .string($0.text) }),
    ]
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(marked: try members.uuids("marked"), unknown: try members.uuids("unknown"))
  }
}

extension MemberReader {
  func uuid(_ name: String) throws(FieldError) -> UUIDBits {
    guard let uuid = UUIDBits(text: try text(name)) else { throw wrongType(name, "a UUID") }
    return uuid
  }

  func uuids(_ name: String) throws(FieldError) -> [UUIDBits] {
    var uuids: [UUIDBits] = []
    for text in try texts(name) {
      guard let uuid = UUIDBits(text: text) else { throw wrongType(name, "UUIDs") }
      uuids.append(uuid)
    }
    return uuids
  }
}
