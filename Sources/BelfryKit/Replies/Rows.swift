import Foundation

internal import BelfryCore

/// A scheduled notification.
public struct ScheduledNotification: Hashable, Sendable {
  public enum State: String, Sendable {
    case scheduled
    /// Waits until the clock can be believed (T9).
    case held
    /// Due at any moment.
    case prepared
    /// What is due next is skipped, as its pause says (E1).
    case paused
    /// Was shown, and comes again.
    case snoozed
  }

  public var app: String
  /// Equals the one that was scheduled; its `identifier` is set.
  public var notification: LocalNotification
  /// When it rings next; nil: unknown while it is held, or waits for a region, and where nothing rings
  /// before it is resumed.
  public var next: Date?
  public var state: State
  /// Why it is held or paused, or why the occurrence that is due next does not ring.
  public var reason: String?
  /// Why its sound will not be heard at `next`, as things are.
  public var silence: String?
  /// What does not ring before `next` (E1, E2, E3).
  public var skipped: [SkippedOccurrences]
  /// Of one that is snoozed: by it or by the identifier it is dismissed, acted on or snoozed anew (D11).
  public var occurrence: String?

  init(_ row: ListedNotification) {
    app = row.app
    notification = LocalNotification(row.notification)
    next = row.next.map { Date($0) }
    state = State(rawValue: row.state.rawValue) ?? .scheduled
    reason = row.reason
    silence = row.silence
    skipped = row.passed.map { SkippedOccurrences($0) }
    occurrence = row.occurrence?.text
  }
}

/// A notification that a sink still shows.
public struct ShownNotification: Hashable, Sendable {
  public var app: String
  public var notification: LocalNotification
  public var due: Date?
  /// The sink that shows it.
  public var sink: String?
  /// Names this occurrence alone, as `id` of `dismiss` and the like.
  public var occurrence: String?

  init(_ row: ListedNotification) {
    app = row.app
    notification = LocalNotification(row.notification)
    due = row.due.map { Date($0) }
    sink = row.sink
    occurrence = row.occurrence?.text
  }
}

/// An occurrence that will come (N18).
public struct Upcoming: Hashable, Sendable {
  public var date: Date
  /// Which rule moved or merged it, in words; nil: none.
  public var because: String?

  init(_ occurrence: UpcomingOccurrence) {
    date = Date(occurrence.instant)
    because = occurrence.because
  }
}

/// One delivery in the history: one occurrence for one sink (D9).
public struct HistoryEntry: Hashable, Sendable {
  public enum State: String, CaseIterable, Sendable {
    case delivered, missed, superseded, withdrawn, discarded, expired, failed
    /// No answer by the deadline: it may have been shown (D7).
    case unknown
    /// A sound that was left out on purpose.
    case silenced
    /// By the app itself, in a session (D1).
    case received
    /// It has not come to an end: its sink is down, busy, or has not answered.
    case waiting
    /// What the user did with it.
    case activated, dismissed, snoozed
    /// It left the scheduled list unfired (N1, N15).
    case cancelled, replaced
    /// Nobody has answered it, and it does not come again (E6).
    case unanswered
    /// It was paused, to be skipped, or on a day off, when it was due (E1, E2, E3).
    case skipped
  }

  /// How far the clock could be believed then (T9).
  public enum Clock: String, CaseIterable, Sendable {
    case untrusted, plausible, synchronised
  }

  public var app: String
  public var identifier: String
  /// `<uuid>.<generation>.<k>` (D7).
  public var occurrence: String
  /// Empty for what never reached a sink.
  public var sink: String
  /// Of what left the scheduled list (cancelled, replaced, discarded): when it left.
  public var due: Date
  public var handedOver: Date?
  public var acknowledged: Date?
  public var state: State
  public var reason: String?
  public var attempts: Int
  public var clock: Clock?
  /// Older occurrences that it stands for, and since when (T10).
  public var missed: Int
  public var missedSince: Date?
  /// What it would have said, at most 1 KiB; only of what left the scheduled list.
  public var text: String?

  init(_ row: HistoryRow) {
    app = row.app
    identifier = row.identifier
    occurrence = row.occurrence.text
    sink = row.sink
    due = Date(row.due)
    handedOver = row.handedOver.map { Date($0) }
    acknowledged = row.acknowledged.map { Date($0) }
    state = State(rawValue: row.state.rawValue) ?? .unknown
    reason = row.reason
    attempts = Int(row.attempts)
    clock = row.clock.flatMap { Clock(rawValue: $0.rawValue) }
    missed = Int(clamping: row.missed)
    missedSince = row.missedSince.map { Date($0) }
    text = row.text
  }
}
