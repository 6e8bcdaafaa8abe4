import BelfryCore

/// App ids (A1).
public enum AppName {
  /// The app of a caller that names none.
  public static func ofUser(_ uid: UInt32) -> String {
    "user.\(uid)"
  }

  /// The app of a program that names none, `user.<uid>.<program>`: the program file's name, other
  /// characters than an app id has as `_`, cut where the id would be too long.
  public static func ofProgram(_ path: String, _ uid: UInt32) -> String {
    let user = ofUser(uid)
    var name: [UInt8] = []
    for byte in path.utf8 {
      if byte == UInt8(ascii: "/") {
        name = []
      } else {
        name.append(isAllowed(byte) ? byte : UInt8(ascii: "_"))
      }
    }
    guard !name.isEmpty else { return user }
    return user + "." + String(decoding: name.prefix(127 - user.utf8.count), as: UTF8.self)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Throws unless `name` is `[A-Za-z0-9._-]{1,128}`.
  public static func check(_ name: String, field: String = "app") throws(FieldError) {
    guard !name.isEmpty else {
      throw FieldError(field, .malformed, "an app id has at least one character")
    }
    guard name.utf8.count <= 128 else {
      throw FieldError(field, .tooLong, "an app id has at most 128 bytes")
    }
    guard name.utf8.allSatisfy(isAllowed) else {
      throw FieldError(field, .malformed, "an app id has letters, digits and . _ - only")
    }
  }
}
