import BelfryCore
import BelfrySystem

/// Where the daemon's files are.
public struct Paths: Hashable, Sendable {
  public var socket: String
  public var configuration: String
  public var store: String
  /// Made where missing: the lock, what workers keep (D7).
  public var run: String
  /// Searched in this order for what `file =` names.
  public var plugins: [String]
  /// S8's folders after the app's own, in order.
  public var sounds: [String]
  /// The operator's calendars of days (E3).
  public var days: String
  /// Where apps' manifests are; the first that has an app's counts.
  public var manifests: [ManifestFolder] = []
  /// Searched in this order for the children's programs.
  public var programs: [String]
  /// Who may open the socket.
  public var socketMode: UInt32

  /// One daemon holds it at a time.
  public var lock: String { run + "/lock" }

  /// What a start must find of the store's log.
  public var note: String { run + "/books-log" }

  /// Says in which boot the clock is trusted (T9).
  public var trust: String { run + "/clock-trusted" }

  /// `program` is the folder of this executable; `variable` reads the environment.
  public static func find(
    _ home: DaemonOptions.Home, uid: UInt32, program: String, variable: (String) -> String?
  ) throws(StartFailure) -> Paths {
    var paths: Paths
    switch home {
    case .directory(let folder): paths = under(absolute(folder))
    case .user: paths = try user(variable)
    case .system: paths = system
    }
    paths.manifests = manifests(home, uid: uid, variable)
    let prefix = Files.parent(of: program)
    paths.plugins += [
      program, prefix + "/lib/belfry/plugins", "/usr/local/lib/belfry/plugins",
      "/usr/lib/belfry/plugins",
    ]
    paths.sounds += [prefix + "/share/belfry/sounds"]
    paths.sounds += ["/usr/local/share/belfry/sounds", "/usr/share/belfry/sounds"]
    paths.sounds += ["/usr/share/sounds"]
    paths.programs = [program, prefix + "/libexec/belfry"]
    // The board's daemon serves everybody, who get no further than A1 lets them; a user serves
    // himself.
    paths.socketMode = uid == 0 || home == .system ? 0o666 : 0o600
    return paths
  }

  /// A user's own daemon takes his manifests before those of the system; root's folder, wherever it
  /// is, is the system's (A1).
  private static func manifests(
    _ home: DaemonOptions.Home, uid: UInt32, _ variable: (String) -> String?
  ) -> [ManifestFolder] {
    let system = ["/etc/belfry/apps", "/usr/local/share/belfry/apps", "/usr/share/belfry/apps"]
      .map { ManifestFolder(path: $0, user: nil) }
    switch home {
    case .directory(let folder):
      return [ManifestFolder(path: absolute(folder) + "/apps", user: uid == 0 ? nil : uid)]
    case .user:
      let home = folder(variable("HOME")) ?? "/"
      let own = folder(variable("XDG_CONFIG_HOME")) ?? home + "/.config"
      return [ManifestFolder(path: own + "/belfry/apps", user: uid)] + system
    case .system: return system
    }
  }

  private static func under(_ folder: String) -> Paths {
    Paths(
      socket: folder + "/socket", configuration: folder + "/belfry.conf",
      store: folder + "/books.sqlite", run: folder + "/run", plugins: [folder + "/plugins"],
      sounds: [folder + "/sounds"], days: folder + "/days", programs: [], socketMode: 0)
  }

  private static let system = Paths(
    socket: "/run/belfry/socket", configuration: "/etc/belfry/belfry.conf",
    store: "/var/lib/belfry/books.sqlite", run: "/run/belfry", plugins: [], sounds: [],
    days: "/etc/belfry/days", programs: [], socketMode: 0)

  /// XDG Base Directory Specification 0.8.
  private static func user(_ variable: (String) -> String?) throws(StartFailure) -> Paths {
    guard let run = folder(variable("XDG_RUNTIME_DIR")) else {
      throw StartFailure(
        .noRights, "belfryd: --user needs XDG_RUNTIME_DIR; without one say --directory DIR")
    }
    guard let home = folder(variable("HOME")) else {
      throw StartFailure(.noRights, "belfryd: --user needs HOME; without one say --directory DIR")
    }
    let configuration = folder(variable("XDG_CONFIG_HOME")) ?? home + "/.config"
    let state = folder(variable("XDG_STATE_HOME")) ?? home + "/.local/state"
    let data = folder(variable("XDG_DATA_HOME")) ?? home + "/.local/share"
    return Paths(
      socket: run + "/belfry/socket", configuration: configuration + "/belfry/belfry.conf",
      store: state + "/belfry/books.sqlite", run: run + "/belfry",
      plugins: [data + "/belfry/plugins"], sounds: [data + "/belfry/sounds"],
      days: configuration + "/belfry/days", programs: [], socketMode: 0)
  }

  /// The specification has relative paths ignored.
  private static func folder(_ value: String?) -> String? {
    guard let value, value.hasPrefix("/") else { return nil }
    return value
  }

  /// Children get paths too, and a folder given as `.` must not depend on where they stand.
  private static func absolute(_ path: String) -> String {
    var path = path
    if !path.hasPrefix("/"), let here = try? Files.readLink("/proc/self/cwd") {
      path = path == "." ? here : here + "/" + path
    }
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Makes the folders that the daemon writes into; those that are there may be on a read-only disk
  /// (D8). Returns what the operator must hear of; nil: nothing.
  public func make() throws(StartFailure) -> String? {
    for folder in [Files.parent(of: socket), Files.parent(of: store), run] {
      do {
        // The socket's folder must let other users through; what lies in it has modes of its own.
        try Files.makeFolders(folder, mode: socketMode == 0o666 ? 0o755 : 0o700)
      } catch {
        throw StartFailure(.noRights, "belfryd: \(error.text)")
      }
      do throws(SystemError) {
        try Files.require(folder, 7)
      } catch {
        if error.code == SystemError.readOnly, Files.may(folder, 5) { continue }
        throw StartFailure(.noRights, "belfryd: no right to write in \(folder)")
      }
    }
    // Where it is missing, everything that comes into the folder around it wakes the daemon (T12).
    if Files.parent(of: days) == Files.parent(of: store) {
      try? Files.makeFolder(days, mode: 0o755)
    }
    return try closeRun()
  }

  /// What lies in the run folder tells what was shown (D7), so nobody else may write there: what a
  /// stranger has put in its place is moved aside. Where the disk keeps no owners it has to do.
  private func closeRun() throws(StartFailure) -> String? {
    let uid = Process.uid
    guard let status = try? Files.status(run), Books.openFolder(lock, uid: uid) != nil,
      Books.keepsOwners(beside: lock, uid: uid)
    else { return nil }
    do throws(SystemError) {
      guard status.uid == uid else {
        let aside = Files.free("\(run).of-user-\(status.uid)")
        try Files.rename(run, to: aside)
        try Files.makeFolder(run, mode: socketMode == 0o666 ? 0o755 : 0o700)
        return "\(run) belonged to user \(status.uid): it was set aside as \(aside)"
      }
      try Files.setMode(status.mode & ~0o022, of: run)
      for name in try Files.list(run) {
        let path = run + "/" + name
        let own = try Files.status(path, follow: false)
        if own.kind != .folder, own.uid != uid, own.uid != 0 { try Files.remove(path) }
      }
      return "\(run) could be written by others than its owner: that was changed"
    } catch {
      throw StartFailure(
        .noRights, "belfryd: \(run) can be written by others, and stays so: \(error.text)")
    }
  }
}
