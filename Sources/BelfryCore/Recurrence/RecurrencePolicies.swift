/// What the time of a notification follows (T1 to T3).
public enum ZoneMode: String, CaseIterable, Sendable {
  /// An instant; repeats are arithmetic in UTC.
  case absolute
  /// A wall clock, shown by whatever zone the board is in: an alarm clock.
  case floating
  /// A wall clock of a named zone, wherever the board is.
  case zoned
}

/// What becomes of a wall clock that does not exist, because the clocks go forward over it (T5).
public enum GapPolicy: String, CaseIterable, Sendable {
  /// Later by the gap: 02:30 becomes 03:30 (RFC 5545, 3.3.5).
  case shift
  /// The first instant behind the gap: 02:30 becomes 03:00.
  case next
  /// It does not happen.
  case skip
}

/// What becomes of a wall clock that exists twice, because the clocks go back over it (T5).
public enum OverlapPolicy: String, CaseIterable, Sendable {
  /// Its first pass (RFC 5545, 3.3.5).
  case first
  /// Its last pass.
  case last
  /// Each of the two passes, as two occurrences.
  case both
}

/// What becomes of a day that its month, or year, does not have (T4).
public enum MonthEndPolicy: String, CaseIterable, Sendable {
  /// The last day that it has: 31 January, 28 February, 31 March.
  case clamp
  /// It does not happen.
  case skip
  /// The day after its last: 31 January, 1 March, 31 March, 1 May (as RFC 7529's FORWARD).
  case roll
}
