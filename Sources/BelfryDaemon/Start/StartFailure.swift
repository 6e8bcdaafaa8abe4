/// Why the daemon does not start: one line for a person, and its exit status.
public struct StartFailure: Error, Hashable, Sendable {
  public enum Status: Int32, Sendable {
    case failed = 1
    case usage = 2
    case socketInUse = 10
    case noRights = 11
    case newerStore = 12
    case secondDaemon = 13
    case configuration = 14
  }

  public var status: Status
  public var line: String

  public init(_ status: Status, _ line: String) {
    self.status = status
    self.line = line
  }

  /// `line` without the program's name.
  var reason: String {
    line.hasPrefix("belfryd: ") ? String(line.dropFirst(9)) : line
  }
}
