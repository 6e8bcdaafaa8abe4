import BelfryCore
import BelfrySystem

/// An app's manifest, read and judged: `<app id>.app` in one of the manifest folders.
public struct AppManifest: Hashable, Sendable {
  /// What starts the app when it does not run (D3).
  public enum Launch: Hashable, Sendable {
    /// A program by its whole path.
    case executable(String)
    /// A unit of systemd.
    case unit(String)

    var text: String {
      switch self {
      case .executable(let path): path
      case .unit(let name): name
      }
    }
  }

  public var id: String
  public var path: String
  public var name: String?
  public var launch: Launch?
  /// The uid that `user =` names, or whose folder the manifest lies in.
  public var owner: UInt32?
  public var soundFolder: String?
  public var stringsFolder: String?
  public var daysFolder: String?
  public var language: String?
  public var allowed = AppSettings.all
  public var limits = AppLimits()
  public var location: Bool?
  public var mayBeCritical: Bool?
  public var launchesForPush = false
  /// Programs and folders that it names, each with its key and line, to be looked for.
  var named: [NamedPlace] = []
  /// What is wrong and costs no more than itself, such as a folder that is not there: a sentence for
  /// each, which names file and line.
  var oddities: [String] = []

  init(id: String, path: String) {
    self.id = id
    self.path = path
  }

  /// What the scheduler obeys of it.
  var profile: AppProfile {
    var profile = AppProfile(id: id)
    profile.owner = owner
    profile.name = name
    profile.manifest = path
    profile.launch = launch?.text
    profile.allowed = allowed
    profile.language = language
    profile.limits = limits
    profile.mayLocate = location
    profile.mayBeCritical = mayBeCritical
    profile.launchesForPush = launchesForPush
    profile.problems = oddities
    return profile
  }
}

/// What a manifest names by its path, and what should be there.
struct NamedPlace: Hashable, Sendable {
  var path: String
  var key: String
  var line: Int64
  var isProgram: Bool

  /// Why it cannot be what is meant; nil: it may be, or nobody here can tell. Blocks on the disk.
  var problem: String? {
    do throws(SystemError) {
      let status = try Files.status(path)
      guard isProgram else {
        return status.kind == .folder ? nil : "\(FieldError.printable(path)) is no folder"
      }
      return status.kind == .regular ? nil : "\(FieldError.printable(path)) is no program"
    } catch {
      guard error.code == SystemError.noEntry || error.code == SystemError.notFolder else {
        return nil
      }
      let hasArguments = isProgram && path.utf8.contains(UInt8(ascii: " "))
      return "there is no \(isProgram ? "program" : "folder") "
        + (hasArguments ? FieldError.quoted(path) : FieldError.printable(path))
    }
  }
}

/// A folder with manifests.
public struct ManifestFolder: Hashable, Sendable {
  public var path: String
  /// Set: what lies in it counts for this user only (A1).
  public var user: UInt32?

  public init(path: String, user: UInt32?) {
    self.path = path
    self.user = user
  }
}
