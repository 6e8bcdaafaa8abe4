import BelfryCore
import BelfryServer
import BelfryStore
import BelfrySystem

/// What goes to the store, and its answers.
extension Daemon {
  func store(_ ticket: StoreTicket, _ operation: StoreOperation) {
    let point = Failpoint.around(operation)
    if let point { failpoints.reach(point.before) }
    let user = scheduler.user(of: operation)
    entries.append(StoreWriter.Entry(ticket: ticket, operation: operation, user: user))
    if let after = point?.after, failpoints.isChosen(after) {
      // Answered after the commit of what stands before it.
      askStore { [failpoints] in failpoints.reach(after) }
    }
  }

  /// A record of the daemon's own.
  func record(_ record: StoreRecord) { store(0, .record(record)) }

  /// Asks the store to answer, in its turn; `done` runs on the clock's thread.
  func askStore(_ done: @escaping () -> Void) {
    ownTickets[ownTicket] = done
    entries.append(StoreWriter.Entry(ticket: ownTicket, operation: .question(.barrier(app: nil))))
    ownTicket -= 1
  }

  func submitEntries() {
    if entries.isEmpty { return }
    store?.submit(entries)
    entries.removeAll(keepingCapacity: entries.count < 256)
  }

  /// Takes the store's answers in for a bounded time (A2), `wholly` all; true: there are more.
  func takeAnswers(wholly: Bool = false) -> Bool {
    if answers.isEmpty { return false }
    let start = SystemClock.elapsed()
    var now = start
    var taken = 0
    while taken < answers.count, wholly || now - start < Daemon.answersTime {
      let answer = answers[taken]
      taken += 1
      if let done = ownTickets.removeValue(forKey: answer.ticket) {
        done()
        continue
      }
      if let point = Failpoint.after(answer.outcome) { failpoints.reach(point) }
      server.lastAnswered = nil
      feed(.store(answer.ticket, answer.outcome))
      let end = SystemClock.elapsed()
      server.chargeLastAnswered(end - now)
      now = end
    }
    if taken == answers.count {
      answers.removeAll(keepingCapacity: taken < 256)
    } else {
      answers.removeFirst(taken)
    }
    return !answers.isEmpty
  }

  /// Beside a turn of the server the timer is looked at after 2 ms.
  private static let answersTime = Nanoseconds.millisecond / 2
}
