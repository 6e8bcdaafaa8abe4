/// A push from when it comes until the store has answered.
struct InFlightPush {
  /// In order of coming.
  let number: UInt64
  /// nil: it stood in the store at the start, and nobody asks.
  let request: RequestID?
  let app: AppNumber
  let pushed: PushedNotification
  let id: UUIDBits
  let occurrence: Occurrence
  /// It is shown then, stored or not (D8), on the elapsed clock.
  let until: Int64
  var isShown = false
  /// Hand-overs by earlier lives.
  var attempt: Int32 = 0
  /// Earlier ones of its collapse id that came to be shown while the store looked for such.
  var shownMeanwhile: [ShownDelivery] = []

  var key: PushKey { PushKey(app: occurrence.app, container: pushed.container, id: id) }
}

/// What makes two pushes one (P9).
struct PushKey: Hashable {
  @Bytewise var app: String
  @Bytewise var container: String
  var id: UUIDBits
}

/// The occurrences of pushes by what makes each of them one, the newest so many of them: what was
/// shown and is not in the store (D8), or what is in an inbox (P9).
struct ShownPushes {
  static let most = 1024
  private var occurrences: [PushKey: OccurrenceID] = [:]
  private var order: [PushKey] = []

  subscript(key: PushKey) -> OccurrenceID? { occurrences[key] }

  mutating func insert(_ key: PushKey, _ occurrence: OccurrenceID) {
    guard occurrences.updateValue(occurrence, forKey: key) == nil else { return }
    order.append(key)
    if order.count > Self.most { occurrences[order.removeFirst()] = nil }
  }

  mutating func remove(_ key: PushKey) {
    guard occurrences.removeValue(forKey: key) != nil else { return }
    order.removeAll { $0 == key }
  }

  mutating func remove(app: String) {
    for key in order where key.app == app { occurrences[key] = nil }
    order.removeAll { $0.app == app }
  }
}

/// The newest occurrence under each collapse id of an app, so that the next one takes its place
/// (N1): the newest so many of them.
struct CollapsedPushes {
  static let most = 256
  private var newest: [ByteString: OccurrenceID] = [:]
  private var order: [ByteString] = []

  /// What the next one under this id is called; `uuid` if it is the first.
  mutating func next(_ identifier: String, uuid: UUIDBits) -> OccurrenceID {
    let id: OccurrenceID
    if let last = newest[identifier] {
      id = OccurrenceID(uuid: last.uuid, generation: last.generation + 1, k: 0)
    } else {
      id = OccurrenceID(uuid: uuid, generation: 0, k: 0)
    }
    note(id, identifier)
    return id
  }

  mutating func note(_ id: OccurrenceID, _ identifier: String) {
    let name = ByteString(identifier)
    if newest.updateValue(id, forKey: name) != nil { return }
    order.append(name)
    if order.count > Self.most { newest[order.removeFirst()] = nil }
  }
}
