/// A queue in which users take turns (D9), so that what one has waiting delays another by no more
/// than one of his.
///
/// Critical ones go first, by turns among those who have some. Of the rest each user has one in a
/// round; in a round those with something timeSensitive go first. What a user has of one urgency
/// keeps its order. Every operation takes time in proportion to the users who wait, and hardly more
/// for what they have waiting.
struct TurnQueue<Element> {
  typealias User = Int64

  /// Who has had no turn in this round, and in what order the next round goes: whose last turn is
  /// longest ago comes first, so that between two turns of one user nobody else has two.
  private struct Turns {
    var current: [User] = []
    /// Who has had a turn in this round, in the order of the last ones.
    var served: [User] = []
    /// Those of `served` who have something waiting.
    var returning: Set<User> = []

    mutating func join(_ user: User, first: Bool) {
      if first {
        current.insert(user, at: 0)
      } else if served.contains(user) {
        returning.insert(user)
      } else {
        current.append(user)
      }
    }

    mutating func leave(_ user: User) {
      current.removeAll { $0 == user }
      returning.remove(user)
      forgetIfEmpty()
    }

    mutating func serve(_ user: User, comesAgain: Bool) {
      current.removeAll { $0 == user }
      served.removeAll { $0 == user }
      served.append(user)
      if comesAgain { returning.insert(user) }
      forgetIfEmpty()
    }

    /// Nobody waits: whoever comes first begins a round of its own.
    private mutating func forgetIfEmpty() {
      if current.isEmpty, returning.isEmpty { served.removeAll(keepingCapacity: true) }
    }

    mutating func beginRound() {
      guard current.isEmpty else { return }
      current = served.filter { returning.contains($0) }
      returning.removeAll(keepingCapacity: true)
      served.removeAll(keepingCapacity: true)
    }
  }

  /// By urgency.
  private var lines: [[User: WaitingLine<Element>]] = [[:], [:], [:]]
  private var criticalTurns = Turns()
  private var turns = Turns()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var isNextCritical: Bool { has(.critical) }

  private func has(_ urgency: Urgency) -> Bool { !lines[urgency.rawValue].isEmpty }

  private func has(_ user: User, _ urgency: Urgency) -> Bool {
    lines[urgency.rawValue][user] != nil
  }

  /// Whether the user is among those who take turns at this urgency.
  private func takesTurns(_ user: User, _ urgency: Urgency) -> Bool {
    urgency == .critical
      ? has(user, .critical) : has(user, .timeSensitive) || has(user, .rest)
  }

  /// `order` is that of no other of this user and urgency; `first`: a user who has nothing waiting
  /// has the next turn, and not the last one.
  mutating func insert(
    _ element: Element, order: Int64, user: User, _ urgency: Urgency, first: Bool = false
  ) {
    count += 1
    if !takesTurns(user, urgency) {
      if urgency == .critical {
        criticalTurns.join(user, first: first)
      } else {
        turns.join(user, first: first)
      }
    }
    lines[urgency.rawValue][user, default: WaitingLine()].insert(element, order: order)
  }

  /// Takes the next in turn.
  mutating func next() -> Element? {
    if has(.critical) {
      criticalTurns.beginRound()
      guard let user = criticalTurns.current.first else { return nil }
      let element = takeOut(user, .critical) { $0.removeFirst() }
      criticalTurns.serve(user, comesAgain: takesTurns(user, .critical))
      return element
    }
    turns.beginRound()
    guard let first = turns.current.first else { return nil }
    let sensitive =
      has(.timeSensitive) ? turns.current.first { has($0, .timeSensitive) } : nil
    let user = sensitive ?? first
    let element = takeOut(user, sensitive == nil ? .rest : .timeSensitive) { $0.removeFirst() }
    turns.serve(user, comesAgain: takesTurns(user, .rest))
    return element
  }

  /// Takes one out of its line; nil: it does not stand there.
  @discardableResult
  mutating func remove(order: Int64, user: User, _ urgency: Urgency) -> Element? {
    let element = takeOut(user, urgency) { $0.remove(order: order) }
    if element != nil, !takesTurns(user, urgency) {
      if urgency == .critical { criticalTurns.leave(user) } else { turns.leave(user) }
    }
    return element
  }

  private mutating func takeOut(
    _ user: User, _ urgency: Urgency, _ take: (inout WaitingLine<Element>) -> Element?
  ) -> Element? {
    let level = urgency.rawValue
    guard lines[level][user] != nil else { return nil }
    let element = take(&lines[level][user]!)
    if element != nil { count -= 1 }
    if lines[level][user]!.isEmpty { lines[level][user] = nil }
    return element
  }

  /// The one that a user can best do without: the oldest of the least urgent.
  func leastUrgent(of user: User) -> Element? {
    for level in lines.reversed() {
      if let first = level[user]?.first { return first }
    }
    return nil
  }

  /// All of them in their order, whoever's turn it is.
  var all: [Element] {
    var found: [(order: Int64, element: Element)] = []
    for level in lines {
      for line in level.values { line.forEach { found.append(($0, $1)) } }
    }
    return found.sorted { $0.order < $1.order }.map { $0.element }
  }
}
