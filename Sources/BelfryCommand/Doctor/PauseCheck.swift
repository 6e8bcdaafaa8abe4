import BelfryCore
import BelfryWire

/// Whether something is paused that nobody may remember (E1).
enum PauseCheck {
  /// `status` is the daemon's; nil: there is none.
  static func run(_ status: JSONObject?) -> [Finding] {
    let paused = PauseStatus(status?["paused"]?.object)
    var found: [Finding] = []
    for span in paused.spans where span.until == nil {
      let since = RFC3339.text(span.from)
      let advice = span.app.map { "belfry resume --app " + $0 } ?? "belfry resume --all"
      found.append(
        .warn(
          "paused",
          (span.app ?? "everything") + " is paused since \(since), until it is resumed", advice))
    }
    if paused.openNotifications > 0 {
      found.append(
        .warn(
          "paused",
          counted(
            paused.openNotifications, "notification is paused until it is resumed",
            many: "notifications are paused until they are resumed"),
          "belfry list shows which; belfry resume ID"))
    }
    return found
  }
}
