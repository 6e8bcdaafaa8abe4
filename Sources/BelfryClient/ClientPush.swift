import BelfryCore
import BelfryWire

/// The methods of pushes and inboxes.
extension Client {
  /// Delivers a payload (P6); what the daemon finds wrong with it is named by its path in it.
  @export(interface)
  public func push(
    app: String?, payload: JSONObject, _ options: PushOptions
  ) throws(ClientError) -> (reply: PushReply, notes: PushNotes) {
    var parameters = parameters(app, ("payload", .object(payload)))
    if let id = options.id { parameters.append("id", .string(id.text)) }
    if let collapseID = options.collapseID {
      parameters.append("collapseId", .string(collapseID))
    }
    if let expiration = options.expiration {
      parameters.append("expiration", .integer(expiration.microseconds))
    }
    if let limit = options.limit { parameters.append("limit", .integer(Int64(limit))) }
    let reply = try call("Push", parameters)
    return try read { () throws(FieldError) in (try PushReply(reply), try PushNotes(reply)) }
  }

  /// What has come to an inbox since a token of an earlier page; `since` nil: all that it has (P7).
  /// `container` empty: the app's own; `limit` nil: the daemon's page.
  @export(interface)
  public func fetchInbox(
    app: String?, container: String = "", since: String?, limit: Int64? = nil
  ) throws(ClientError) -> InboxPage {
    var parameters = parameters(app, ("container", .string(container)))
    if let since { parameters.append("since", .string(since)) }
    if let limit { parameters.append("limit", .integer(limit)) }
    let reply = try call("FetchInbox", parameters)
    return try read { () throws(FieldError) in try InboxPage(reply) }
  }

  /// P8; at most 1000 at a time.
  @export(interface)
  public func markRead(
    app: String?, container: String = "", ids: [UUIDBits]
  ) throws(ClientError) -> MarkReadReply {
    let list = JSONValue.array(ids.map { .string($0.text) })
    let reply = try call(
      "MarkRead", parameters(app, ("container", .string(container)), ("ids", list)))
    return try read { () throws(FieldError) in try MarkReadReply(reply) }
  }

  private func read<T>(_ body: () throws(FieldError) -> T) throws(ClientError) -> T {
    do throws(FieldError) {
      return try body()
    } catch {
      throw .unreadableReply(reason: "\(error.field): \(error.reason)")
    }
  }
}
