import BelfryCore
import BelfrySystem

/// When to look for what children left behind: after the end of any process of ours, at most every
/// tenth of a second, one look at a time on the worker thread.
struct OrphanWatcher {
  private static let pause = Nanoseconds.second / 10

  private var isWanted = false
  private var isUnderWay = false
  private var notBefore = Int64.min

  /// When `begins` may be true; nil: nothing has ended.
  var deadline: Int64? { isWanted && !isUnderWay ? notBefore : nil }

  /// Something of ours has ended.
  mutating func note() {
    isWanted = true
  }

  /// True: a look is to be taken now.
  mutating func begins(now: Int64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    isWanted = false
    isUnderWay = true
    notBefore = now + Self.pause
    return true
  }

  /// It was taken; whatever was killed is to be reaped.
  mutating func ended(killed: Int) {
    isUnderWay = false
    if killed > 0 { isWanted = true }
  }
}
