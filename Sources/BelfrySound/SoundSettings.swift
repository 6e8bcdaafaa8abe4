import BelfryCore
import BelfryWire

/// The section `[sound]`, and the sound folders, as the speaker was given them.
public struct SoundSettings: Hashable, Sendable {
  /// ALSA names, tried in order.
  public var devices: [String] = []
  /// `[output:NAME]` sections; empty: sounds play on `devices`.
  public var outputs: [SoundOutput] = []
  /// `output` of `[sound]`, and of `[app:ID]`, by name.
  public var chosenOutputs: [String] = []
  public var appOutputs: [AppOutputs] = []
  /// The longest sound that plays (S2), in nanoseconds.
  public var longest = SoundFile.longest
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

  public struct AppOutputs: Hashable, Sendable {
    public var app: ByteString
    public var names: [String]
  }

  public init(_ settings: [Setting] = []) {
    for setting in settings { take(setting) }
    if devices.isEmpty { devices = PCMDevices.standard }
  }

  /// On which outputs the sounds of an app play; never none.
  public func outputs(of app: String) -> [SoundOutput] {
    let own = appOutputs.last { $0.app == ByteString(app) }?.names ?? chosenOutputs
    let named = outputs.filter { output in own.contains { output.isNamed($0) } }
    let chosen = named.isEmpty ? outputs : named
    if chosen.isEmpty { return [SoundOutput(name: "", devices: devices)] }
    return chosen.map { withDevices($0) }
  }

  /// Those that are slow to wake, with their devices.
  var wakingOutputs: [SoundOutput] {
    outputs.filter { $0.wake > 0 }.map { withDevices($0) }
  }

  var longestWake: Int64 { outputs.map { $0.wake }.max() ?? 0 }

  /// Whether `[app:ID]` says where the sounds of this app play.
  func hasOutputs(_ app: String) -> Bool { appOutputs.contains { $0.app == ByteString(app) } }

  private func withDevices(_ output: SoundOutput) -> SoundOutput {
    var output = output
    if output.devices.isEmpty { output.devices = devices }
    return output
  }

  /// The folders of one app, in order.
  public func folders(of app: String) -> [String] {
    appFolders.filter { $0.app == ByteString(app) }.map { $0.folder }
  }

  private mutating func take(_ setting: Setting) {
    let value = setting.value
    switch ByteString(setting.key) {
    case "device": devices += Self.devices(in: value)
    case "default": defaultSound = value.isEmpty ? nil : value
    case "folder": folders.append(value)
    case "output": chosenOutputs = OutputNames.read(value) ?? []
    case "longest":
      if let length = Int64(value), length > 0 {
        longest = length
      } else {
        complain(setting, "nanoseconds")
      }
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
      takeNamed(setting)
    }
  }

  /// Keys with a name behind their colon.
  private mutating func takeNamed(_ setting: Setting) {
    if let app = name(setting, "folder:") {
      appFolders.append(AppFolder(app: ByteString(app), folder: setting.value))
    } else if let app = name(setting, "output:") {
      appOutputs.append(
        AppOutputs(app: ByteString(app), names: OutputNames.read(setting.value) ?? []))
    } else if let output = name(setting, "device:") {
      change(output) { $0.devices = Self.devices(in: setting.value) }
    } else if let output = name(setting, "wake:") {
      guard let wake = Int64(setting.value) else { return complain(setting, "nanoseconds") }
      change(output) { $0.wake = wake }
    } else {
      problems.append("[sound] \(setting.key): the speaker knows no such key")
    }
  }

  private func name(_ setting: Setting, _ kind: StaticString) -> String? {
    let key = setting.key.utf8
    guard key.starts(with: kind.description.utf8) else { return nil }
    return String(decoding: key.dropFirst(kind.utf8CodeUnitCount), as: UTF8.self)
  }

  private mutating func change(_ name: String, _ change: (inout SoundOutput) -> Void) {
    if let place = outputs.firstIndex(where: { $0.isNamed(name) }) {
      return change(&outputs[place])
    }
    var output = SoundOutput(name: name)
    change(&output)
    outputs.append(output)
  }

  /// ALSA's names hold commas and colons, so a list is written with spaces or semicolons.
  private static func devices(in text: String) -> [String] {
    text.utf8.split { $0 == 0x3B || $0 == 0x20 || $0 == 0x09 }.compactMap { String($0) }
  }

  private mutating func complain(_ setting: Setting, _ wanted: String) {
    problems.append("[sound] \(setting.key) = \(setting.value): should be \(wanted)")
  }
}
