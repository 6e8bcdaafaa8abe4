import BelfryCore

extension BinaryWriter {
  mutating func put(_ push: PluginPush) {
    put(fixed: push.token)
    put(push.uid != nil)
    if let uid = push.uid { put(fixed: uid) }
    put(optional: push.app)
    put(optional: push.collapseIdentifier)
    put(optional: push.expires)
    put(push.id != nil)
    if let id = push.id {
      put(fixed: id.high)
      put(fixed: id.low)
    }
    put(count: push.payload.count)
    put(packed: push.payload)
  }

  mutating func put(_ answer: PluginPushAnswer) {
    switch answer {
    case .accepted: put(UInt8(0))
    case .duplicate: put(UInt8(1))
    case .refused(let reason):
      put(UInt8(2))
      put(reason)
    case .later(let reason, let after):
      put(UInt8(3))
      put(reason)
      put(signed: after)
    }
  }
}

extension BinaryReader {
  mutating func pluginPush() throws(WireError) -> PluginPush {
    var push = PluginPush(token: try fixed("token"), app: nil, payload: [])
    if try flag("uid") { push.uid = try fixed("uid") }
    push.app = try optionalText("app")
    push.collapseIdentifier = try optionalText("collapseId")
    push.expires = try optionalInstant("expires")
    if try flag("id") { push.id = UUIDBits(high: try fixed("id"), low: try fixed("id")) }
    push.payload = try data("payload")
    return push
  }

  mutating func pluginPushAnswer() throws(WireError) -> PluginPushAnswer {
    switch try byte("answer") {
    case 0: return .accepted
    case 1: return .duplicate
    case 2: return .refused(reason: try text("reason"))
    case 3: return .later(reason: try text("reason"), after: try signed("after"))
    default: throw failure(.malformed, "answer: no such answer")
    }
  }
}
