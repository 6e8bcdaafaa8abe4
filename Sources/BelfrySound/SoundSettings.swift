import BelfryCore
import BelfryWire

/// The section `[sound]`, and the sound folders, as the speaker was given them.
public struct SoundSettings: Hashable, Sendable {
  /// ALSA names, tried in order.
  public var devices: [String] = []
  /// A file name in the folders, or a path; nil: Belfry's own.
  public var defaultSound: String?
  /// 0 to 1.
  public var volume = 1.0
  /// The clock goes by these two, and hands over nothing that is not to be heard.
  public var quiet: QuietHours?
  public var isEnabled = true
  /// In S8's order, after an app's own.
  public var folders: [String] = []
  /// Folders of one app, before the others.
  public var appFolders: [AppFolder] = []
  /// What could not be understood; the default stands in its place.
  public var problems: [String] = []

  public struct AppFolder: Hashable, Sendable {
    public var app: ByteString
    public var folder: String
  }

  public init(_ settings: [Setting] = []) {
    for setting in settings { take(setting) }
    if devices.isEmpty { devices = PCMDevices.standard }
  }

  /// The folders of one app, in order.
  public func folders(of app: String) -> [String] {
    appFolders.filter { $0.app == ByteString(app) }.map { $0.folder }
  }

  private mutating func take(_ setting: Setting) {
    let value = setting.value
    switch ByteString(setting.key) {
    case "device":
      // ALSA's names hold commas and colons, so a list is written with spaces or semicolons.
      devices += value.utf8.split { $0 == 0x20 || $0 == 0x3B || $0 == 0x09 }
        .compactMap { String($0) }
    case "default": defaultSound = value.isEmpty ? nil : value
    case "folder": folders.append(value)
    case "volume":
      if let number = VolumeText.parse(value) {
        volume = number
      } else {
        complain(setting, "0 to 1")
      }
    case "quiet":
      quiet = QuietHours(value)
      if quiet == nil, !value.isEmpty { complain(setting, "such as 22:00-06:00") }
    case "enabled":
      switch ByteString(value) {
      case "true", "yes", "on", "1": isEnabled = true
      case "false", "no", "off", "0": isEnabled = false
      default: complain(setting, "true or false")
      }
    default:
      let key = setting.key.utf8
      if key.starts(with: "folder:".utf8) {
        let app = String(decoding: key.dropFirst(7), as: UTF8.self)
        appFolders.append(AppFolder(app: ByteString(app), folder: value))
      } else {
        problems.append("[sound] \(setting.key): the speaker knows no such key")
      }
    }
  }

  private mutating func complain(_ setting: Setting, _ wanted: String) {
    problems.append("[sound] \(setting.key) = \(setting.value): should be \(wanted)")
  }
}
