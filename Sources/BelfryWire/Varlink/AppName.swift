import BelfryCore

/// App ids (A1).
public enum AppName {
  /// The app of a caller that names none.
  public static func ofUser(_ uid: UInt32) -> String {
    "user.\(uid)"
  }

  /// Throws unless `name` is `[A-Za-z0-9._-]{1,128}`.
  public static func check(_ name: String, field: String = "app") throws(FieldError) {
    guard !name.isEmpty else {
      throw FieldError(field, .malformed, "an app id has at least one character")
    }
    guard name.utf8.count <= 128 else {
      throw FieldError(field, .tooLong, "an app id has at most 128 bytes")
    }
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        continue
      default:
        throw FieldError(field, .malformed, "an app id has letters, digits and . _ - only")
      }
    }
  }
}
