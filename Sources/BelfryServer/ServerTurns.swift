import BelfryWire
import BelfryCore
import BelfrySystem

/// Whose call is handled next, and what that costs him (A2).
///
/// Users take turns by the time that the clock thread has spent on them: who has used least is next. Who
/// has used up his share waits, and is not read from, until some of it has come back. Root, the
/// operator and the daemon's own user have no such share, but take turns like everybody.
extension Server {
  /// A connection has messages and may be handled.
  func enqueue(_ connection: Connection) {
    guard connection.hasFrames, connection.mayCall, !connection.isQueued,
      connections[connection.key] != nil
    else { return }
    connection.isQueued = true
    let account = connection.account
    account.ready.append(connection)
    guard !account.isReady else { return }
    account.isReady = true
    // Nobody saves up time by asking for nothing.
    account.used = max(account.used, usedByLast)
    readyAccounts.append(account)
  }

  /// Whether a call can be handled now; if some must wait for their share, `deadline` says how long.
  var hasTurn: Bool { nextAccount() != nil }

  private func nextAccount() -> PeerQuota? {
    var next: PeerQuota?
    for account in readyAccounts {
      if !isFree(account), let wake = account.waitsUntil(now: elapsed) {
        deadline = min(deadline ?? .max, wake)
        continue
      }
      if account.used < next?.used ?? .max { next = account }
    }
    return next
  }

  private func isFree(_ account: PeerQuota) -> Bool {
    account.uid == 0 || account.uid == configuration.owner || account.isOperator
  }

  /// Handles calls for a bounded time.
  func takeTurns(_ carryOut: (Incoming) -> Void) {
    let begin = stopwatch()
    // The next pages of streams, which no call asks for.
    drain(carryOut)
    var now = begin
    while callsLeft > 0, now - begin < ServerLimits.turnTime, let account = nextAccount() {
      callsLeft -= 1
      takeTurn(of: account, carryOut)
      let end = stopwatch()
      charge(account, end - now)
      now = end
    }
  }

  /// One call of the connection whose turn it is.
  private func takeTurn(of account: PeerQuota, _ carryOut: (Incoming) -> Void) {
    usedByLast = max(usedByLast, account.used)
    guard !account.ready.isEmpty else { return leave(account) }
    let connection = account.ready.removeFirst()
    connection.isQueued = false
    if connections[connection.key] != nil, connection.mayCall {
      if let frame = connection.frames.next() {
        handle(frame, connection)
        noteHeld(connection)
      } else {
        connection.hasFrames = false
      }
      mark(connection)
    }
    enqueue(connection)
    if account.ready.isEmpty { leave(account) }
    drain(carryOut)
  }

  /// Hands over what has been submitted, in order.
  func drain(_ carryOut: (Incoming) -> Void) {
    while !incoming.isEmpty { carryOut(incoming.removeFirst()) }
  }

  private func leave(_ account: PeerQuota) {
    account.isReady = false
    readyAccounts.removeAll { $0 === account }
  }

  /// What was done for the request after its call, which may have answered it: nobody's, where it was
  /// answered before or `oneway`.
  public func charge(_ request: RequestID, _ nanoseconds: Int64) {
    if let account = destinations[request]?.account ?? lastAnswered { charge(account, nanoseconds) }
  }

  /// What it took to answer the request that was answered last.
  public func chargeLastAnswered(_ nanoseconds: Int64) {
    if let account = lastAnswered { charge(account, nanoseconds) }
  }

  func charge(_ account: PeerQuota, _ nanoseconds: Int64) {
    account.charge(nanoseconds, isFree: isFree(account))
  }
}
