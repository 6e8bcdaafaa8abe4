import BelfryCore

/// What whoever brings a push may say beside its payload.
public struct PushOptions: Hashable, Sendable {
  /// Where the payload has no `nid`: so that a push sent again is known again (P9).
  public var id: UUIDBits?
  /// What is shown of an earlier push with the same one is replaced: 1 to 128 bytes.
  public var collapseID: String?
  /// Not shown later than this; it is kept in the inbox all the same.
  public var expiration: Instant?
  /// Pruned to so many bytes (P5); nil: not at all.
  public var limit: Int?

  public init() {}
}

/// A payload on its way to the scheduler, and what became of it on the way.
public struct PushDraft: Hashable, Sendable {
  public var push: PushedNotification
  /// As it goes on: pruned.
  public var payload: PushPayload
  /// What this pruning left out, in the order in which it went; `push.pruned` is what is missing in
  /// all.
  public var dropped: [PushProperty]
  /// Arguments that were cut, as in `PrunedPush`.
  public var cut: [String]
  public var ignored: [ParsedPush.Ignored]
  public var odd: [ParsedPush.Ignored]
}

extension ParsedPush {
  /// Objects and arrays within each other, the payload itself counted.
  public static let depthLimit = 64
  /// Bytes of a container's name.
  public static let containerLimit = 255

  /// What the scheduler is to take; an error names the path in the payload, or the option.
  @export(interface)
  public func draft(_ options: PushOptions = PushOptions()) throws(FieldError) -> PushDraft {
    var pruned = PrunedPush(payload: payload, dropped: [], cut: [])
    if let limit = options.limit { pruned = try payload.pruned(to: limit) }
    let object = JSONValue.object(pruned.payload.object)
    try Self.checkDepth(of: object, 1)
    let text = object.encoded
    guard text.count <= PushPayload.sizeLimit else {
      throw FieldError(
        "payload", .tooLong,
        "\(text.count) bytes once written anew; at most \(PushPayload.sizeLimit) are a payload")
    }
    let container = payload.cloud?.containerIdentifier ?? ""
    try Self.checkContainer(container, field: "ck.cid")
    var notification = pruned.payload.shown
    notification.identifier = options.collapseID
    notification.expires = options.expiration
    // Judged by the clock of the board that takes it.
    notification.datesAreOld = true
    do throws(FieldError) {
      notification = try notification.validated()
    } catch {
      throw located(error)
    }
    notification.datesAreOld = false
    notification.push = String(decoding: text, as: UTF8.self)
    var push = PushedNotification(
      notification, container: container, id: payload.cloud?.notificationID ?? options.id,
      kind: payload.cloud?.kind.number ?? 0, isContentAvailable: payload.contentAvailable,
      pruned: payload.missing(besides: pruned.dropped).map { $0.rawValue })
    push.literals = pruned.payload.alert.literals
    return PushDraft(
      push: push, payload: pruned.payload, dropped: pruned.dropped, cut: pruned.cut,
      ignored: ignored, odd: odd)
  }

  /// At most 255 bytes without control characters; empty: the app's own inbox (P6).
  public static func checkContainer(_ name: String, field: String) throws(FieldError) {
    guard name.utf8.count <= containerLimit else {
      throw FieldError(
        field, .tooLong, "a container's name has at most \(containerLimit) bytes of UTF-8")
    }
    guard FieldError.printable(name) == name else {
      throw FieldError(field, .malformed, "a container's name has no control characters")
    }
  }

  /// Replies and store holds it some levels down, and have to be read too.
  private static func checkDepth(of value: JSONValue, _ depth: Int) throws(FieldError) {
    switch value {
    case .object(let object):
      try checkDepth(depth)
      for member in object.members {
        do throws(FieldError) {
          try checkDepth(of: member.value, depth + 1)
        } catch {
          throw depth == 1
            ? error.under(field: FieldError.path(of: member.name)) : error.under(key: member.name)
        }
      }
    case .array(let items):
      try checkDepth(depth)
      for (index, item) in items.enumerated() {
        do throws(FieldError) {
          try checkDepth(of: item, depth + 1)
        } catch {
          throw error.under(index: index)
        }
      }
    default: return
    }
  }

  private static func checkDepth(_ depth: Int) throws(FieldError) {
    guard depth <= depthLimit else {
      throw FieldError("", .outOfRange, "nested more than \(depthLimit) deep")
    }
  }
}
