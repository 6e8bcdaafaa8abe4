import BelfryCore
import Foundation

/// What waits for one sink, and what it has in hand.
struct SinkQueue {
  struct Waiting {
    var turn: Turn
    /// On the elapsed clock; before it may go out it is not judged.
    var readyAt: Int64
    /// What had gone out when it was ready; nil: it is not.
    var start: TurnCount?
    /// What the sink had in hand then.
    var inHand = 0
    /// It was handed over before.
    var isAgain = false
  }

  var turns = TurnCount()
  var waiting: [OccurrenceID: Waiting] = [:]
  /// Of those that wait, asked to be tried again later.
  var delayed: Set<OccurrenceID> = []
  var inHand: [OccurrenceID: Turn] = [:]
  /// What of it was answered `pending`.
  var pending: Set<OccurrenceID> = []
  /// How many it works on at a time, as it says; 0: it does not say.
  var concurrency = 0
  var isUp = false
  /// It has worked on one after another since then, on the elapsed clock.
  var steadySince = Int64.max
  /// The longest that it worked on one of them.
  var longest: Int64 = 0
  var manner = SinkManner.prompt
  /// Since when something waits for it without a pause.
  var awaitedSince: Int64?

  mutating func wait(
    _ id: OccurrenceID, _ turn: Turn, at now: Int64, after delay: Int64 = 0, again: Bool = false
  ) {
    waiting[id] = Waiting(
      turn: turn, readyAt: now + delay, start: delay == 0 ? turns : nil, inHand: inHand.count,
      isAgain: again)
    if delay > 0 { delayed.insert(id) }
    awaitedSince = awaitedSince ?? now
  }

  /// What asked to be tried later has come to its time.
  mutating func ripen(_ now: Int64) {
    for id in delayed where waiting[id].map({ $0.readyAt <= now }) ?? true {
      waiting[id]?.start = turns
      waiting[id]?.inHand = inHand.count
      delayed.remove(id)
    }
  }

  mutating func leave(_ id: OccurrenceID) {
    waiting[id] = nil
    delayed.remove(id)
    if waiting.isEmpty { awaitedSince = nil }
  }

  /// Its time is known no sooner than what it has in hand is done.
  mutating func unsettle(_ now: Int64) {
    if steadySince != .max {
      steadySince = max(steadySince, now + longest * Int64(inHand.count + 1))
    }
  }
}

/// D9: users take turns in every queue, critical first, then timeSensitive; so the one alarm of a user
/// is never later than by its own sink.
///
/// An alarm that is its user's n-th in a queue waits, while its sink is well, at most
/// p · (w + c + (n − 1) + n · u): p is the longest time that the sink works on one, w what it had in
/// hand, c what is critical, u how many other users have something there. So a user's only one waits
/// for what the sink has in hand, and one turn of each other user. A critical one has c = 0, and the
/// others are those who have something critical. In each round of turns who has something timeSensitive
/// goes first, so that one who does may go once more before one who does not. What the sink had in hand when its process ended, and
/// did not fail by, goes again first and is no turn.
extension Ledger {
  /// `BELFRY_TURNS=0`: turns are not judged, to look for what else breaks.
  static let judgesTurns = ProcessInfo.processInfo.environment["BELFRY_TURNS"] != "0"

  func failTurn(_ rule: String, _ text: @autoclosure () -> String) {
    if Self.judgesTurns { fail(rule, text()) }
  }

  /// It waits, unless it has gone out at once.
  func queued(_ occurrence: Occurrence, at sink: Int) {
    let id = occurrence.id
    guard queues[sink].inHand[id] == nil, queues[sink].waiting[id] == nil else { return }
    queues[sink].wait(
      id, Turn(occurrence.notification, app: occurrence.app), at: now.elapsed)
  }

  /// A new process has read what had not ended.
  func resumeQueues(_ open: [OpenOccurrence], sinks: [String]) {
    for sink in queues.indices {
      var queue = SinkQueue()
      queue.manner = queues[sink].manner
      queue.concurrency = queues[sink].concurrency
      queues[sink] = queue
    }
    for open in open {
      for name in open.sinks ?? [] where !open.settled.contains(name) {
        if let sink = sinks.firstIndex(of: name) { queued(open.occurrence, at: sink) }
      }
    }
    lookForLate()
  }

  func takesTurn(_ delivery: Delivery) {
    let (sink, id) = (Int(delivery.sink), delivery.occurrence.id)
    var turn = Turn(delivery.occurrence.notification, app: delivery.occurrence.app)
    let failures = failures(sink, id)
    if failures > 1 { turn.user = Turn.possiblyDelivered }
    let isResent = failures == 0 && queues[sink].waiting[id]?.isAgain ?? false
    queues[sink].ripen(now.elapsed)
    if var waited = queues[sink].waiting[id] {
      waited.turn = turn
      checkTurn(waited, sink, Firing(delivery.occurrence).text)
      queues[sink].leave(id)
    }
    queues[sink].turns.note(turn, isResent: isResent)
    queues[sink].inHand[id] = turn
    checkHand(sink)
  }

