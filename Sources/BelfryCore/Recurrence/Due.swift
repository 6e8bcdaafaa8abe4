/// One occurrence of a timetable.
public struct Due: Hashable, Sendable {
  /// What `OccurrenceID.k` is (D7); see `Timetable`.
  public var k: Int64
  public var instant: Instant
  /// When the occurrence itself is, without the plan's offset (E4): its day is that on which it falls.
  public var occurrence: Instant
  public var because: Because

  public init(k: Int64, instant: Instant, because: Because = []) {
    self.k = k
    self.instant = instant
    occurrence = instant
    self.because = because
  }

  /// Which rules moved it, or made it one of several; empty for one that is plainly when it says.
  public struct Because: OptionSet, Hashable, Sendable {
    public var rawValue: UInt16

    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// The wall clock does not exist: later by the gap.
    public static let gapShifted = Because(rawValue: 1 << 0)
    /// The wall clock does not exist: the first instant behind the gap.
    public static let gapNext = Because(rawValue: 1 << 1)
    /// The wall clock exists twice: this is its first pass.
    public static let firstPass = Because(rawValue: 1 << 2)
    /// The wall clock exists twice: this is its last pass.
    public static let lastPass = Because(rawValue: 1 << 3)
    /// The month, or the year, has no such day: its last.
    public static let clamped = Because(rawValue: 1 << 4)
    /// The month, or the year, has no such day: the day after its last.
    public static let rolled = Because(rawValue: 1 << 5)
    /// An RDATE that the rule itself does not give.
    public static let added = Because(rawValue: 1 << 6)
    /// Stands for another occurrence too, which was moved to the same instant.
    public static let merged = Because(rawValue: 1 << 7)
    /// The wall clock to which the offset's days lead does not exist: later by the gap (E4).
    public static let offsetMoved = Because(rawValue: 1 << 8)
  }
}
