import BelfryCore
import BelfrySystem

/// Which daemon is meant, by its socket.
enum SocketPlace {
  /// `--socket`, BELFRY_SOCKET, the user's runtime directory, `/run/belfry/socket`; of the last two
  /// the first that exists.
  static func find(_ given: Invocation) -> String {
    if let path = given.value(.socket) { return path }
    if let path = Environment.value(of: "BELFRY_SOCKET"), !path.isEmpty { return path }
    if let path = user, exists(path) { return path }
    return system
  }

  static let system = "/run/belfry/socket"

  /// nil: no runtime directory.
  static var user: String? {
    guard let folder = Environment.value(of: "XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
      return nil
    }
    return folder + "/belfry/socket"
  }

  /// The daemon's other files, which lie where its socket's place implies.
  static func files(of socket: String) -> (configuration: String, books: String, plugins: String) {
    if socket == system {
      return (
        "/etc/belfry/belfry.conf", "/var/lib/belfry/books.sqlite", "/usr/local/lib/belfry/plugins"
      )
    }
    let home = Environment.value(of: "HOME") ?? "/"
    if let user, socket == user {
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

  private static func exists(_ path: String) -> Bool {
    if let status = try? Files.status(path) { return status.kind == .socket }
    return false
  }
}
