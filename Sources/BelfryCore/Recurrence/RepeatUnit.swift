/// The unit in which a notification repeats (N4); raw values are those of `NSCalendar.Unit`.
public enum RepeatUnit: Int32, CaseIterable, Sendable {
  case year = 4
  case month = 8
  case day = 16
  case hour = 32
  case minute = 64
  case second = 128
  case week = 256
  case weekday = 512
  case weekdayOrdinal = 1024
  case quarter = 2048
  case weekOfMonth = 4096
  case weekOfYear = 8192
  case yearForWeekOfYear = 16384
}
