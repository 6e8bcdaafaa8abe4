import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// Whether the sounds are there that scheduled notifications name.
enum NamedSoundCheck {
  /// `status` is the daemon's; nil: there is none, or it does not tell where sounds are.
  static func run(_ socket: String, _ status: JSONObject?) -> [Finding] {
    guard let status, let common = texts(status["soundFolders"]) else { return [] }
    guard let daemon = try? Daemon.connect(path: socket) else { return [] }
    var missing = MissingNames()
    do throws(ClientError) {
      try daemon.client.list(app: nil) { row in
        for name in row.notification.namedSounds {
          missing.look(name, in: row) {
            let own = texts(status["appSoundFolders"]?.object?[row.app]) ?? []
            return (own + common).contains { isFile($0 + "/" + name) }
          }
        }
      }
    } catch {
      return []
    }
    return missing.warning(
      "sound", "sounds that are in no sound folder",
      advice: "the default sound plays instead; put them into " + (common.first ?? "a sound folder")
    )
  }

  private static func isFile(_ path: String) -> Bool {
    (try? Files.status(path)) != nil
  }

  private static func texts(_ value: JSONValue?) -> [String]? {
    value?.array.map { $0.compactMap { $0.string } }
  }
}
