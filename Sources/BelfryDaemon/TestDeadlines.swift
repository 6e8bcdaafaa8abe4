import BelfryCore

/// Deadlines that a test chooses: `BELFRY_DEADLINES="launch=500 action=300 wait=2000 foreground=60000"`,
/// in milliseconds; long where an app must be in time on a busy machine, short where it must be late.
/// Nothing at all but in belfryd-breakable.
enum TestDeadlines {
  static func apply(
    to configuration: inout EngineConfiguration, _ variable: (String) -> String?
  ) {
    #if BELFRY_BREAKABLE
      for word in (variable("BELFRY_DEADLINES") ?? "").split(separator: " ") {
        let parts = word.split(separator: "=")
        guard parts.count == 2, let value = Int64(parts[1]) else { continue }
        switch parts[0] {
        case "foreground": configuration.foregroundTimeout = value * Nanoseconds.millisecond
        case "launch": configuration.launchDeadline = value * Nanoseconds.millisecond
        case "action": configuration.actionDeadline = value * Nanoseconds.millisecond
        case "wait": configuration.waitLimit = value * Nanoseconds.millisecond
        default: break
        }
      }
    #endif
  }
}
