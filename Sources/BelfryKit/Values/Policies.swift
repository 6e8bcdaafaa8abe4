/// What the time of a notification follows (T1 to T3).
public enum ZoneMode: String, CaseIterable, Sendable {
  /// An instant; repeats are arithmetic in UTC.
  case absolute
  /// A wall clock, shown by whatever zone the board is in: an alarm clock.
  case floating
  /// A wall clock of the named zone, wherever the board is: 09:00 in Berlin.
  case zoned
}

/// What becomes of a wall clock that the clocks jump over in spring (T5).
public enum GapPolicy: String, CaseIterable, Sendable {
  /// Later by the gap: 02:30 becomes 03:30.
  case shift
  /// The first instant behind the gap: 02:30 becomes 03:00.
  case next
  /// It does not happen.
  case skip
}

/// What becomes of a wall clock that comes twice in autumn (T5).
public enum OverlapPolicy: String, CaseIterable, Sendable {
  case first, last
  /// Each of the two passes, as two occurrences.
  case both
}

/// What becomes of a day that its month does not have (T4).
public enum MonthEndPolicy: String, CaseIterable, Sendable {
  /// The last day that it has: 31 January, 28 February, 31 March.
  case clamp
  /// It does not happen.
  case skip
  /// The day after its last: 31 January, 1 March, 31 March, 1 May.
  case roll
}

/// How a notification's number changes its app's badge, judged when it is due (N11).
public enum BadgeOperation: String, CaseIterable, Sendable {
  case set, add, clear
}

/// How urgent a notification is (N19).
public enum InterruptionLevel: String, CaseIterable, Sendable {
  case passive, active
  /// Wakes a sleeping board where that is possible (T11).
  case timeSensitive
  /// Also sounds in quiet hours, and before others.
  case critical
}

/// What becomes of an occurrence that is late (T10).
public enum LatePolicy: Hashable, Sendable {
  case fire
  /// A `missed` event and a row of the history are all that is left of it.
  case drop
  /// Fires if at most this many seconds late.
  case seconds(Int)
}
