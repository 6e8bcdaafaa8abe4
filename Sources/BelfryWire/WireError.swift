/// Why bytes from outside could not be read, or values not be written: the module's one error type.
public struct WireError: Error, Hashable, Sendable {
  public enum Code: String, Sendable {
    /// The bytes end before the value does.
    case truncated
    /// More bytes than the form allows.
    case tooLong
    /// Nested deeper than the form allows.
    case tooDeep
    /// Another version of the form, or no such form.
    case badVersion
    /// A value outside its range or its grammar.
    case malformed
    /// A whole number that no 64-bit integer is.
    case outOfRange
    /// Not UTF-8, a lone surrogate, or a forbidden control character.
    case badText
    /// The same key twice.
    case duplicate
  }

  public var code: Code
  /// Offset of the byte, or for INI text the number of the line, from 1.
  public var place: Int64
  /// One sentence without a full stop that names what was being read.
  public var reason: String
  /// In JSON: where the fault is, such as `parameters.notification.userInfo.rooms[3]`.
  public var path: String

  public init(_ code: Code, at place: Int64, _ reason: String, path: String = "") {
    self.code = code
    self.place = place
    self.reason = reason
    self.path = path
  }
}
