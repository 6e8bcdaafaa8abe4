import BelfryCore
import BelfrySystem
import BelfryWire

/// Where sounds are looked for by name (S8).
struct SoundFolders: Hashable, Sendable {
  /// Of everybody, in order.
  var common: [String] = []
  /// An app's own, in order, before the others.
  var ofApps: [ByteString: [String]] = [:]

  func folders(of app: String) -> [String] { (ofApps[app] ?? []) + common }

  /// Whether one of them has a file of that name. Blocks on the disk.
  func has(_ name: String, of app: String) -> Bool {
    folders(of: app).contains { (try? Files.status($0 + "/" + name)) != nil }
  }

  /// What is there and may be meant by a name that is not. Blocks on the disk.
  func nearest(_ name: String, of app: String) -> String? {
    Files.nearest(to: name, in: folders(of: app))
  }
}

extension SoundFolders {
  /// As the speaker is told them: `folder`, and `folder:APP`.
  init(_ configuration: DaemonConfiguration, manifests: [Setting], _ paths: Paths) {
    for setting in configuration.sound + manifests {
      if setting.key == "folder" { common.append(setting.value) }
      if setting.key.hasPrefix("folder:") {
        ofApps[String(setting.key.dropFirst(7)), default: []].append(setting.value)
      }
    }
    common += paths.sounds
  }
}
