/// Limits that each app can have; nil is what nothing was said of.
///
/// The operator's `[app:ID]` stands over the app's manifest, and both stand over the board's own
/// limits, `EngineConfiguration.limits`.
public struct AppLimits: Hashable, Sendable {
  /// N17's number, and what happens beyond it; where the board says nothing either, the caller may
  /// choose.
  public var notifications: Int32?
  public var onFull: EngineConfiguration.OnFull?
  /// T10.
  public var late: LatePolicy?
  /// R4's number.
  public var regions: Int32?
  /// Sessions open at a time (A2).
  public var sessions: Int32?
  /// Entries in one of its inboxes; the oldest goes (P6, A2).
  public var inbox: Int32?

  public init() {}

  /// A board's limits where its configuration says nothing.
  public static var standard: AppLimits {
    var limits = AppLimits()
    limits.late = .fire
    limits.regions = 20
    limits.sessions = 128
    limits.inbox = 1000
    return limits
  }

  /// These limits, and those of `base` where these say nothing.
  public func merged(over base: AppLimits) -> AppLimits {
    var limits = self
    limits.notifications = notifications ?? base.notifications
    limits.onFull = onFull ?? base.onFull
    limits.late = late ?? base.late
    limits.regions = regions ?? base.regions
    limits.sessions = sessions ?? base.sessions
    limits.inbox = inbox ?? base.inbox
    return limits
  }
}
