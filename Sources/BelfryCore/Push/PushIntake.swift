/// Pushes from when they come until the store has answered for them (P6, P9): in order of coming, and
/// shown without the store where that does not answer (D8).
struct PushIntake {
  /// What is to be done about a push, in order.
  enum Step {
    /// `replacing`: what sinks show under the same identifier.
    case show(InFlightPush, replacing: [ShownDelivery])
    /// The store has an intent for it under an id that is not used.
    case dropIntent(OccurrenceID, app: AppNumber)
    /// It is stored, and is shown as this occurrence.
    case accept(RequestID, InFlightPush, as: OccurrenceID)
    case reply(RequestID, Reply)
  }

  /// After so long without an answer of the store a push is shown all the same (D8).
  static let timeout = Nanoseconds.second
  /// While the disk does not answer, so many may wait for it; what comes beyond is only shown.
  static let most = 1024
  /// Requests that stand for what plugins bring are numbered above; those of clients below.
  static let firstPluginRequest: RequestID = 1 << 63

  private var pushes: [InFlightPush] = []
  private var lastNumber: UInt64 = 0
  /// Those up to this number have been shown without the store, and their senders answered.
  private var overdueThrough: UInt64 = 0
  /// What was shown and is not in the store (D8), and what is stored (P9).
  private var shown = ShownPushes()
  private var stored = ShownPushes()
  private var lastPluginRequest = PushIntake.firstPluginRequest
  private var pluginRequests: [RequestID: (sink: SinkIndex, token: UInt64)] = [:]

  func hasAny(of app: AppNumber) -> Bool { pushes.contains { $0.app == app } }

  // MARK: Entering

  /// Takes in a push; nil: it waits for the store. Otherwise it is only shown, since too many wait for
  /// a disk that does not answer.
  mutating func admit(
    _ pushed: PushedNotification, id: UUIDBits, _ occurrence: Occurrence, app: AppNumber,
    request: RequestID, _ turn: inout Turn
  ) -> [Step]? {
    var push = next(pushed, id: id, occurrence, app: app, request: request, turn)
    if let first = pushes.first, first.number <= overdueThrough, pushes.count >= Self.most {
      return giveUp(&push, reason: "too many pushes wait for the disk")
    }
    pushes.append(push)
    return nil
  }

  /// Takes in what an earlier life had stored and perhaps not shown (D7); its number.
  mutating func resume(
    _ occurrence: Occurrence, app: AppNumber, isSuspect: Bool, _ turn: inout Turn
  ) -> UInt64 {
    var push = next(
      PushedNotification(occurrence.notification), id: occurrence.id.uuid, occurrence, app: app,
      request: nil, turn)
    push.attempt = isSuspect ? 1 : 0
    pushes.append(push)
    return lastNumber
  }

  private mutating func next(
    _ pushed: PushedNotification, id: UUIDBits, _ occurrence: Occurrence, app: AppNumber,
    request: RequestID?, _ turn: Turn
  ) -> InFlightPush {
    lastNumber += 1
    return InFlightPush(
      number: lastNumber, request: request, app: app, pushed: pushed, id: id,
      occurrence: occurrence, until: turn.now.elapsed + Self.timeout)
  }

  /// What the store is to keep for a request whose turn has come, and the push's number; nil: there is
  /// no such push. `limit`: entries that the app's inbox holds at most.
  func stored(for request: RequestID, limit: Int32) -> (StoredPush, number: UInt64)? {
    guard let push = pushes.first(where: { $0.request == request }) else { return nil }
    let isShown = push.isShown || shown[push.key] != nil
    let pushed = push.pushed
    return (
      StoredPush(
        app: push.app, container: pushed.container, id: push.id, kind: pushed.kind,
        payload: pushed.notification.push ?? "", received: push.occurrence.due,
        pruned: pushed.pruned, limit: limit, occurrence: isShown ? nil : push.occurrence),
      push.number
    )
  }

  // MARK: Answers of the store

  /// Takes in the store's answer for a push; nil: it is no answer to that.
  mutating func receive(_ outcome: StoreOutcome, for number: UInt64) -> [Step]? {
    guard let place = pushes.firstIndex(where: { $0.number == number }) else { return [] }
    var push = pushes.remove(at: place)
    switch outcome {
    case .pushed(.stored(let replaced)): return accept(&push, replacing: replaced)
    case .pushed(.duplicate):
      shown.remove(push.key)
      stored.insert(push.key, push.occurrence.id)
      return reply(to: push, Self.duplicate(push))
    case .pushed(.tooManyContainers):
      let limit = Int64(InboxLimit.containers)
      return reply(to: push, .refused(.limitReached(limit: "containers", value: limit)))
    case .shown(let rows, _):
      return show(&push, replacing: rows.map { $0.shown })
    case .failed(let reason): return giveUp(&push, reason: reason)
    default: return nil
    }
  }

