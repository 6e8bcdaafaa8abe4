import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// Whether the sounds are there that scheduled notifications name, and can be played.
enum NamedSoundCheck {
  /// `status` is the daemon's; nil: there is none, or it does not tell where sounds are. `plays` says
  /// whether a file can be played.
  static func run(
    _ socket: String, _ status: JSONObject?, plays: (String) -> Bool
  ) -> [Finding] {
    guard let status, let common = texts(status["soundFolders"]) else { return [] }
    guard let daemon = try? Daemon.connect(path: socket) else { return [] }
    var missing = MissingNames()
    var broken = MissingNames()
    do throws(ClientError) {
      try daemon.client.list(app: nil) { row in
        for name in row.notification.namedSounds {
          guard name != Notification.defaultSoundName else { continue }
          let own = texts(status["appSoundFolders"]?.object?[row.app]) ?? []
          let path = (own + common).map { $0 + "/" + name }.first { isFile($0) }
          missing.look(name, in: row) { path != nil }
          if let path { broken.look(name, in: row) { plays(path) } }
        }
      }
    } catch {
      return []
    }
    return missing.warning(
      "sound", "sounds that are in no sound folder",
      advice: "the default sound plays instead; put them into " + (common.first ?? "a sound folder")
    )
      + broken.warning(
        "sound", "sounds that cannot be played",
        advice: "the default sound plays instead; belfry sound check NAME says why")
  }

  private static func isFile(_ path: String) -> Bool {
    (try? Files.status(path)) != nil
  }

  private static func texts(_ value: JSONValue?) -> [String]? {
    value?.array.map { $0.compactMap { $0.string } }
  }
}
