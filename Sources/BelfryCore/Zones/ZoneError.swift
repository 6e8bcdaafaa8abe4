/// Why the bytes of a zone file, or a POSIX zone text, are not rules of a zone.
public struct ZoneError: Error, Hashable, Sendable {
  public enum Code: String, Sendable {
    /// Neither `TZif` nor a version that can be read.
    case notZoneFile
    /// The bytes end before what they announce.
    case cut
    /// More transitions, types or letters than any zone has.
    case tooLarge
    /// The file counts leap seconds, which no clock of a board does.
    case leapSeconds
    case malformed
  }

  public var code: Code
  /// One sentence without a full stop, in words for the operator.
  public var reason: String

  public init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}
