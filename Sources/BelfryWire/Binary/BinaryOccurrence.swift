import BelfryCore

extension BinaryWriter {
  mutating func put(_ id: OccurrenceID) {
    put(fixed: id.uuid.high)
    put(fixed: id.uuid.low)
    put(signed: id.generation)
    put(signed: id.k)
    put(signed: Int64(id.snooze))
    put(signed: Int64(id.step))
  }

  mutating func put(_ value: DeliveryMessage) {
    put(headOf: value)
    put(value.deliveryContent)
  }

  /// All but the content, which ends the message.
  mutating func put(headOf value: DeliveryMessage) {
    put(fixed: value.token)
    put(fixed: value.parts.rawValue)
    put(fixed: value.attempt)
    put(optional: value.badge)
    put(value.handedOver)
    put(optional: value.replaces)
    put(value.isLate)
    put(signed: value.answerWithin)
    put(signed: value.completeWithin)
    put(value.actions)
    put(fixed: value.repetition)
    put(value.level.code)
    put(fixed: value.owner)
    put(signed: value.fade?.since ?? 0)
    put(signed: value.fade?.length ?? 0)
  }

  mutating func put(_ answer: DeliveryAnswer) {
    switch answer {
    case .done(let note):
      put(UInt8(0))
      put(optional: note)
    case .pending:
      put(UInt8(1))
    case .retry(let after):
      put(UInt8(2))
      put(signed: after)
    case .failed(let reason):
      put(UInt8(3))
      put(reason)
    case .silenced(let reason):
      put(UInt8(4))
      put(reason)
    }
  }
}

extension BinaryReader {
  mutating func occurrenceID() throws(WireError) -> OccurrenceID {
    let uuid = UUIDBits(high: try fixed("occurrence"), low: try fixed("occurrence"))
    return OccurrenceID(
      uuid: uuid, generation: try signed("generation"), k: try signed("k"),
      snooze: Int32(truncatingIfNeeded: try signed("snooze")),
      step: Int32(truncatingIfNeeded: try signed("step")))
  }

  mutating func handOver() throws(WireError) -> DeliveryMessage {
    let token: UInt64 = try fixed("token")
    let parts = DeliveryParts(rawValue: try fixed("parts"))
    let attempt: Int32 = try fixed("attempt")
    let badge = try optionalSigned("badge")
    let handedOver = try instant("handedOver")
    let replaces = try optionalText("replaces")
    let isLate = try flag("isLate")
    let answerWithin = try signed("answerWithin")
    let completeWithin = try signed("completeWithin")
    let actions = try offeredActions()
    let repetition: Int32 = try fixed("repetition")
    let level: InterruptionLevel = try choice("level")
    let owner: UInt32 = try fixed("owner")
    let fade = SoundFade(since: try signed("fade"), length: try signed("fade"))
    var value = DeliveryMessage(
      token: token, parts: parts, attempt: attempt, badge: badge, handedOver: handedOver,
      replaces: replaces, deliveryContent: try deliveryContent())
    value.isLate = isLate
    value.answerWithin = answerWithin
    value.completeWithin = completeWithin
    value.actions = actions
    value.repetition = repetition
    value.level = level
    value.owner = owner
    value.fade = fade.length > 0 ? fade : nil
    return value
  }

  mutating func answer() throws(WireError) -> DeliveryAnswer {
    switch try byte("answer") {
    case 0: return .done(note: try optionalText("note"))
    case 1: return .pending
    case 2: return .retry(after: try signed("retry"))
    case 3: return .failed(reason: try text("reason"))
    case 4: return .silenced(reason: try text("reason"))
    default: throw failure(.malformed, "answer: no such answer")
    }
  }
}

/// An enumeration that travels as one byte.
protocol BinaryCoded {
  var code: UInt8 { get }
  init?(code: UInt8)
}

extension BinaryReader {
  mutating func choice<T: BinaryCoded>(_ what: StaticString) throws(WireError) -> T {
    guard let value = T(code: try byte(what)) else {
      throw failure(.malformed, "\(what): no such value")
    }
    return value
  }
}

extension InterruptionLevel: BinaryCoded {
  var code: UInt8 {
    switch self {
    case .passive: 0
    case .active: 1
    case .timeSensitive: 2
    case .critical: 3
    }
  }

  init?(code: UInt8) {
    switch code {
    case 0: self = .passive
    case 1: self = .active
    case 2: self = .timeSensitive
    case 3: self = .critical
    default: return nil
    }
  }
}

extension LogLevel: BinaryCoded {
  var code: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

  init?(code: UInt8) {
    self.init(rawValue: Int32(code))
  }
}
