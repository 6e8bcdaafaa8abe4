/// When occurrences are prepared: their intents written, and their sinks made ready.
struct Preparation {
  /// How many are prepared in one slice (A2): what `SchedulerEngine.sliceBudget` allows.
  static let sliceSize = SchedulerEngine.sliceBudget / SchedulerEngine.rowCost

  /// What is to be prepared now.
  struct Slice {
    var entries: [(row: StoredNotification, node: HeapNode)] = []
    /// Something is due within the lead, though it may not be one to prepare.
    var isAnyDue = false
  }

  /// The longest that a sink's process took until it was ready, in nanoseconds.
  private var slowestStart: Int64 = 0
  /// When the next occurrence is to be prepared, at the earliest.
  private(set) var next = Instant.distantFuture
  /// More is to be prepared in the next slice, which may follow at once.
  private(set) var isUnfinished = false

  /// How long before its due an occurrence is prepared.
  func lead(_ configuration: EngineConfiguration) -> Int64 {
    let twice = slowestStart > .max / 2 ? .max : slowestStart * 2
    // Outputs wake after the speaker has started (E11).
    return min(max(twice, configuration.shortestLead), configuration.longestLead)
      + configuration.sounds.wake
  }

  /// A sink's process was ready so long after it was asked for.
  mutating func noteStart(after duration: Int64) {
    guard duration > slowestStart else { return }
    slowestStart = duration
    // What is near may be due within the longer lead.
    next = .distantPast
  }

  mutating func want(at instant: Instant) {
    next = min(next, instant)
  }

  /// False: nothing is to be prepared now. True: a slice begins, which says anew what comes next.
  mutating func begin(_ turn: Turn) -> Bool {
    guard isUnfinished || turn.now.real >= next else { return false }
    next = .distantFuture
    isUnfinished = false
    return true
  }

  /// The slice is full.
  mutating func goOn(_ turn: Turn) {
    isUnfinished = true
    want(at: turn.now.real)
  }
}
