import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// Whether the sinks are configured that scheduled notifications name (N19, E6).
enum NamedSinkCheck {
  /// `status` is the daemon's; nil: there is none.
  static func run(_ socket: String, _ status: JSONObject?) -> [Finding] {
    guard let plugins = status?["plugins"]?.array, let daemon = try? Daemon.connect(path: socket)
    else { return [] }
    let known = [Sink.speaker] + plugins.compactMap { $0["name"]?.string }
    var missing = MissingNames()
    do throws(ClientError) {
      try daemon.client.list(app: nil) { row in
        let steps = row.notification.ladder.flatMap { $0.sinks }
        for name in row.notification.sinks + steps {
          missing.look(name, in: row) { known.contains(name) }
        }
      }
    } catch {
      return []
    }
    return missing.warning(
      "plugins", "sinks that nobody has",
      advice: "nothing of it goes there; add their [plugin:NAME] to belfry.conf, or edit --to")
  }
}
