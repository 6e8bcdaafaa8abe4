import BelfryClient
import BelfryCore

/// Whether something expires before it is due: its clocks have moved since, and what says until when it
/// is shown is a moment (N19, T2).
enum ExpiryCheck {
  /// `isThere`: a daemon answers.
  static func run(_ socket: String, isThere: Bool) -> [Finding] {
    guard isThere, let daemon = try? Daemon.connect(path: socket) else { return [] }
    var count: Int64 = 0
    var first = ""
    do throws(ClientError) {
      try daemon.client.list(app: nil) { row in
        // A repeat may end so.
        let content = row.notification
        guard row.next == nil, row.state == .scheduled, content.expires != nil, !content.repeats,
          content.region == nil
        else { return }
        count += 1
        if count == 1 { first = row.app + " " + (content.identifier ?? "") }
      }
    } catch {
      return []
    }
    if count == 0 { return [] }
    let others = count > 1 ? " and " + counted(count - 1, "other") : ""
    return [
      .warn(
        "expires", first + others + " will not be shown: due only after --expires",
        "belfry list says which; belfry edit ID --expires TIME")
    ]
  }
}
