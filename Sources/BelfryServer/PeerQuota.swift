import BelfryCore

/// What one uid uses of the server, on all its connections.
public final class PeerQuota {
  let uid: UInt32
  var connections: Int32 = 0
  /// Another thread reads a large message of his: what he sent after it waits.
  var isReading = false
  /// Of the operator's group (A1).
  var isOperator = false
  /// What waits to be told in its sessions, in memory.
  var eventBytes = 0
  /// Of requests that are not answered, as `ServerLimits.userRequests` counts.
  private(set) var requestWeight = 0
  /// So much is not answered that a connection which waits for something gets no further call before half
  /// of it is.
  private(set) var isFull = false
  /// The same of those that wait for nothing: what a user asks beside a flood of his own.
  private(set) var isOverfull = false
  /// Messages that are half there, and lists in parts.
  var heldBytes = 0
  /// Of replies and events, what his sockets have not taken.
  var unsentBytes = 0
  /// When the log last said that it lost connections to others.
  var toldOfLoss = Int64.min / 2
  /// Connections with messages to handle, first come, first served.
  var ready: [Connection] = []
  /// It stands among those that have some.
  var isReady = false
  /// What of the clock thread's time it has used, in the order of turns: the least goes first.
  var used: Int64 = 0
  /// What of that time is left to it, in nanoseconds; below zero it waits.
  private(set) var time: Int64
  private var timed: Int64
  /// Calls it may make at once, in billionths.
  private var credit: Int64
  private var counted: Int64

  init(uid: UInt32, rate: Int32, now: Int64) {
    self.uid = uid
    credit = Int64(rate) * Nanoseconds.second
    counted = now
    time = ServerLimits.timeBurst
    timed = now
  }

  /// When it may go on; nil: now.
  func waitsUntil(now: Int64) -> Int64? {
    let passed = max(0, min(now - timed, Nanoseconds.minute))
    time = min(ServerLimits.timeBurst, time + passed / 1000 * ServerLimits.timePermille)
    // What does not make a whole microsecond counts the next time.
    timed = now - passed % 1000
    // Whole microseconds, as they are counted.
    return time > 0 ? nil : now + ((1 - time) / ServerLimits.timePermille + 1) * 1000
  }

  /// It has used so many nanoseconds of the clock thread.
  func charge(_ nanoseconds: Int64, isFree: Bool) {
    used += isFree ? nanoseconds / ServerLimits.operatorShare : nanoseconds
    if !isFree { time -= nanoseconds }
  }

  /// A request is with the scheduler.
  func beginRequest(_ weight: Int) {
    requestWeight += weight
    if requestWeight >= ServerLimits.userRequests { isFull = true }
    if requestWeight >= ServerLimits.userRequests + ServerLimits.userReserve { isOverfull = true }
  }

  /// Whether a long answer may go on: few are under way, and he reads what he is told.
  var mayAskForPage: Bool { !isFull && unsentBytes < ServerLimits.userUnsent }

  /// It is answered; true: there is room again.
  func endRequest(_ weight: Int) -> Bool {
    requestWeight -= weight
    let before = (isFull, isOverfull)
    if requestWeight <= ServerLimits.userRequests / 2 { isFull = false }
    if requestWeight <= ServerLimits.userRequests { isOverfull = false }
    return before != (isFull, isOverfull)
  }

  /// Takes one call's worth; false: over `rate` a second.
  func spend(rate: Int32, now: Int64) -> Bool {
    refill(rate, now)
    guard credit >= Nanoseconds.second else { return false }
    credit -= Nanoseconds.second
    return true
  }

  /// Whether nothing would be lost by forgetting it.
  func isIdle(rate: Int32, now: Int64) -> Bool {
    refill(rate, now)
    _ = waitsUntil(now: now)
    return connections == 0 && requestWeight == 0 && time == ServerLimits.timeBurst
      && credit == Int64(rate) * Nanoseconds.second
  }

  private func refill(_ rate: Int32, _ now: Int64) {
    let full = Int64(rate) * Nanoseconds.second
    let passed = max(0, min(now - counted, Nanoseconds.second))
    credit = min(full, credit + passed * Int64(rate))
    counted = now
  }
}
