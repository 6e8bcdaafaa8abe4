import BelfryCore

extension PushPayload {
  /// The payload as a JSON object; reading it again gives an equal payload.
  public var object: JSONObject {
    var aps = JSONObject()
    if !alert.isEmpty { aps.append("alert", alert.value) }
    aps.append("badge", ifAny: badge.map { .integer($0) })
    aps.append("sound", ifAny: sound?.value)
    aps.append("category", ifAny: category)
    aps.append("thread-id", ifAny: threadIdentifier)
    aps.append("interruption-level", ifAny: interruptionLevel?.payloadWord)
    if contentAvailable { aps.append("content-available", 1) }
    aps.append(all: unknown)
    var object = JSONObject()
    object.append("aps", .object(aps))
    if let cloud { object.append("ck", .object(cloud.object)) }
    object.append(all: siblings)
    return object
  }

  /// The payload as JSON text in UTF-8.
  public var encoded: [UInt8] { JSONValue.object(object).encoded }
}

extension PushAlert {
  var isEmpty: Bool { self == PushAlert() }

  /// Nothing but a body, which is then the whole.
  private var isBare: Bool {
    guard body != nil else { return false }
    var rest = self
    rest.body = nil
    return rest.isEmpty
  }

  fileprivate var value: JSONValue {
    if let body, isBare { return .string(body) }
    var object = JSONObject()
    object.append("title", ifAny: title)
    object.append("title-loc-key", ifAny: titleKey)
    object.append("title-loc-args", titleArguments)
    object.append("subtitle", ifAny: subtitle)
    object.append("subtitle-loc-key", ifAny: subtitleKey)
    object.append("subtitle-loc-args", subtitleArguments)
    object.append("body", ifAny: body)
    object.append("loc-key", ifAny: bodyKey)
    object.append("loc-args", bodyArguments)
    object.append("action-loc-key", ifAny: actionKey)
    object.append("launch-image", ifAny: launchImage)
    object.append(all: unknown)
    return .object(object)
  }
}

extension PushSound {
  fileprivate var value: JSONValue {
    if volume == nil, !isCritical, unknown.isEmpty { return .string(name) }
    var object: JSONObject = ["name": .string(name)]
    object.append("volume", ifAny: volume.map { .double($0) })
    if isCritical { object.append("critical", 1) }
    object.append(all: unknown)
    return .object(object)
  }
}

extension CloudKitPayload {
  fileprivate var object: JSONObject {
    var object = JSONObject()
    object.append("nid", ifAny: notificationID?.text)
    object.append("cid", ifAny: containerIdentifier)
    object.append("ckuserid", ifAny: subscriptionOwner)
    if isPruned { object.append("p", 1) }
    switch kind {
    case .base: break
    case .query(let query): object.append("qry", .object(query.object))
    case .recordZone(let subject): object.append("fet", .object(subject.object))
    case .database(let subject): object.append("met", .object(subject.object))
    }
    object.append(all: unknown)
    return object
  }
}

extension CloudQuery {
  fileprivate var object: JSONObject {
    var object = JSONObject()
    object.append("rid", ifAny: record)
    object.append("fo", ifAny: reason.map { .integer($0.rawValue) })
    object.append("af", ifAny: fields.map { .object($0) })
    object.append(all: subject.object)
    return object
  }
}

extension CloudSubject {
  fileprivate var object: JSONObject {
    var object = JSONObject()
    object.append("zid", ifAny: zone)
    object.append("zoid", ifAny: zoneOwner)
    object.append("sid", ifAny: subscription)
    object.append("dbs", ifAny: scope.map { .integer($0.rawValue) })
    object.append(all: unknown)
    return object
  }
}

extension JSONObject {
  fileprivate mutating func append(_ name: String, ifAny value: JSONValue?) {
    if let value { append(name, value) }
  }

  fileprivate mutating func append(_ name: String, ifAny text: String?) {
    if let text { append(name, .string(text)) }
  }

  fileprivate mutating func append(_ name: String, _ arguments: [PropertyList]) {
    if arguments.isEmpty { return }
    append(name, .array(arguments.map { PropertyListCodec.encode($0) }))
  }

  fileprivate mutating func append(all others: JSONObject) {
    for member in others.members { append(member.name, member.value) }
  }
}
