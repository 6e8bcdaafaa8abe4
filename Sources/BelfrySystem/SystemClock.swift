import BelfryCore
import CLinux

/// The kernel's clocks.
public enum SystemClock {
  /// CLOCK_REALTIME and CLOCK_BOOTTIME of this moment.
  public static func now() -> ClockReading {
    ClockReading(real: real(), elapsed: elapsed())
  }

  public static func real() -> Instant {
    Instant(nanoseconds: clinux_clock_realtime())
  }

  /// CLOCK_BOOTTIME in nanoseconds.
  public static func elapsed() -> Int64 {
    clinux_clock_boottime()
  }

  /// What the kernel says of its clock (adjtimex(2)); nil where it may not be asked.
  public static func discipline() -> Discipline? {
    var error: Int64 = 0
    let state = clinux_clock_synchronised(&error)
    return state < 0 ? nil : Discipline(synchronised: state == 1, error: error)
  }

  public struct Discipline: Hashable, Sendable {
    public var synchronised: Bool
    /// The greatest error that the kernel expects, in nanoseconds.
    public var error: Int64
  }
}
