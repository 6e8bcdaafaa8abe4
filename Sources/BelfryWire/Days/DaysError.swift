import BelfryCore

/// Why a file is no calendar of days.
public struct DaysError: Error, Hashable, Sendable {
  /// From 1; 0: of the whole file.
  public var line: Int64
  /// One sentence without a full stop.
  public var reason: String

  public init(line: Int64, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  /// `12: there is no such day`, to be put behind the file's name and a colon.
  public var text: String { line > 0 ? "\(line): " + reason : " " + reason }
}
