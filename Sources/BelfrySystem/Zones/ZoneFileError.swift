/// Why a zone is not to be had.
public struct ZoneFileError: Error, Hashable, Sendable {
  public enum Code: String, Sendable {
    /// Not a name, or no file of that name.
    case unknown
    /// The file is there, but cannot be read.
    case unreadable
    /// Its bytes are not rules of a zone.
    case broken
  }

  public var code: Code
  /// One sentence without a full stop that names the zone.
  public var reason: String

  public init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}
