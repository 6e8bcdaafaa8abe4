import BelfryCore
import CLinux

/// The zone that the board's own clocks show.
struct BoardZone: Sendable {
  /// Seconds ahead of UTC at so many seconds since 1970.
  var offset: @Sendable (Int64) -> Int64

  /// As libc reads it from TZ or /etc/localtime; UTC in years that libc cannot count.
  static let system = BoardZone { seconds in
    var offset: Int32 = 0
    return clinux_zone_offset(seconds, &offset) < 0 ? 0 : Int64(offset)
  }

  func offset(at instant: Instant) -> Int64 {
    offset(CivilTime(instant).secondsSince1970)
  }

  /// What the board's clocks show at an instant.
  func civil(_ instant: Instant) -> CivilTime {
    CivilTime(instant, offset: offset(at: instant))
  }

  /// When the board's clocks show `civil`: the first time if they do so twice, and later by the gap
  /// if they never do (T5). nil outside `Instant`'s range.
  func instant(_ civil: CivilTime) -> Instant? {
    let wall = civil.secondsSince1970
    let before = offset(wall - Self.day)
    let first = civil.instant(offset: before)
    if let first, self.civil(first) == civil { return first }
    let after = offset(wall + Self.day)
    if let second = civil.instant(offset: after), self.civil(second) == civil { return second }
    return first
  }

  private static let day: Int64 = 86400
}

extension CivilTime {
  /// As if it were UTC, the fraction dropped.
  fileprivate var secondsSince1970: Int64 {
    date.days * 86400 + nanosecondOfDay / Duration.second
  }
}
