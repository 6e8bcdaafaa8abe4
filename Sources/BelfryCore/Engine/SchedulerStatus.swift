/// Figures for `status`; cheap to take.
public struct SchedulerStatus: Sendable {
  public struct SinkStatus: Hashable, Sendable {
    public var name: String
    public var isUp: Bool
    /// Waiting for it.
    public var queued: Int32
    /// Handed over and not answered.
    public var handedOver: Int32
    /// Why it did not show what it answered last; nil: it did.
    public var failure: String?
  }

  /// Where the board is, and who waits for what of it.
  public struct LocationStatus: Hashable, Sendable {
    public var fix: LocationFix?
    /// Pending notifications with a region.
    public var regions: Int64
    /// Apps with such ones that are not allowed to know where the board is (R5), in order.
    public var denied: [String]
  }

  /// It tells of everybody's notifications, not of one user's alone.
  public var isWhole = true
  public var pending: Int64
  public var prepared: Int64
  /// Deliveries that have not ended.
  public var inFlight: Int64
  /// Late ones that wait for their turn (T10).
  public var late: Int64
  /// Those that wait for a better clock, and why (T9).
  public var held: Int64
  public var heldReason: String?
  public var clock: ClockState
  public var isClockTrusted: Bool
  /// When the next notification is due, late ones aside, and by which mode; nil: nothing is pending,
  /// or for ever. `reason`: it will not ring then, since it is skipped or paused by its name.
  public var next: (due: Instant, mode: ZoneMode, reason: String?)?
  public var apps: Int64
  /// Open ones.
  public var sessions: Int64
  /// What the user did that waits for an app, or for its completion (D3, D4).
  public var queuedEvents: Int64
  public var location: LocationStatus
  public var sinks: [SinkStatus]
  /// Set for a peer.
  public var pauses = PauseStatus()
}
