/// Why a sound cannot be played as it is, in words for a delivery record (S3).
public struct SoundError: Error, Hashable, Sendable {
  public enum Code: String, Sendable {
    case missing, unreadable, notAFile, empty, notASound, unsupported, damaged, tooLong
  }

  public var code: Code
  /// One clause without a full stop, such as `it has 1000 channels; 1 to 8 play`.
  public var reason: String

  public init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}
