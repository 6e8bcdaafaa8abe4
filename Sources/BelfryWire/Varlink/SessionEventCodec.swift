import BelfryCore

extension SessionEvent {
  /// The event as `SessionEvent` of the interface.
  public var parameters: JSONObject {
    var object: JSONObject = ["id": .integer(id), "kind": .string(kind.rawValue)]
    object.append("notification", .object(NotificationCodec.encode(occurrence.notification)))
    object.append("occurrence", .string(occurrence.id.text))
    object.append("due", .integer(occurrence.due.microseconds))
    object.append("missed", .integer(occurrence.missed))
    object.add("missedSince", occurrence.missedSince)
    object.add("delivered", delivered)
    object.add("action", action)
    object.add("text", text)
    object.append("attempt", .integer(Int64(attempt)))
    return object
  }

  /// Reads one; `app` is whose session it came in.
  public init(_ parameters: JSONObject, app: String) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    var occurrence = Occurrence(
      id: try members.occurrence("occurrence"), app: app,
      notification: try NotificationCodec.decode(try members.object("notification")),
      due: try members.instant("due"))
    occurrence.missed = try members.optionalInteger("missed") ?? 0
    occurrence.missedSince = try members.optionalInstant("missedSince")
    self.init(
      id: try members.integer("id"), kind: try members.choice("kind", Kind.self),
      occurrence: occurrence, delivered: try members.optionalInstant("delivered"),
      action: try members.optionalText("action"), text: try members.optionalText("text"),
      attempt: Int32(clamping: try members.optionalInteger("attempt") ?? 1))
  }
}
