/// Why a value from outside was refused; names the field so that its author can mend it (A4).
public struct FieldError: Error, Hashable, Sendable {
  public enum Code: String, CaseIterable, Sendable {
    case missing, unknown, wrongType, outOfRange, tooLong, malformed, conflict
    /// A field of the product that this build does not implement.
    case notInThisBuild
  }

  /// Path of the field as the author wrote it, such as `userInfo.rooms[3]`.
  public var field: String
  public var code: Code
  /// One sentence without a full stop, in words for the author.
  public var reason: String

  public init(_ field: String, _ code: Code, _ reason: String) {
    self.field = field
    self.code = code
    self.reason = reason
  }
}
