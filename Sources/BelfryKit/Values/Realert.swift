/// What is shown and sounded again until somebody answers (E6).
public struct Realert: Hashable, Sendable {
  /// From one time to the next, 10 s to 24 h.
  public var every: Duration {
    didSet { every = every.roundedToMicroseconds }
  }
  /// So many times at most, 1 to 100; then it is `unanswered`.
  public var atMost: Int

  public init(every: Duration, atMost: Int = 10) {
    self.every = every.roundedToMicroseconds
    self.atMost = atMost
  }
}

/// A step of a notification's ladder: who gets it when nobody has answered (E6).
///
/// ```swift
/// alarm.ladder = [
///   LadderStep(after: .zero, sinks: ["console"]),
///   LadderStep(after: .seconds(120), sinks: ["speaker"], volume: 1),
///   LadderStep(after: .seconds(300), sinks: ["exec"], interruptionLevel: .critical),
/// ]
/// ```
public struct LadderStep: Hashable, Sendable {
  /// After the first hand-over, at most 24 h, and later than the step before. Of the first step zero is
  /// the first hand-over itself.
  public var after: Duration {
    didSet { after = after.roundedToMicroseconds }
  }
  /// Names of sinks, `speaker` among them; empty: every sink that wants it.
  public var sinks: [String]
  /// nil, as the next two: the notification's own.
  public var soundName: String?
  public var volume: Double?
  public var interruptionLevel: InterruptionLevel?

  public init(
    after: Duration, sinks: [String] = [], soundName: String? = nil, volume: Double? = nil,
    interruptionLevel: InterruptionLevel? = nil
  ) {
    self.after = after.roundedToMicroseconds
    self.sinks = sinks
    self.soundName = soundName
    self.volume = volume
    self.interruptionLevel = interruptionLevel
  }
}
