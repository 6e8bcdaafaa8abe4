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
  public var quiet: QuietHours?
  public var isEnabled = true
  /// In S8's order, after an app's own.
  public var folders: [String] = []
  /// Folders of one app, before the others.
  public var appFolders: [String: [String]] = [:]
  /// What could not be understood; the default stands in its place.
  public var problems: [String] = []

  public init(_ settings: [Setting] = []) {
    for setting in settings { take(setting) }
    if devices.isEmpty { devices = PCMDevices.standard }
  }

  private mutating func take(_ setting: Setting) {
    let value = setting.value
    switch setting.key {
    case "device":
      // ALSA's names hold commas and colons, so a list is written with spaces or semicolons.
      devices += value.split { $0 == " " || $0 == ";" || $0 == "\t" }.map { String($0) }
    case "default": defaultSound = value.isEmpty ? nil : value
    case "folder": folders.append(value)
    case "volume":
      if let number = Self.volume(value) { volume = number } else { complain(setting, "0 to 1") }
    case "quiet":
      quiet = QuietHours(value)
      if quiet == nil, !value.isEmpty { complain(setting, "such as 22:00-06:00") }
    case "enabled":
      switch value {
      case "true", "yes", "on", "1": isEnabled = true
      case "false", "no", "off", "0": isEnabled = false
      default: complain(setting, "true or false")
      }
    default:
      let parts = setting.key.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0] == "folder" {
        appFolders[String(parts[1]), default: []].append(value)
      } else {
        problems.append("[sound] \(setting.key): the speaker knows no such key")
      }
    }
  }

  private mutating func complain(_ setting: Setting, _ wanted: String) {
    problems.append("[sound] \(setting.key) = \(setting.value): should be \(wanted)")
  }

  /// `0.8` or `80%`; nil: neither, or beyond 0 to 1.
  static func volume(_ text: String) -> Double? {
    var digits = text[...]
    let percent = digits.last == "%"
    if percent { digits = digits.dropLast() }
    var value = 0.0
    var scale = 0.0
    var any = false
    for byte in digits.utf8 {
      switch byte {
      case 0x2E where scale == 0: scale = 1
      case 0x30...0x39:
        any = true
        value = value * 10 + Double(byte - 0x30)
        scale *= 10
      default: return nil
      }
    }
    if scale > 1 { value /= scale }
    if percent { value /= 100 }
    return any && value <= 1 ? value : nil
  }
}
