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
  /// Its manifest cannot be read and never could be, so nobody knows whose the id is: whoever has it
  /// keeps it, and nobody but an operator can take it.
  public var isReserved = false
  /// What the operator allows (D5).
  public var allowed = AppSettings.all
  /// The manifest's path, and what is wrong with it; what was read of it before still holds.
  public var manifest: String?
  public var problems: [String] = []
  /// The executable or unit that starts it when it does not run (D3); nil: nothing does.
  public var launch: String?
  /// A language tag, such as de-AT (L1).
  public var language: String?
  /// Its texts, in order of fallback: those of de-AT, of de, of no language (L1).
  public var tables: [StringsTable] = []
  public var limits = AppLimits()
  /// Whether its regions are judged (R5); see `SchedulerEngine.mayLocate`.
  public var mayLocate: Bool?
  /// Whether it may be critical (S6), by a manifest of the system; see `SchedulerEngine.mayBeCritical`.
  public var mayBeCritical: Bool?
  /// A push with content-available starts it (P9).
  public var launchesForPush = false

  public init(id: String) {
    self.id = id
  }

  public var canLaunch: Bool { launch != nil }
}
