import BelfryCore
import BelfrySystem

/// Where the daemon's socket is, for every client alike.
public enum SocketPath {
  public static let system = "/run/belfry/socket"

  /// nil: no runtime directory.
  public static var user: String? { user(variable: Environment.value(of:)) }

  private static func user(variable: (String) -> String?) -> String? {
    guard let folder = variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
    return folder + "/belfry/socket"
  }

  /// What is given, BELFRY_SOCKET, the user's runtime directory, `/run/belfry/socket`; of the last
  /// two the first that exists.
  public static func find(given: String? = nil) -> String {
    find(given: given, variable: Environment.value(of:))
  }

  /// The same with another environment: `variable` gives a variable's value, nil if it is not set.
  static func find(given: String?, variable: (String) -> String?) -> String {
    if let given { return plain(given) }
    if let path = variable("BELFRY_SOCKET"), !path.isEmpty { return plain(path) }
    if let path = user(variable: variable), exists(path) { return path }
    return system
  }

  /// Also of an address as Varlink's clients take it: `unix:/run/belfry/socket`.
  private static func plain(_ path: String) -> String {
    path.hasPrefix("unix:") && !path.hasPrefix("unix:@")
      ? String(path.dropFirst("unix:".count)) : path
  }

  private static func exists(_ path: String) -> Bool {
    if let status = try? Files.status(path) { return status.kind == .socket }
    return false
  }
}
