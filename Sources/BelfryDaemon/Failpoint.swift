import BelfryCore
import BelfrySystem

/// A step of the daemon at which a test build may kill itself.
public enum Failpoint: String, CaseIterable, Sendable {
  case scheduleBeforeCommit = "schedule-before-commit"
  case scheduleAfterCommit = "schedule-after-commit"
  case scheduleAfterReply = "schedule-after-reply"
  case pushBeforeCommit = "push-before-commit"
  case pushAfterCommit = "push-after-commit"
  case pushAfterReply = "push-after-reply"
  case prepareBeforeIntent = "prepare-before-intent"
  case prepareAfterIntent = "prepare-after-intent"
  case handoverBefore = "handover-before"
  case handoverAfter = "handover-after"
  case acknowledgeBeforeRecord = "acknowledge-before-record"
  case acknowledgeAfterRecord = "acknowledge-after-record"
}

extension Failpoint {
  /// The steps just before an operation goes to the store and just after its commit. `after` nil:
  /// its answer tells of the commit.
  static func around(_ operation: StoreOperation) -> (before: Failpoint, after: Failpoint?)? {
    switch operation {
    case .change(.schedule): (.scheduleBeforeCommit, nil)
    case .change(.push): (.pushBeforeCommit, nil)
    case .record(.intend): (.prepareBeforeIntent, .prepareAfterIntent)
    case .record(.settle): (.acknowledgeBeforeRecord, .acknowledgeAfterRecord)
    default: nil
    }
  }

  /// The step just after the commit that an answer tells of.
  static func after(_ outcome: StoreOutcome) -> Failpoint? {
    switch outcome {
    case .scheduled: .scheduleAfterCommit
    case .pushed: .pushAfterCommit
    default: nil
    }
  }

  /// The step just after a reply was sent.
  static func after(_ reply: Reply) -> Failpoint? {
    switch reply {
    case .scheduled: .scheduleAfterReply
    case .pushed: .pushAfterReply
    default: nil
    }
  }
}

/// Which step ends the process: `BELFRY_FAILPOINT=name`, or `name:N` for the N-th time it is
/// reached. Used by the clock's thread alone; nothing at all but in belfryd-breakable.
public final class FailpointSwitch {
  #if BELFRY_BREAKABLE
    private let chosen: Failpoint?
    private var left: Int

    public init(variable: (String) -> String?) {
      let parts = (variable("BELFRY_FAILPOINT") ?? "").split(separator: ":")
      chosen = parts.first.flatMap { Failpoint(rawValue: String($0)) }
      left = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
    }

    public func isChosen(_ point: Failpoint) -> Bool { point == chosen }

    public func reach(_ point: Failpoint) {
      guard point == chosen else { return }
      left -= 1
      if left == 0 { Process.killSelf() }
    }
  #else
    public init(variable: (String) -> String?) {}

    public func isChosen(_ point: Failpoint) -> Bool { false }

    public func reach(_ point: Failpoint) {}
  #endif
}
