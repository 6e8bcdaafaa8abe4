import BelfryCore
import BelfrySystem

/// Where the daemon's socket is, for every client alike.
public enum SocketPath {
  public static let system = "/run/belfry/socket"

  /// nil: no runtime directory.
  public static var user: String? {
    guard let folder = Environment.value(of: "XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
      return nil
    }
    return folder + "/belfry/socket"
  }

  /// What is given, BELFRY_SOCKET, the user's runtime directory, `/run/belfry/socket`; of the last
  /// two the first that exists.
  public static func find(given: String? = nil) -> String {
    if let given { return given }
    if let path = Environment.value(of: "BELFRY_SOCKET"), !path.isEmpty { return path }
    if let path = user, exists(path) { return path }
    return system
  }

  private static func exists(_ path: String) -> Bool {
    if let status = try? Files.status(path) { return status.kind == .socket }
    return false
  }
}