  private mutating func accept(
    _ push: inout InFlightPush, replacing replaced: [ShownDelivery]
  ) -> [Step] {
    let earlier = shown[push.key]
    shown.remove(push.key)
    stored.insert(push.key, push.occurrence.id)
    var steps = earlier == nil ? show(&push, replacing: replaced) : []
    // Shown when it came before, under another id.
    if let earlier, earlier != push.occurrence.id {
      steps.append(.dropIntent(push.occurrence.id, app: push.app))
    }
    if let request = waiting(push) {
      steps.append(.accept(request, push, as: earlier ?? push.occurrence.id))
    }
    return steps
  }

  /// D8: shown, stored or not; whoever brought it may bring it again. P9: but not if it is known to
  /// be stored.
  private mutating func giveUp(_ push: inout InFlightPush, reason: String) -> [Step] {
    if push.request != nil, stored[push.key] != nil {
      push.isShown = true
      return reply(to: push, Self.duplicate(push))
    }
    var steps: [Step] = []
    if !push.isShown, shown[push.key] == nil {
      if push.request != nil { shown.insert(push.key, push.occurrence.id) }
      steps = show(&push, replacing: [])
    }
    return steps + reply(to: push, .refused(.storeUnavailable(reason: reason)))
  }

  private func show(
    _ push: inout InFlightPush, replacing replaced: [ShownDelivery]
  ) -> [Step] {
    guard !push.isShown else { return [] }
    push.isShown = true
    return [.show(push, replacing: replaced)]
  }

  /// Who waits for an answer: whoever was told that the disk does not answer has been answered.
  private func waiting(_ push: InFlightPush) -> RequestID? {
    push.number > overdueThrough ? push.request : nil
  }

  private func reply(to push: InFlightPush, _ reply: Reply) -> [Step] {
    waiting(push).map { [.reply($0, reply)] } ?? []
  }

  private static func duplicate(_ push: InFlightPush) -> Reply {
    .pushed(PushReply(id: push.id, isDuplicate: true, occurrence: nil))
  }

  // MARK: Leaving

  /// The store refuses the app; its pushes go no further.
  mutating func giveUp(of app: AppNumber, reason: String) -> [Step] {
    var steps: [Step] = []
    for place in pushes.indices
    where pushes[place].app == app && pushes[place].number > overdueThrough {
      var push = pushes[place]
      steps += giveUp(&push, reason: reason)
      pushes[place] = push
    }
    pushes.removeAll { $0.app == app }
    return steps
  }

  /// The app id is somebody else's from now on (A1).
  mutating func removeAll(of app: AppNumber, named name: String) -> [Step] {
    let own = pushes.filter { $0.app == app }
    pushes.removeAll { $0.app == app }
    shown.remove(app: name)
    stored.remove(app: name)
    return own.flatMap { reply(to: $0, .refused(.notOwner(app: name))) }
  }

  // MARK: Showing

  /// A sink shows an occurrence: a push under way that replaces it is to know, since the store may have
  /// looked before.
  mutating func noteShown(_ shown: ShownDelivery) {
    for place in pushes.indices {
      let newer = pushes[place].occurrence.id
      if newer.uuid == shown.occurrence.uuid, newer.generation > shown.occurrence.generation {
        pushes[place].shownMeanwhile.append(shown)
      }
    }
  }

  // MARK: Time

  /// When a push is to be shown without the store, on the elapsed clock; nil: none waits.
  var nextWake: Int64? { pushes.first { $0.number > overdueThrough }?.until }

  /// Gives up those that have waited too long for the store.
  mutating func giveUpOverdue(_ turn: inout Turn) -> [Step] {
    var steps: [Step] = []
    while let place = pushes.firstIndex(where: { $0.number > overdueThrough }),
      pushes[place].until <= turn.now.elapsed
    {
      var push = pushes[place]
      steps += giveUp(
        &push, reason: "the disk has not answered for \(Nanoseconds.text(Self.timeout))")
      pushes[place] = push
      overdueThrough = push.number
    }
    return steps
  }

  // MARK: Requests of plugins

  /// A plugin has brought a push, which it names by `token`; the request that stands for it.
  mutating func beginPluginRequest(from sink: SinkIndex, token: UInt64) -> RequestID {
    lastPluginRequest += 1
    pluginRequests[lastPluginRequest] = (sink, token)
    return lastPluginRequest
  }

  /// Such a request is answered; nil: the plugin's process has ended.
  mutating func endPluginRequest(_ request: RequestID) -> (sink: SinkIndex, token: UInt64)? {
    pluginRequests.removeValue(forKey: request)
  }

  /// The process of a plugin has ended; the next one knows nothing of these.
  mutating func forgetPluginRequests(of sink: SinkIndex) {
    if pluginRequests.isEmpty { return }
    pluginRequests = pluginRequests.filter { $0.value.sink != sink }
  }
}
