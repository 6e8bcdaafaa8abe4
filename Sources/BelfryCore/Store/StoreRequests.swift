/// What was asked of the store, and who waits for the answers. The store answers in order of turns
/// (A2), so a later question may be answered first.
struct StoreRequests {
  /// The newest question.
  private(set) var lastTicket: StoreTicket = 0
  /// All before this one are answered, and their work is done.
  private(set) var firstOpen: StoreTicket = 1
  /// What each question under way was asked for.
  private(set) var awaited: [StoreTicket: Awaited] = [:]
  /// The newest question when the clock was set back last: what the store answers to it, and to
  /// those before, was planned by a clock that ran ahead (T8).
  private var lastAskedAhead: StoreTicket = 0
  /// The answer in hand is one of these.
  private(set) var isPlannedAhead = false

  /// Nothing is under way.
  var isEmpty: Bool { awaited.isEmpty }

  /// Asks the store a question; `awaited` comes back with the answer.
  @discardableResult
  mutating func ask(
    _ question: StoreQuestion, for awaited: Awaited, _ turn: inout Turn
  ) -> StoreTicket {
    submit(.question(question), for: awaited, &turn)
  }

  /// Asks the store for a change; `awaited` comes back with what it made of it.
  @discardableResult
  mutating func ask(
    _ change: StoreChange, for awaited: Awaited, _ turn: inout Turn
  ) -> StoreTicket {
    submit(.change(change), for: awaited, &turn)
  }

  private mutating func submit(
    _ operation: StoreOperation, for awaited: Awaited, _ turn: inout Turn
  ) -> StoreTicket {
    lastTicket += 1
    self.awaited[lastTicket] = awaited
    turn.emit(.store(lastTicket, operation))
    return lastTicket
  }

  /// An answer has come; what it was asked for, nil: nobody asked, or it was answered before.
  mutating func beginAnswer(_ ticket: StoreTicket) -> Awaited? {
    guard let waiting = awaited[ticket] else { return nil }
    isPlannedAhead = isAskedAhead(ticket)
    return waiting
  }

  /// An answer has been taken in; `isSliced`: work goes on that ends by `endWork`.
  mutating func endAnswer(_ ticket: StoreTicket, isSliced: Bool) {
    isPlannedAhead = false
    // Not before: until here it may have brought a slot back to life.
    if !isSliced { endWork(ticket) }
  }

  /// The sliced work of an answer is done.
  mutating func endWork(_ ticket: StoreTicket) {
    awaited[ticket] = nil
    while firstOpen <= lastTicket, awaited[firstOpen] == nil { firstOpen += 1 }
  }

  // MARK: Steps of the clock

  /// The clock was set back: what is under way was planned by a clock that ran ahead (T8).
  mutating func noteStepBack() {
    lastAskedAhead = lastTicket
  }

  func isAskedAhead(_ ticket: StoreTicket) -> Bool {
    ticket <= lastAskedAhead
  }

  /// For a slice of an answer's work; returns what held before the slice, to be set again after it.
  @discardableResult
  mutating func setPlannedAhead(_ isAhead: Bool) -> Bool {
    let before = isPlannedAhead
    isPlannedAhead = isAhead
    return before
  }
}
