import Foundation

internal import BelfryCore

/// What scheduling came to.
public struct ScheduleOutcome: Hashable, Sendable {
  public var identifier: String
  /// False: the limit discarded the new one itself (N17).
  public var isScheduled: Bool
  /// Equal in all fields to the pending one, which stays as it is (N1); also where the call was
  /// repeated because its first reply was lost.
  public var isUnchanged: Bool
  /// Replaced a pending one of the same identifier (N1).
  public var isReplacement: Bool
  /// The id of its next occurrence, `<uuid>.<generation>.<k>` (D7).
  public var occurrence: String?
  public var next: Date?
  /// Identifiers that the limit discarded to make room (N17).
  public var discarded: [String]
  /// It is critical, and counts as timeSensitive; the sentence says why (S6). nil: it counts as it is.
  public var demotion: String?
  /// What one would want to mend before it is due, a sentence each: such as a sound that is not there yet.
  public var warnings: [String]

  init(_ reply: ScheduleReply) {
    identifier = reply.identifier
    isScheduled = reply.scheduled
    isUnchanged = reply.unchanged
    isReplacement = reply.replaced
    occurrence = reply.occurrence?.text
    next = reply.next.map { Date($0) }
    discarded = reply.discarded
    demotion = reply.demotion
    warnings = reply.warnings
  }
}

/// What presenting came to.
public struct PresentOutcome: Hashable, Sendable {
  public var identifier: String
  public var occurrence: String?
  /// As in `ScheduleOutcome`.
  public var demotion: String?
  /// Why it is not seen or heard, a sentence each.
  public var warnings: [String]
}

/// What cancelling came to (N15).
public struct CancelOutcome: Hashable, Sendable {
  /// Scheduled ones that are no longer.
  public var cancelled: Int
  /// Shown, waiting or sounding deliveries that were taken back.
  public var withdrawn: Int
}

/// What replacing the whole list came to (N16).
public struct ReplaceOutcome: Hashable, Sendable {
  public var added: Int
  public var replaced: Int
  /// Equal in all fields: their anchor and count stay.
  public var unchanged: Int
  public var cancelled: Int
  /// Identifiers that the limit discarded (N17).
  public var discarded: [String]
  /// So many of the list are critical and count as timeSensitive; the sentence says why (S6).
  public var demoted: Int
  public var demotion: String?
  /// As in `ScheduleOutcome`, each with the first identifier that it holds for.
  public var warnings: [String]

  init(_ reply: ReplaceAllReply) {
    added = Int(clamping: reply.added)
    replaced = Int(clamping: reply.replaced)
    unchanged = Int(clamping: reply.unchanged)
    cancelled = Int(clamping: reply.cancelled)
    discarded = reply.discarded
    demoted = Int(clamping: reply.demoted)
    demotion = reply.demotion
    warnings = reply.warnings
  }
}
