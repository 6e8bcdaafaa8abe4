import BelfryCore
import BelfryWire

/// Whether something that says it is critical counts as less (S6).
enum CriticalCheck {
  /// `status` is the daemon's; nil: there is none.
  static func run(_ status: JSONObject?) -> [Finding] {
    guard let demoted = status?["demoted"]?.object, let count = demoted["count"]?.integer, count > 0
    else { return [] }
    let named = (demoted["named"]?.array ?? []).compactMap { $0.string }
    let others = count - Int64(named.count)
    return [
      .warn(
        "critical",
        counted(
          count, "scheduled one is critical and counts as timeSensitive: ",
          many: "scheduled ones are critical and count as timeSensitive: ")
          + named.joined(separator: ", ") + (others > 0 ? " and " + counted(others, "other") : ""),
        "write critical = yes into [app:ID] of belfry.conf, or name a group in [access] critical")
    ]
  }
}
