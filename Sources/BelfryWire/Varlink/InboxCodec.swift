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
    guard let number = Self.kinds.firstIndex(where: { ByteString($0) == ByteString(kind) }) else {
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

extension Varlink {
  /// The reply to `FetchInbox`: the same bytes as by `parameters`, but that payloads go over as they
  /// is in the store, without being read; half a mebibyte of them would hold the clock.
  public static func reply(_ page: InboxPage, continues: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    let payloads = page.entries.reduce(0) { $0 + ($1.payload?.utf8.count ?? 0) }
    bytes.reserveCapacity(payloads + 256 * page.entries.count + 256)
    bytes.append(contentsOf: "{\"parameters\":{\"entries\":[".utf8)
    for (index, entry) in page.entries.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      entry.write(to: &bytes)
    }
    bytes.append(contentsOf: "],\"token\":".utf8)
    JSONValue.write(page.token, to: &bytes)
    bytes.append(contentsOf: ",\"moreComing\":".utf8)
    bytes.append(contentsOf: (page.moreComing ? "true}" : "false}").utf8)
    bytes.append(contentsOf: (continues ? ",\"continues\":true}\0" : "}\0").utf8)
    return bytes
  }
}

extension InboxEntry {
  fileprivate func write(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"id\":\"".utf8)
    bytes.append(contentsOf: id.text.utf8)
    bytes.append(contentsOf: "\",\"kind\":\"".utf8)
    bytes.append(contentsOf: kindWord.utf8)
    bytes.append(contentsOf: "\",\"received\":".utf8)
    JSONValue.write(received.microseconds, to: &bytes)
    // Control characters would be damage, and NUL the end of the message.
    if let payload, !payload.utf8.contains(where: { $0 < 0x20 }) {
      bytes.append(contentsOf: ",\"payload\":".utf8)
      bytes.append(contentsOf: payload.utf8)
    }
    bytes.append(contentsOf: ",\"isPruned\":true,\"pruned\":".utf8)
    JSONValue.array(pruned.map { .string($0) }).write(to: &bytes)
    bytes.append(UInt8(ascii: "}"))
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
