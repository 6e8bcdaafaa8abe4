internal import BelfrySystem

/// A moment of CLOCK_BOOTTIME by which something must be over.
struct Deadline: Sendable {
  private let elapsed: Int64

  init(in duration: Duration) {
    let microseconds = Microseconds.of(duration) ?? .max / 2000
    elapsed = SystemClock.elapsed() + min(max(0, microseconds), .max / 2000) * 1000
  }

  /// What is left, rounded up; 0: it has passed.
  var milliseconds: Int32 {
    let left = max(0, elapsed - SystemClock.elapsed())
    return Int32(clamping: (left + 999_999) / 1_000_000)
  }

  var hasPassed: Bool { milliseconds == 0 }
}