  /// D9: a sink has no more in hand than it works on, and the next.
  private func checkHand(_ sink: Int) {
    let queue = queues[sink]
    guard !isSpeaker(sink) else { return }
    let count =
      queue.concurrency > 0 ? queue.inHand.count : queue.inHand.count - queue.pending.count
    if count > max(queue.concurrency, 2) {
      failTurn("D9 in hand", "sink \(sink) has \(count), and works on \(queue.concurrency)")
    }
  }

  private func checkTurn(_ waited: SinkQueue.Waiting, _ sink: Int, _ what: String) {
    let queue = queues[sink]
    guard let start = waited.start else { return }
    let passed = queue.turns.passed(waited.turn, since: start)
    if let fault = passed.fault { failTurn("D9 turns", "\(what) goes to sink \(sink) \(fault)") }
    if passed.own == 1 {
      loneWaits += 1
      maxTurns = max(maxTurns, passed.all)
    }
    let from = max(waited.readyAt, queue.steadySince)
    guard from <= now.elapsed else { return }
    let bound = queue.longest * Int64(waited.inHand + passed.bound)
    if now.elapsed - from > bound + Nanoseconds.millisecond {
      failTurn(
        "D9 later than by its sink",
        "\(what) waited \(Nanoseconds.text(now.elapsed - from)) for sink \(sink), which works on one "
          + "for \(Nanoseconds.text(queue.longest)), had \(waited.inHand) in hand, and takes "
          + "\(passed.bound) before it")
    }
  }

  /// Nobody was awake: what waits could not be heard, and begins to wait now.
  func slept() {
    for sink in queues.indices {
      queues[sink].unsettle(now.elapsed)
      if queues[sink].awaitedSince != nil { queues[sink].awaitedSince = now.elapsed }
    }
  }

  // MARK: The sink

  func isUp(_ sink: Int) {
    queues[sink].isUp = true
    queues[sink].longest = 0
    queues[sink].steadySince = now.elapsed
    note(queues[sink].manner, at: sink)
  }

  /// What it had in hand waits again.
  func isDown(_ sink: Int) {
    queues[sink].isUp = false
    queues[sink].steadySince = .max
    let unanswered = queues[sink].inHand
    queues[sink].inHand = [:]
    queues[sink].pending = []
    queues[sink].turns.noteEnd()
    for (id, turn) in unanswered { queues[sink].wait(id, turn, at: now.elapsed, again: true) }
  }

  func note(_ manner: SinkManner, at sink: Int) {
    let wasSteady = queues[sink].steadySince != .max
    queues[sink].manner = manner
    switch manner {
    case .prompt: break
    case .busy(let time): queues[sink].longest = max(queues[sink].longest, time)
    default: queues[sink].steadySince = .max
    }
    // What it has in hand it answers in its former manner, and that may take any time.
    if !wasSteady { queues[sink].steadySince = .max }
  }

  func retries(_ id: OccurrenceID, at sink: Int, after delay: Int64) {
    guard let turn = queues[sink].inHand.removeValue(forKey: id) else { return }
    queues[sink].pending.remove(id)
    queues[sink].wait(id, turn, at: now.elapsed, after: delay, again: true)
  }

  /// A delivery has ended.
  func left(_ event: WatchEvent, _ id: OccurrenceID, from sink: Int) {
    if event.kind == .expired, event.reason?.hasPrefix("too many") ?? false {
      checkCut(id, sink)
    }
    if queues[sink].inHand.removeValue(forKey: id) != nil, event.kind == .withdrawn {
      // The sink may be at it still.
      queues[sink].unsettle(now.elapsed)
    }
    queues[sink].pending.remove(id)
    queues[sink].leave(id)
  }

  /// D9: it goes from whoever has most.
  private func checkCut(_ id: OccurrenceID, _ sink: Int) {
    guard let gone = queues[sink].waiting[id] else { return }
    var counts: [Int: Int] = [:]
    for waiting in queues[sink].waiting.values { counts[waiting.turn.user, default: 0] += 1 }
    let own = counts[gone.turn.user] ?? 0
    let most = counts.values.max() ?? 0
    if own < most {
      fail("D9 cut", "one of \(own) of a user's is cut, when another has \(most) waiting")
    }
    if queues[sink].waiting.count <= maxWaiting {
      fail("D9 cut", "\(queues[sink].waiting.count) wait, and one is cut")
    }
  }

  /// An event is over. `isStopped`: what the scheduler has asked to end.
  func checkQueues(isStopped: (Int) -> Bool) {
    if let at = looksForLateAt, now.elapsed >= at { noteLate() }
    for sink in queues.indices
    where queues[sink].isUp && queues[sink].inHand.isEmpty && !queues[sink].waiting.isEmpty {
      queues[sink].ripen(now.elapsed)
      let ready = queues[sink].waiting.count - queues[sink].delayed.count
      if ready > 0, !isStopped(sink) {
        fail("D9 idle", "\(ready) wait for sink \(sink), which is up and has nothing to do")
      }
    }
  }

  /// What has not had its turn yet must not have been passed by either.
  func lookAtQueues() {
    for sink in queues.indices {
      for (id, waiting) in queues[sink].waiting {
        guard let start = waiting.start, !waiting.isAgain else { continue }
        if let fault = queues[sink].turns.passed(waiting.turn, since: start).fault {
          failTurn("D9 turns", "\(id.text) still waits for sink \(sink) \(fault)")
        }
      }
    }
  }
}
