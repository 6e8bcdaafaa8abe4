/// An occurrence that is to come again (D11), as the books have it.
public struct StoredSnooze: Hashable, Sendable {
  /// Its id tells how often it was snoozed; its due is what the real clock will show then, as far as
  /// that is known.
  public var occurrence: Occurrence
  public var app: AppNumber
  public var relative: RelativeTime

  public init(_ occurrence: Occurrence, app: AppNumber, relative: RelativeTime) {
    self.occurrence = occurrence
    self.app = app
    self.relative = relative
  }
}

/// One that is pending.
final class Snooze {
  /// In order of being made.
  let number: Int64
  let app: AppNumber
  var occurrence: Occurrence
  /// When it is due on the elapsed clock; nil: it goes by the real one (T9).
  let elapsed: Int64?
  /// An earlier life may have handed it over (D7).
  var isSuspect = false
  /// Its sinks have been made ready.
  var isPrepared = false

  init(number: Int64, app: AppNumber, _ occurrence: Occurrence, elapsed: Int64?) {
    self.number = number
    self.app = app
    self.occurrence = occurrence
    self.elapsed = elapsed
  }

  /// Nanoseconds until it is due; negative: it is late by so many.
  func left(at now: Now) -> Int64 {
    guard let elapsed else { return occurrence.due.nanoseconds(since: now.real) }
    return elapsed.subtractingReportingOverflow(now.elapsed).partialValue
  }
}
