import BelfryCore

/// What one uid uses of the server, on all its connections.
final class PeerAccount {
  let uid: UInt32
  var connections: Int32 = 0
  /// What waits to be told in its sessions, in memory.
  var eventBytes = 0
  /// Messages whose requests are not answered.
  var requestBytes = 0
  /// Messages that are half there, and lists in parts.
  var heldBytes = 0
  /// When the log last said that it lost connections to others.
  var toldOfLoss = Int64.min / 2
  /// Calls it may make at once, in billionths.
  private var credit: Int64
  private var counted: Int64

  init(uid: UInt32, rate: Int32, now: Int64) {
    self.uid = uid
    credit = Int64(rate) * Duration.second
    counted = now
  }

  /// Nothing more is read from it before something is answered.
  var isFull: Bool { requestBytes >= Bound.userRequests }

  /// Takes one call's worth; false: over `rate` a second.
  func spend(rate: Int32, now: Int64) -> Bool {
    refill(rate, now)
    guard credit >= Duration.second else { return false }
    credit -= Duration.second
    return true
  }

  /// Whether nothing would be lost by forgetting it.
  func isIdle(rate: Int32, now: Int64) -> Bool {
    refill(rate, now)
    return connections == 0 && credit == Int64(rate) * Duration.second
  }

  private func refill(_ rate: Int32, _ now: Int64) {
    let full = Int64(rate) * Duration.second
    let passed = max(0, min(now - counted, Duration.second))
    credit = min(full, credit + passed * Int64(rate))
    counted = now
  }
}
