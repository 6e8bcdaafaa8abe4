import BelfryCore

/// Deadlines that a test build shortens: `BELFRY_DEADLINES="launch=500 action=300 wait=2000"`, in
/// milliseconds. Nothing at all unless built with BELFRY_TEST_BUILD=1.
enum TestDeadlines {
  static func apply(
    to configuration: inout EngineConfiguration, _ variable: (String) -> String?
  ) {
    #if BELFRY_FAILPOINTS
      for word in (variable("BELFRY_DEADLINES") ?? "").split(separator: " ") {
        let parts = word.split(separator: "=")
        guard parts.count == 2, let value = Int64(parts[1]) else { continue }
        switch parts[0] {
        case "launch": configuration.launchDeadline = value * Nanoseconds.millisecond
        case "action": configuration.actionDeadline = value * Nanoseconds.millisecond
        case "wait": configuration.waitLimit = value * Nanoseconds.millisecond
        default: break
        }
      }
    #endif
  }
}
