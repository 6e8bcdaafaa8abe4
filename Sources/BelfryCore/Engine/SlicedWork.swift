/// A request's work that is too much for one event: it goes on in slices, and what is due is looked at
/// between them (A2).
final class SlicedWork {
  /// Its answer from the store is not taken to its end: what was removed since must not be reused.
  let ticket: StoreTicket?
  /// The request that it is done for; nil: nobody's.
  let id: RequestID?
  /// Does some of it and takes what that cost off the budget; true: it is done.
  let turn: (inout Int) -> Bool

  /// What is undone where nobody waits for the request any more; nil: it goes on all the same.
  let drop: (() -> Void)?

  init(
    _ id: RequestID?, ticket: StoreTicket?, drop: (() -> Void)? = nil,
    turn: @escaping (inout Int) -> Bool
  ) {
    self.id = id
    self.ticket = ticket
    self.drop = drop
    self.turn = turn
  }
}

/// Those who waited for one thing and are looked at again, by turns; then `done` is called once.
final class Resumption {
  private var left = 1
  private let done: () -> Void

  init(_ done: @escaping () -> Void) {
    self.done = done
  }

  /// One more is to be looked at.
  func enter() {
    left += 1
  }

  /// One was looked at, or all of them have been entered.
  func leave() {
    left -= 1
    if left == 0 { done() }
  }
}
