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
    var missing: [String] = []
    var known: Set<ByteString> = []
    do throws(ClientError) {
      try daemon.client.list(app: nil) { row in
        guard let name = row.notification.soundName, name != Notification.defaultSoundName,
          known.insert(row.app + "/" + name).inserted
        else { return }
        let own = texts(status["appSoundFolders"]?.object?[row.app]) ?? []
        if (own + common).contains(where: { isFile($0 + "/" + name) }) { return }
        missing.append(name + " (" + row.app + " " + (row.notification.identifier ?? "") + ")")
      }
    } catch {
      return []
    }
    if missing.isEmpty { return [] }
    let shown = missing.prefix(maxShown).joined(separator: ", ")
    let rest = missing.count - min(missing.count, maxShown)
    return [
      .warn(
        "sound",
        "scheduled ones name sounds that are in no sound folder: " + shown
          + (rest > 0 ? " and " + counted(rest, "other") : ""),
        "the default sound plays instead; put them into " + (common.first ?? "a sound folder"))
    ]
  }

  private static let maxShown = 8

  private static func isFile(_ path: String) -> Bool {
    (try? Files.status(path)) != nil
  }

  private static func texts(_ value: JSONValue?) -> [String]? {
    value?.array.map { $0.compactMap { $0.string } }
  }
}
