/// What is said of an app outside of the app, as far as the scheduler obeys it: its manifest, with
/// the operator's `[app:ID]` on top; of an app that has neither the defaults.
///
/// nil is what nothing was said of: then `[limits]` and `[clock]` hold.
public struct AppProfile: Hashable, Sendable {
  /// `[A-Za-z0-9._-]{1,128}`.
  public var id: String
  /// Whose the id is (A1); nil: of the uid that used it first.
  public var owner: UInt32?
  public var name: String?
  /// What the operator allows (D5).
  public var allowed = AppSettings.all
  /// It names an executable or a unit, so that it can be started when it does not run (D3).
  public var canLaunch = false
  /// A language tag, such as de-AT (L1).
  public var language: String?
  /// Its texts, in order of fallback: those of de-AT, of de, of no language (L1).
  public var tables: [StringsTable] = []
  /// N17's number, and what happens beyond it.
  public var notifications: Int32?
  public var onFull: SchedulerConfiguration.OnFull?
  /// T10.
  public var late: LatePolicy?
  /// R4's number.
  public var regions: Int32?
  /// Open at a time (A2).
  public var sessions: Int32?
  /// Whether its regions are judged (R5); see `Scheduler.mayLocate`.
  public var mayLocate: Bool?

  public init(id: String) {
    self.id = id
  }
}
