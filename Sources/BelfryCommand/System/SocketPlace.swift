import BelfryClient
import BelfryCore
import BelfrySystem

/// Which daemon is meant, by its socket.
enum SocketPlace {
  /// `--socket`, then as every client finds it.
  static func find(_ given: Invocation) -> String {
    SocketPath.find(given: given.value(.socket))
  }

  /// What starts whoever serves this socket.
  static func start(of socket: String) -> String {
    let isOfBoard = ByteString(socket) == ByteString(SocketPath.system)
    if isOfBoard { return "start belfryd --user, or systemctl start belfry" }
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
    let folder = Files.parent(of: socket)
    return (folder + "/belfry.conf", folder + "/books.sqlite", folder + "/plugins")
  }

  private static func folder(_ variable: String, _ other: String) -> String {
    guard let folder = Environment.value(of: variable), folder.hasPrefix("/") else { return other }
    return folder
  }
}
