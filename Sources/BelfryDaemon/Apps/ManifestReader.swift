import BelfryCore
import BelfrySystem
import BelfryWire

/// Reads a manifest: INI with the one section `[app]`. Unknown sections and keys are errors with
/// their line.
struct ManifestReader {
  private let folder: ManifestFolder
  private var manifest: AppManifest

  /// The largest manifest.
  static let limit = 64 * 1024
  /// `<app id>.app`.
  static let suffix = ".app"

  /// Judges a whole file. `user =` is looked up in `/etc/passwd`: blocks on the disk.
  static func read(
    _ bytes: [UInt8], id: String, in folder: ManifestFolder
  ) throws(ConfigurationError) -> AppManifest {
    let file: INIFile
    do throws(WireError) {
      file = try INIFile.parse(bytes)
    } catch {
      throw ConfigurationError(error.place, error.reason)
    }
    var reader = ManifestReader(folder, id: id)
    for section in file.sections {
      guard section.header == "app" else {
        throw ConfigurationError(
          section.line, "[\(section.header)] is no section of a manifest: it has [app] alone")
      }
      for entry in section.entries { try reader.read(ConfigurationKey("app", entry)) }
    }
    if let user = Scheduler.user(of: id), let owner = reader.manifest.owner, owner != user {
      throw ConfigurationError(1, "\(id) is user \(user)'s for ever, and not user \(owner)'s")
    }
    return reader.manifest
  }

  /// Whom a manifest names that is wrong otherwise: the one `user =` of its lines, if that is right.
  static func owner(in bytes: [UInt8], id: String, _ folder: ManifestFolder) -> UInt32? {
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.filter {
      line in
      let name = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      return name.starts(with: "user".utf8)
        && name.dropFirst(4).first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
          == UInt8(ascii: "=")
    }
    guard lines.count == 1 else { return nil }
    return try? read(Array("[app]\n".utf8) + lines[0] + [UInt8(ascii: "\n")], id: id, in: folder)
      .owner
  }

  private init(_ folder: ManifestFolder, id: String) {
    self.folder = folder
    manifest = AppManifest(id: id, path: folder.path + "/" + id + Self.suffix)
    manifest.owner = folder.user
  }

  private mutating func read(_ key: ConfigurationKey) throws(ConfigurationError) {
    switch key.name {
    case "name": manifest.name = try key.text(upTo: 255)
    case "executable": try launch(.executable(try key.path()), key)
    case "unit": try launch(.unit(try key.unit()), key)
    case "user": try readUser(key)
    case "soundFolder": manifest.soundFolder = try key.path()
    case "stringsFolder": manifest.stringsFolder = try key.path()
    case "language": manifest.language = try key.language()
    case "allowed": manifest.allowed = try key.settings()
    case "location": manifest.location = try key.boolean()
    case "critical": try readCritical(key)
    case "notifications": manifest.notifications = try key.notifications()
    case "onFull": manifest.onFull = try key.onFull()
    case "regions": manifest.regions = try key.regions()
    case "sessions": manifest.sessions = try key.sessions()
    case "late": manifest.late = try key.latePolicy()
    case "inbox": manifest.inbox = try key.inbox()
    case "launchForPush": manifest.launchesForPush = try key.boolean()
    default: throw key.unknown
    }
  }

  private mutating func launch(
    _ launch: AppManifest.Launch, _ key: ConfigurationKey
  ) throws(ConfigurationError) {
    guard manifest.launch == nil else {
      throw key.error("cannot stand beside another: one of executable and unit starts the app")
    }
    manifest.launch = launch
  }

  /// S6: nobody gives himself the right. In a user's own folder `yes` says nothing: his uid decides.
  private mutating func readCritical(_ key: ConfigurationKey) throws(ConfigurationError) {
    let isAllowed = try key.boolean()
    manifest.mayBeCritical = isAllowed && folder.user != nil ? nil : isAllowed
  }

  private mutating func readUser(_ key: ConfigurationKey) throws(ConfigurationError) {
    guard let uid = UInt32(key.value) ?? Account.find(key.value)?.uid else {
      throw key.error("= \(key.value): there is no such user in /etc/passwd")
    }
    if let user = folder.user, uid != user {
      throw key.error("= \(key.value): a manifest in user \(user)'s folder counts for him alone")
    }
    manifest.owner = uid
  }
}

// Values that manifests and `[app:ID]` share.
extension ConfigurationKey {
  func text(upTo most: Int) throws(ConfigurationError) -> String {
    guard (1...most).contains(value.utf8.count) else {
      throw error("has 1 to \(most) bytes")
    }
    return value
  }

  func path() throws(ConfigurationError) -> String {
    guard value.utf8.first == UInt8(ascii: "/"), value.utf8.count < 4096 else {
      throw error("= \(value): is a whole path, from /")
    }
    return value
  }

  /// A unit's name (systemd.unit(5)); one that begins with `-` would be an option of systemctl.
  fileprivate func unit() throws(ConfigurationError) -> String {
    let isName = value.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "@"):
        true
      default: false
      }
    }
    guard isName, value.utf8.first != UInt8(ascii: "-"), value.utf8.contains(UInt8(ascii: ".")),
      value.utf8.count <= 255
    else { throw error("= \(value): is a unit's whole name, such as clock.service") }
    return value
  }

  /// BCP 47, roughly: de, de-AT, zh-Hans.
  fileprivate func language() throws(ConfigurationError) -> String {
    let parts = value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isTag = parts.allSatisfy { part in
      (1...8).contains(part.count)
        && part.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
          default: false
          }
        }
    }
    guard isTag, value.utf8.count <= 35 else {
      throw error("= \(value): is a language's tag, such as de or de-AT")
    }
    return value
  }

  /// `alert badge sound`, some of them, or `none`.
  func settings() throws(ConfigurationError) -> AppSettings {
    if value == "none" { return [] }
    var settings: AppSettings = []
    for word in value.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }) {
      switch word {
      case "alert": settings.insert(.alert)
      case "badge": settings.insert(.badge)
      case "sound": settings.insert(.sound)
      default: throw error("= \(value): some of alert, badge and sound, or none")
      }
    }
    guard !settings.isEmpty else { throw error("is some of alert, badge and sound, or none") }
    return settings
  }

  func notifications() throws(ConfigurationError) -> Int32 { Int32(try integer(1...10_000_000)) }
  func regions() throws(ConfigurationError) -> Int32 { Int32(try integer(0...1_000_000)) }
  func sessions() throws(ConfigurationError) -> Int32 { Int32(try integer(1...65_536)) }
  func inbox() throws(ConfigurationError) -> Int32 { Int32(try integer(1...10_000_000)) }
}
