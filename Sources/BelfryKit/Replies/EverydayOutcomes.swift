import Foundation

internal import BelfryCore

/// What pausing came to (E1).
public struct PauseOutcome: Hashable, Sendable {
  /// A one-shot that is due in the pause, and will be skipped.
  public struct Ending: Hashable, Sendable {
    public var app: String
    public var identifier: String
    public var due: Date
  }

  /// What is due from then on is skipped.
  public var from: Date
  /// What is due then rings again; nil: until it is resumed.
  public var until: Date?
  /// The soonest of them, at most 100.
  public var ending: [Ending]
  /// So many more than are named.
  public var more: Int
  /// So many critical ones ring all the same, since they are paused by identifier alone.
  public var critical: Int

  init(_ reply: PauseReply) {
    from = Date(reply.from)
    until = reply.until.map { Date($0) }
    ending = reply.ending.map {
      Ending(app: $0.app, identifier: $0.identifier, due: Date($0.due))
    }
    more = Int(clamping: reply.more)
    critical = Int(clamping: reply.critical)
  }
}

/// What resuming came to (E1).
public struct ResumeOutcome: Hashable, Sendable {
  /// So many pauses have ended.
  public var resumed: Int
  /// What still pauses it, a sentence; nil: nothing does.
  public var stillPaused: String?

  init(_ reply: ResumeReply) {
    resumed = Int(clamping: reply.resumed)
    stillPaused = reply.stillPaused
  }
}

/// What skipping, or taking that back, came to (E2).
public struct SkipOutcome: Hashable, Sendable {
  /// The occurrences that the call was about.
  public var dates: [Date]
  /// What rings next; nil: nothing, or nobody knows.
  public var next: Date?

  init(_ reply: SkipReply) {
    dates = reply.instants.map { Date($0) }
    next = reply.next.map { Date($0) }
  }
}

/// Occurrences that follow each other and do not ring: paused (E1), or to be skipped (E2).
public struct SkippedOccurrences: Hashable, Sendable {
  public var first: Date
  /// nil: all that follow, until it is resumed.
  public var last: Date?
  /// Why, a sentence.
  public var reason: String

  init(_ run: PassedRun) {
    first = Date(run.first)
    last = run.last.map { Date($0) }
    reason = run.reason
  }
}
