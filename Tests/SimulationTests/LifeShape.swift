import BelfryCore
import SchedulerFixtures

/// What kind of life a seed leads: which troubles, and how long between them.
struct LifeShape {
  var kind: Kind
  var configuration: EngineConfiguration
  var isAlwaysTrusted: Bool
  var startsSynchronised: Bool
  var hasClockTrouble: Bool
  /// Rules, policies, tolerances and new zone files too.
  var hasRules: Bool
  /// Apps run, people act, and the board goes about.
  var hasApps = false
  /// People snooze much, and answer what waits.
  var hasSnoozes = false
  /// People pause, skip and edit; offsets and several rules too.
  var isEveryday = false
  /// Several users share the board, one of them floods it, and sinks take their time.
  var isShared = false

  enum Kind: String, CaseIterable {
    /// Years with little trouble.
    case years
    /// Clocks that step, drift, boot in 1970 or ahead.
    case clocks
    case disks
    case sinks
    /// More than the limit keeps (N17).
    case limit
    /// Boards that travel, and all that plans can say.
    case zones
    case everything
  }

  /// As the tz database has them today, and as another release might.
  static let zones: [(name: String, rules: ZoneRules, other: ZoneRules)] = [
    zone("UTC", "UTC0", "UTC0"),
    zone("Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3", "CET-1"),
    zone("America/Chicago", "CST6CDT,M3.2.0,M11.1.0", "CST6CDT,M4.1.0,M10.5.0"),
    zone("Asia/Kolkata", "IST-5:30", "IST-6"),
    zone(
      "Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
      "<+1030>-10:30<+1130>-11:30,M10.1.0,M4.1.0"),
    zone("Pacific/Kiritimati", "<+14>-14", "<-10>10"),
  ]

  private static func zone(
    _ name: String, _ text: String, _ other: String
  ) -> (name: String, rules: ZoneRules, other: ZoneRules) {
    do {
      return (name, try ZoneRules(posix: text), try ZoneRules(posix: other))
    } catch {
      fatalError("\(name): \(error)")
    }
  }

  /// The last three only where a board is shared.
  static let apps = ["app0", "app1", "app2", "app3", "app4"]
  /// 2026-03-01T12:00:00Z
  static let start = Instant(nanoseconds: 1_772_366_400 * Nanoseconds.second)

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed ^ 0x5eed)
    kind = Kind.allCases.randomElement(using: &random)!
    configuration = EngineConfiguration()
    configuration.sinks = [
      Sink(
        name: "one", kind: .plugin, wantsAlerts: true, wantsBadges: false, wantsEverything: false),
      Sink(
        name: "two", kind: .plugin, wantsAlerts: true, wantsBadges: true, wantsEverything: true),
      Sink(
        name: "speaker", kind: .speaker, wantsAlerts: false, wantsBadges: false,
        wantsEverything: false),
    ]
    if kind == .years { configuration.sinks.removeLast(2) }
    configuration.notifications = kind == .limit ? 5 : 64
    configuration.onFull = .discard
    configuration.late = Bool.random(using: &random) ? .fire : .seconds(3600)
    let hasClockTrouble = kind == .clocks || kind == .everything
    isAlwaysTrusted = hasClockTrouble ? Int.random(in: 0..<4, using: &random) == 0 : true
    startsSynchronised = Bool.random(using: &random)
    hasRules = Bool.random(using: &random)
    self.hasClockTrouble = hasClockTrouble
  }
}
