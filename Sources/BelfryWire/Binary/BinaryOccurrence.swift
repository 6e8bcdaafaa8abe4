import BelfryCore

extension BinaryWriter {
  mutating func put(_ id: OccurrenceID) {
    put(fixed: id.uuid.high)
    put(fixed: id.uuid.low)
    put(signed: id.generation)
    put(signed: id.k)
  }

  mutating func put(_ value: Occurrence) {
    put(value.id)
    put(value.app)
    put(value.due)
    put(signed: value.missed)
    put(optional: value.missedSince)
    put(value.notification)
  }

  mutating func put(_ value: Delivery) {
    put(headOf: value)
    put(value.occurrence)
  }

  /// All but the occurrence, which ends the message.
  mutating func put(headOf value: Delivery) {
    put(fixed: value.token)
    put(fixed: value.sink)
    put(fixed: value.parts.rawValue)
    put(fixed: value.attempt)
    put(value.handedOver)
    put(optional: value.badge)
    put(optional: value.replaces)
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
    }
  }
}

extension BinaryReader {
  mutating func occurrenceID() throws(WireError) -> OccurrenceID {
    let uuid = UUIDBits(high: try fixed("occurrence"), low: try fixed("occurrence"))
    return OccurrenceID(
      uuid: uuid, generation: try signed("generation"), k: try signed("k"))
  }

  mutating func occurrence() throws(WireError) -> Occurrence {
    let id = try occurrenceID()
    let app = try text("app")
    let due = try instant("due")
    let missed = try signed("missed")
    let missedSince = try optionalInstant("missedSince")
    var value = Occurrence(id: id, app: app, notification: try notification(), due: due)
    value.missed = missed
    value.missedSince = missedSince
    return value
  }

  mutating func delivery() throws(WireError) -> Delivery {
    let token: UInt64 = try fixed("token")
    let sink: SinkIndex = try fixed("sink")
    let parts = DeliveryParts(rawValue: try fixed("parts"))
    let attempt: Int32 = try fixed("attempt")
    let handedOver = try instant("handedOver")
    let badge = try optionalSigned("badge")
    let replaces = try optionalText("replaces")
    return Delivery(
      token: token, sink: sink, occurrence: try occurrence(), parts: parts, attempt: attempt,
      badge: badge, handedOver: handedOver, replaces: replaces)
  }

  mutating func answer() throws(WireError) -> DeliveryAnswer {
    switch try byte("answer") {
    case 0: return .done(note: try optionalText("note"))
    case 1: return .pending
    case 2: return .retry(after: try signed("retry"))
    case 3: return .failed(reason: try text("reason"))
    default: throw failure(.malformed, "answer: no such answer")
    }
  }
}
