import BelfryCore
import SchedulerFixtures

/// What kind of life a seed leads: which troubles, and how long between them.
struct LifeShape {
  var kind: Kind
  var configuration: SchedulerConfiguration
  var isAlwaysTrusted: Bool
  var startsSynchronised: Bool

  enum Kind: String, CaseIterable {
    /// Years with little trouble.
    case years
    /// Clocks that step, drift, boot in 1970 or ahead.
    case clocks
    case disks
    case sinks
    /// More than the limit keeps (N17).
    case limit
    case everything
  }

  static let apps = ["app0", "app1"]
  /// 2026-03-01T12:00:00Z
  static let start = Instant(nanoseconds: 1_772_366_400 * Duration.second)

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed ^ 0x5eed)
    kind = Kind.allCases.randomElement(using: &random)!
    configuration = SchedulerConfiguration()
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
    configuration.late = Bool.random(using: &random) ? .fire : .seconds(3600)
    let hasClockTrouble = kind == .clocks || kind == .everything
    isAlwaysTrusted = hasClockTrouble ? Int.random(in: 0..<4, using: &random) == 0 : true
    startsSynchronised = Bool.random(using: &random)
  }
}
