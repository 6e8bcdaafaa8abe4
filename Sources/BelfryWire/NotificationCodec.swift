import BelfryCore

/// A notification as JSON, field by field as the wire names them.
///
/// Instants are integers, microseconds since 1970 UTC; enums are strings; `late` is `fire`, `drop`
/// or the seconds as a string; fields that have their default are left out. Names are in order of
/// their bytes, so equal notifications give equal bytes, as long as their instants are whole
/// microseconds.
public enum NotificationCodec {
  /// The notification with its identifier.
  public static func encode(_ notification: Notification) -> JSONObject {
    encode(notification, withIdentifier: true)
  }

  /// The bytes of all fields but the identifier: what N1 and N15 compare.
  public static func encodeContent(_ notification: Notification) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    encode(notification, withIdentifier: false).write(to: &bytes)
    return bytes
  }

  /// Reads what `encodeContent` wrote; `field` of the error is a path as the wire has it.
  public static func decodeContent(_ bytes: [UInt8]) throws(FieldError) -> Notification {
    let value: JSONValue
    do throws(WireError) {
      // A push may be as deep as a payload can be, and lies one level down.
      value = try JSONValue.parse(bytes, depthLimit: JSONValue.depthLimit + 1)
    } catch {
      throw FieldError(error)
    }
    return try decode(value)
  }

  private static func encode(_ notification: Notification, withIdentifier: Bool) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(8)
    for field in NotificationField.table {
      guard let value = field.write(notification),
        withIdentifier || field.name != NotificationField.identifier
      else { continue }
      members.append(JSONObject.Member(name: field.name, value: value))
    }
    return JSONObject(unique: members)
  }
}

extension FieldError {
  /// What a JSON parser refuses, in the words of a field; the path is kept, but for control
  /// characters in the keys that it names.
  public init(_ error: WireError) {
    let code: Code =
      switch error.code {
      case .duplicate: .conflict
      case .tooDeep, .outOfRange: .outOfRange
      case .tooLong: .tooLong
      case .truncated, .badVersion, .malformed, .badText: .malformed
      }
    self.init(FieldError.printable(error.path), code, "\(error.reason) (byte \(error.place))")
  }
}
