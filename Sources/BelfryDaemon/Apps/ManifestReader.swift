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
    if let user = SchedulerEngine.user(of: id), let owner = reader.manifest.owner, owner != user {
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
    if let limit = AppLimitKey(rawValue: key.name) { return try manifest.limits.read(limit, key) }
    let (name, value) = try key.judged(as: ManifestKey.self)
    switch name {
    case .name: manifest.name = try value.text()
    case .executable:
      try launch(.executable(try value.text()), key)
      look(for: try value.text(), key, isProgram: true)
    case .unit: try launch(.unit(try value.text()), key)
    case .user: try readUser(key)
    case .soundFolder:
      manifest.soundFolder = try value.text()
      look(for: try value.text(), key)
    case .stringsFolder: manifest.stringsFolder = try value.text()
    case .daysFolder:
      manifest.daysFolder = try value.text()
      look(for: try value.text(), key)
    case .language:
      let language = try value.text()
      manifest.language = language
      if LanguageTag.canonical(language) == nil {
        note("\(FieldError.quoted(language)) is no language's tag, such as de or de-AT", key)
      }
    case .allowed: manifest.allowed = try value.parts()
    case .location: manifest.location = try value.boolean()
    case .critical: readCritical(try value.boolean())
    case .launchForPush: manifest.launchesForPush = try value.boolean()
    }
  }

  /// Something in which it is wrong, and works otherwise.
  private mutating func note(_ problem: String, _ key: ConfigurationKey) {
    manifest.oddities.append("\(manifest.path):\(key.line): [app] \(key.name): \(problem)")
  }

  private mutating func look(for path: String, _ key: ConfigurationKey, isProgram: Bool = false) {
    manifest.named.append(
      NamedPlace(path: path, key: key.name, line: key.line, isProgram: isProgram))
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
  private mutating func readCritical(_ isAllowed: Bool) {
    manifest.mayBeCritical = isAllowed && folder.user != nil ? nil : isAllowed
  }

  private mutating func readUser(_ key: ConfigurationKey) throws(ConfigurationError) {
    guard let uid = UInt32(key.text) ?? Account.find(key.text)?.uid else {
      throw key.refusal("there is no such user in /etc/passwd")
    }
    if let user = folder.user, uid != user {
      throw key.refusal("a manifest in user \(user)'s folder counts for him alone")
    }
    manifest.owner = uid
  }
}
