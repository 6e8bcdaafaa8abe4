import Foundation

/// Steps the real clock by nothing; false: no right to.
func setClockToItself() -> Bool {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return clock_settime(CLOCK_REALTIME, &now) == 0
}
