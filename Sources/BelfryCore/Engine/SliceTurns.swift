/// Work that goes on in slices: users take turns, and so do the works of one user (A2). And requests
/// that wait for what they need to be read: they can leave only as such work, so that whoever has many
/// of them waiting delays nobody when they go on.
struct SliceTurns {
  /// A request that waits for a zone or for the days of a calendar.
  struct Held {
    let id: RequestID
    let peer: Peer
    let request: Request
    let asked: EventTime

    /// Nothing comes of it but its answer. All else is done, whether or not its client waits for that.
    var isQuestion: Bool {
      if case .nextOfDraft = request { true } else { false }
    }
  }

  private var users: [(uid: UInt32, works: [SlicedWork])] = []
  private var held: [Held] = []
  /// For whom the last slice was.
  private(set) var lastRequest: RequestID?

  var isEmpty: Bool { users.isEmpty }

  private var works: some Sequence<SlicedWork> { users.lazy.flatMap { $0.works } }

  /// It has a slice once all others have had their turn.
  mutating func add(_ work: SlicedWork, of uid: UInt32) {
    if let place = users.firstIndex(where: { $0.uid == uid }) {
      users[place].works.append(work)
    } else {
      users.append((uid, [work]))
    }
  }

  /// The work whose turn it is; then it stands last among its user's, and its user last of all.
  mutating func next() -> SlicedWork? {
    guard !users.isEmpty else { return nil }
    var user = users.removeFirst()
    let work = user.works.removeFirst()
    user.works.append(work)
    users.append(user)
    lastRequest = work.id
    return work
  }

  mutating func remove(_ work: SlicedWork) {
    for place in users.indices { users[place].works.removeAll { $0 === work } }
    users.removeAll { $0.works.isEmpty }
  }

  /// The work for a request that has something to undo.
  func droppable(_ id: RequestID) -> SlicedWork? {
    works.first { $0.id == id && $0.drop != nil }
  }

  /// Whether the store's answer to this is being taken.
  func takes(_ ticket: StoreTicket) -> Bool {
    works.contains { $0.ticket == ticket }
  }

  mutating func noteClockOnly() {
    lastRequest = nil
  }

  // MARK: Requests that wait

  mutating func hold(_ request: Held) {
    held.append(request)
  }

  /// Nobody waits for it any more; false: it is no question that is held.
  mutating func drop(_ id: RequestID) -> Bool {
    let count = held.count
    held.removeAll { $0.id == id && $0.isQuestion }
    return held.count < count
  }

  /// Lines up all that wait, each to be looked at in a slice of its own.
  mutating func release(_ resumption: Resumption, _ look: @escaping (Held) -> Void) {
    let released = held
    held = []
    for request in released {
      resumption.enter()
      let drop = request.isQuestion ? { resumption.leave() } : nil
      let work = SlicedWork(request.id, ticket: nil, drop: drop) { budget in
        budget = 0
        look(request)
        resumption.leave()
        return true
      }
      add(work, of: request.peer.uid)
    }
  }
}

extension Request {
  /// About what it costs the clock to carry it out, as `SchedulerEngine.sliceBudget` counts.
  var cost: Int {
    switch self {
    case .replaceAll, .nextOfDraft: SchedulerEngine.sliceBudget
    case .schedule(_, let notification, _): notification.cost
    default: 2 * SchedulerEngine.rowCost
    }
  }
}

extension Notification {
  fileprivate var cost: Int {
    guard rrule == nil, rrules.isEmpty else { return SchedulerEngine.sliceBudget }
    return 2 * SchedulerEngine.rowCost + exdate.count + rdate.count
  }
}
