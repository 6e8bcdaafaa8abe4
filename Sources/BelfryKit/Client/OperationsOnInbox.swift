import Foundation

internal import BelfryCore
internal import BelfryWire

extension Operation where Value == PushOutcome {
  /// By its id a push that is sent again is known again (P9).
  static func push(_ push: Push, by context: CallContext) -> Operation {
    var parameters = context.parameters()
    for member in push.parameters.members { parameters.append(member.name, member.value) }
    return Operation("Push", parameters, .harmless) { reply throws(SchedulerError) in
      try reading { () throws(FieldError) in try PushOutcome(reply) }
    }
  }
}

extension Operation where Value == InboxPage {
  static func fetchInbox(
    _ container: String, _ token: String?, _ limit: Int, by context: CallContext
  ) -> Operation {
    var parameters = context.parameters(("limit", .integer(Int64(limit))))
    if !container.isEmpty { parameters.append("container", .string(container)) }
    if let token { parameters.append("since", .string(token)) }
    return Operation("FetchInbox", parameters, .reading) { reply throws(SchedulerError) in
      try reading { () throws(FieldError) in try InboxPage(reply) }
    }
  }
}

extension Operation where Value == MarkReadOutcome {
  static func markRead(_ ids: [UUID], _ container: String, by context: CallContext) -> Operation {
    let list = JSONValue.array(ids.map { .string($0.uuidString.lowercased()) })
    var parameters = context.parameters(("ids", list))
    if !container.isEmpty { parameters.append("container", .string(container)) }
    return Operation("MarkRead", parameters, .harmless) { reply throws(SchedulerError) in
      try reading { () throws(FieldError) in try MarkReadOutcome(reply) }
    }
  }
}

/// A push as it is sent.
struct Push: Sendable {
  fileprivate var parameters: JSONObject

  init(
    _ payload: [String: PushValue], id: UUID?, collapse: String?, expires: Date?, limit: Int?
  ) throws(SchedulerError) {
    parameters = ["payload": .object(try PushValue.wire(payload))]
    try add(id, payload["ck"]?["nid"] != nil, collapse, expires, limit)
  }

  init(
    json: Data, id: UUID?, collapse: String?, expires: Date?, limit: Int?
  ) throws(SchedulerError) {
    let value: JSONValue
    do throws(WireError) {
      value = try JSONValue.parse([UInt8](json))
    } catch {
      throw SchedulerError(
        .malformed, field: error.path.isEmpty ? "payload" : error.path,
        "no JSON at byte \(error.place): \(error.reason)")
    }
    parameters = ["payload": value]
    try add(id, value["ck"]?["nid"] != nil, collapse, expires, limit)
  }

  private mutating func add(
    _ id: UUID?, _ hasOwn: Bool, _ collapse: String?, _ expires: Date?, _ limit: Int?
  ) throws(SchedulerError) {
    if id != nil || !hasOwn {
      parameters.append("id", .string((id ?? UUID()).uuidString.lowercased()))
    }
    if let collapse { parameters.append("collapseId", .string(collapse)) }
    if let limit { parameters.append("limit", .integer(Int64(limit))) }
    guard let expires else { return }
    do throws(FieldError) {
      let instant = try Instant(expires, field: "expires")
      parameters.append("expiration", .integer(instant.microseconds))
    } catch {
      throw SchedulerError(error)
    }
  }
}
