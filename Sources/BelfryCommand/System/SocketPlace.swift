import BelfryClient
import BelfryCore
import BelfrySystem

/// Which daemon is meant, by its socket.
enum SocketPlace {
  /// `--socket`, then as every client finds it.
  static func find(_ given: Invocation) -> String {
    SocketPath.find(given: given.value(.socket))
  }

  /// What the kernel takes of a whole path (unix(7)); of a longer one the folder is opened first, and
  /// so many bytes may follow its last slash.
  private static let (longest, longestName) = (107, 88)

  /// Throws for a path that no socket can have.
  static func check(_ given: Invocation) throws(CommandError) {
    let path = given.value(.socket)
    if path?.isEmpty ?? false { throw .usage("--socket: a path is missing") }
    let written = path == nil ? "BELFRY_SOCKET" : "--socket"
    guard let path = path ?? Environment.value(of: "BELFRY_SOCKET"), path.utf8.count > longest
    else { return }
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
    guard name > longestName else { return }
    throw .usage(
      written + ": a socket's name has at most \(longestName) bytes, and this one \(name)")
  }

  /// What leads this board's services: systemd (sd_booted(3)), an init that runs scripts, or nothing
  /// that is known.
  private static func service(_ word: String) -> String? {
    if Files.may("/run/systemd/system", 0) { return "systemctl \(word) belfry" }
    let script = "/etc/init.d/belfry"
    return Files.may(script, 1) ? "\(script) \(word)" : nil
  }

  /// How belfryd is started again; `pid` nil: nobody knows its process.
  static func again(_ pid: Int64?) -> String {
    if let restart = service("restart") { return "start belfryd again (\(restart))" }
    return (pid.map { "kill \($0)" } ?? "end belfryd") + ", then start belfryd as before"
  }

  /// What starts whoever serves this socket.
  static func start(of socket: String) -> String {
    switch (try? Files.status(socket))?.kind {
    case .regular?: return "it is a file, not a socket"
    case .folder?:
      let folder = socket.hasSuffix("/") ? String(socket.dropLast()) : socket
      return "it is a folder; did you mean \(folder)/socket?"
    default: break
    }
    let parent = Files.parent(of: socket)
    let beside = (parent == "/" ? "" : parent) + "/socket"
    if !socket.hasSuffix("/socket"), (try? Files.status(beside))?.kind == .socket {
      return "did you mean \(beside)?"
    }
    let isOfBoard = ByteString(socket) == ByteString(SocketPath.system)
    if isOfBoard {
      return "start belfryd --user, or " + (service("start") ?? "belfryd as root")
    }
    let isUsers = SocketPath.user.map { ByteString($0) == ByteString(socket) } ?? false
    if isUsers { return "start belfryd --user" }
    guard socket.hasSuffix("/socket") else { return "start belfryd, or name another --socket" }
    let folder = Files.parent(of: socket)
    let isPlain = folder.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "'") }
    return "start belfryd --directory " + (isPlain ? folder : ShellQuoting.single(folder))
  }

  /// The daemon's other files, which lie where its socket's place implies.
  static func files(of socket: String) -> (configuration: String, store: String, plugins: String) {
    if socket == SocketPath.system {
      return (
        "/etc/belfry/belfry.conf", "/var/lib/belfry/books.sqlite", "/usr/local/lib/belfry/plugins"
      )
    }
    let home = Environment.value(of: "HOME") ?? "/"
    if let user = SocketPath.user, socket == user {
      return (
        folder("XDG_CONFIG_HOME", home + "/.config") + "/belfry/belfry.conf",
        folder("XDG_STATE_HOME", home + "/.local/state") + "/belfry/books.sqlite",
        folder("XDG_DATA_HOME", home + "/.local/share") + "/belfry/plugins"
      )
    }
    let parent = Files.parent(of: socket)
    let folder = parent == "/" ? "" : parent
    return (folder + "/belfry.conf", folder + "/books.sqlite", folder + "/plugins")
  }

  private static func folder(_ variable: String, _ other: String) -> String {
    guard let folder = Environment.value(of: variable), folder.hasPrefix("/") else { return other }
    return folder
  }
}
