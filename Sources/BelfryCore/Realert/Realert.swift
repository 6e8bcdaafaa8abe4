/// What is shown and sounded again until somebody answers (E6).
public struct Realert: Hashable, Sendable {
  /// Nanoseconds from one time to the next, at least 10 s.
  public var every: Int64
  /// So many times at most, 1 to 100.
  public var atMost: Int64

  public init(every: Int64, atMost: Int64 = Realert.usualCount) {
    self.every = every
    self.atMost = atMost
  }

  /// What `atMost` is where nobody says.
  public static let usualCount: Int64 = 10
}

/// A step of a notification's ladder (E6): who gets it when nobody has answered.
public struct LadderStep: Hashable, Sendable {
  /// Nanoseconds after the occurrence was handed over first, at most 24 h. Of the first step 0 means
  /// that the occurrence itself goes to these sinks only.
  public var after: Int64
  /// The sinks that get it, by name; empty: every sink that wants it.
  @Bytewise public var sinks: [String]
  /// nil: the notification's own; the default sound where it has none and `speaker` is named.
  @Bytewise public var sound: String?
  /// nil: the notification's own.
  public var volume: Double?
  public var interruptionLevel: InterruptionLevel?

  public init(
    after: Int64, sinks: [String] = [], sound: String? = nil, volume: Double? = nil,
    interruptionLevel: InterruptionLevel? = nil
  ) {
    self.after = after
    self.sinks = sinks
    self.sound = sound
    self.volume = volume
    self.interruptionLevel = interruptionLevel
  }
}

/// Steps are counted from the occurrence itself, which is step 0: first those of the ladder, then the
/// realerts, which come as the ladder's last step did.
extension Notification {
  /// Somebody has to answer it.
  var asksForAnswer: Bool { realert != nil || !ladder.isEmpty }

  /// It, or a step of its ladder, is critical (S6).
  public var claimsCritical: Bool {
    interruptionLevel == .critical || ladder.contains { $0.interruptionLevel == .critical }
  }

  /// The occurrence itself is the ladder's first step.
  private var beginsAtLadder: Bool { ladder.first?.after == 0 }

  /// The number of the ladder's last step; 0: no step follows the occurrence itself.
  var lastOfLadder: Int32 { Int32(ladder.count) - (beginsAtLadder ? 1 : 0) }

  /// The number of the last step of all.
  var lastStep: Int32 {
    max(0, lastOfLadder) + Int32(clamping: realert?.atMost ?? 0)
  }

  /// The ladder's step that says how a step is shown; nil: the notification itself says it.
  func ladderStep(_ step: Int32) -> LadderStep? {
    if ladder.isEmpty { return nil }
    let place = Int(step) - (beginsAtLadder ? 0 : 1)
    return place < 0 ? nil : ladder[min(place, ladder.count - 1)]
  }

  /// Nanoseconds between a step that was due `offset` after the first hand-over and the one that
  /// follows it; after the last one: until nobody has answered.
  func pause(after step: Int32, at offset: Int64) -> Int64 {
    if step < lastOfLadder, let next = ladderStep(step + 1) { return max(0, next.after - offset) }
    return realert?.every ?? Self.answerTime
  }

  /// How long a ladder that no realert follows waits for an answer to its last step, in nanoseconds.
  static let answerTime = Nanoseconds.minute
}

/// As its step says.
extension Occurrence {
  public var soundName: String? {
    guard let step = notification.ladderStep(id.step) else { return notification.soundName }
    let isHeard = step.sinks.contains(Sink.speaker)
    return step.sound ?? notification.soundName ?? (isHeard ? Notification.defaultSoundName : nil)
  }

  public var volume: Double { notification.ladderStep(id.step)?.volume ?? notification.volume }

  public var level: InterruptionLevel {
    notification.ladderStep(id.step)?.interruptionLevel ?? notification.interruptionLevel
  }

  /// The sinks that get it: those of its ladder's step (E6), else of its notification (N19); empty: all
  /// do.
  var sinks: [String] { notification.ladderStep(id.step)?.sinks ?? notification.sinks }

  func goes(to sink: String) -> Bool { sinks.isEmpty || sinks.contains(sink) }
}
