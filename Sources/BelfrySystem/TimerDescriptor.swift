import BelfryCore
import CLinux

/// An absolute timer (timerfd_create(2)).
public struct TimerDescriptor: ~Copyable {
  public enum Clock: Sendable {
    /// CLOCK_REALTIME; a step of the clock is reported as `.stepped`.
    case real
    /// CLOCK_BOOTTIME, which no step moves.
    case elapsed
    /// CLOCK_REALTIME_ALARM: as `real`, but wakes a sleeping machine; follows steps by itself.
    case alarm
  }

  public enum Reading: Hashable, Sendable {
    case notYet
    case ranOut
    /// The clock was set; the timer is still armed.
    case stepped
  }

  public let descriptor: FileDescriptor
  public let clock: Clock

  public init(_ clock: Clock) throws(SystemError) {
    self.clock = clock
    let raw =
      switch clock {
      case .real: clinux_timer_make_realtime()
      case .elapsed: clinux_timer_make_boottime()
      case .alarm: clinux_timer_make_alarm()
      }
    descriptor = FileDescriptor(owning: try check(raw, "timerfd_create"))
  }

  /// Runs out at `nanoseconds` of its clock; at once when that is past. A real one also becomes
  /// readable when the clock is set (TFD_TIMER_CANCEL_ON_SET); `.stepped`: it already has been
  /// since the last reading, and is armed all the same.
  @discardableResult
  public func arm(at nanoseconds: Int64) throws(SystemError) -> Reading {
    let result = clinux_timer_arm(descriptor.raw, nanoseconds, clock == .real ? 1 : 0)
    if result == -SystemError.cancelled { return .stepped }
    try check(result, "timerfd_settime")
    return .notYet
  }

  public func disarm() throws(SystemError) {
    try check(clinux_timer_disarm(descriptor.raw), "timerfd_settime")
  }

  /// What happened since the last reading; never waits.
  public func read() throws(SystemError) -> Reading {
    let result = clinux_timer_read(descriptor.raw)
    if result == -SystemError.cancelled { return .stepped }
    return try check(result, "read timerfd") == 1 ? .ranOut : .notYet
  }
}
