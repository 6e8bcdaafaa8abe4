import BelfryCore

extension CallReader {
  /// The methods of pushes and inboxes (P6 to P9).
  func pushCall() throws(FieldError) -> SchedulerCall? {
    switch method {
    case "Push":
      let members = try members([
        "app", "payload", "id", "collapseId", "expiration", "limit",
      ])
      let app = try app(members)
      let options = try PushOptions(members)
      return .push(app: app, try PushPayload.read(try members.object("payload")).draft(options))
    case "FetchInbox":
      let members = try members(["app", "container", "since", "limit"])
      let limits = SchedulerCall.inboxLimit
      let limit = try members.optionalInteger("limit", in: 1...limits.most) ?? limits.ordinary
      return .request(
        .fetchInbox(
          app: try app(members), container: try container(members),
          since: try members.optionalText("since"), limit: Int32(limit)))
    case "MarkRead":
      let members = try members(["app", "container", "ids"])
      return .request(
        .markRead(app: try app(members), container: try container(members), ids: try ids(members)))
    default: return nil
    }
  }

  private func container(_ members: MemberReader) throws(FieldError) -> String {
    let name = try members.optionalText("container") ?? ""
    try ParsedPush.checkContainer(name, field: "container")
    return name
  }

  private func ids(_ members: MemberReader) throws(FieldError) -> [UUIDBits] {
    let texts = try members.texts("ids")
    guard texts.count <= SchedulerCall.inboxLimit.most else {
      throw FieldError(
        "ids", .tooLong, "at most \(SchedulerCall.inboxLimit.most) at a time, not \(texts.count)")
    }
    var ids: [UUIDBits] = []
    for (index, text) in texts.enumerated() {
      guard let id = UUIDBits(text: text) else {
        throw FieldError("ids[\(index)]", .malformed, "this is a UUID of 36 characters")
      }
      ids.append(id)
    }
    return ids
  }
}

extension SchedulerCall {
  /// Entries of a page of an inbox where the caller names no number, and the most; of the latter
  /// also ids to mark at a time.
  public static let inboxLimit: (ordinary: Int64, most: Int64) = (100, 1000)
}

extension PushOptions {
  init(_ members: MemberReader) throws(FieldError) {
    self.init()
    if let text = try members.optionalText("id") {
      guard let id = UUIDBits(text: text) else {
        throw FieldError("id", .malformed, "this is a UUID of 36 characters")
      }
      self.id = id
    }
    collapseID = try members.optionalText("collapseId")
    expiration = try members.optionalInstant("expiration")
    limit = try members.optionalInteger("limit", in: 1...Int64(PushPayload.sizeLimit))
      .map { Int($0) }
  }
}

/// What a reply to `Push` says of its payload, which the scheduler does not know.
public struct PushNotes: Hashable, Sendable {
  /// What is missing in all.
  public var pruned: [String] = []
  public var cut: [String] = []
  public var ignored: [ParsedPush.Ignored] = []
  public var odd: [ParsedPush.Ignored] = []
  /// Why nothing of it is shown; nil: something is, or it is for the app alone.
  public var unseen: String?

  public init() {}

  public init(_ draft: PushDraft) {
    (pruned, cut, ignored) = (draft.push.pruned, draft.cut, draft.ignored)
    odd = draft.odd
    unseen = draft.payload.unseen
  }

  /// Reads a reply to `Push`.
  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    pruned = try members.texts("pruned")
    cut = try members.texts("cut")
    ignored = Self.read(try members.array("ignored"))
    odd = Self.read(parameters["odd"]?.array ?? [])
  }

  private static func read(_ values: [JSONValue]) -> [ParsedPush.Ignored] {
    values.map {
      ParsedPush.Ignored(path: $0["path"]?.string ?? "", reason: $0["reason"]?.string ?? "")
    }
  }

  fileprivate static func array(_ members: [ParsedPush.Ignored]) -> JSONValue {
    .array(
      members.map { .object(["path": .string($0.path), "reason": .string($0.reason)]) })
  }
}

extension PushReply {
  /// The reply to `Push`.
  public func parameters(_ notes: PushNotes) -> JSONObject {
    var object: JSONObject = ["id": .string(id.text), "duplicate": .boolean(isDuplicate)]
    object.add("occurrence", occurrence?.text)
    object.append("pruned", .array(notes.pruned.map { .string($0) }))
    object.append("cut", .array(notes.cut.map { .string($0) }))
    object.append("ignored", PushNotes.array(notes.ignored))
    object.append("odd", PushNotes.array(notes.odd))
    object.add(demotion: demotion)
    let warnings = [notes.unseen].compactMap { $0 } + warnings
    if !warnings.isEmpty { object.append("warnings", .array(warnings.map { .string($0) })) }
    return object
  }

  /// Reads what the scheduler itself says in a reply to `Push`.
  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(
      id: try members.uuid("id"), isDuplicate: try members.boolean("duplicate"),
      occurrence: try members.optionalOccurrence("occurrence"))
    demotion = try members.optionalText("note")
    warnings = try members.optionalTexts("warnings") ?? []
  }
}
