/// An occurrence that is to come again (D11), as the store has it.
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
