import BelfryCore
import CLinux

/// The board's wall clock, for quiet hours.
enum LocalTime {
  /// Minutes since midnight.
  static func minute(of instant: Instant) -> Int {
    var seconds = instant.nanoseconds / Duration.second
    if instant.nanoseconds % Duration.second < 0 { seconds -= 1 }
    return max(0, Int(clinux_sound_local_minutes(seconds)))
  }
}
