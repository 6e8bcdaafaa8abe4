import BelfryCore
import BelfryWire

/// The bytes under which the store keeps a notification: the JSON of all fields but the identifier,
/// so that equal bytes mean equal notifications (N1, N15).
enum Content {
  static func encode(_ notification: Notification) -> [UInt8] {
    NotificationCodec.encodeContent(notification)
  }

  static func decode(_ bytes: [UInt8], identifier: String) throws(StoreError) -> Notification {
    do throws(FieldError) {
      var notification = try NotificationCodec.decodeContent(bytes)
      notification.identifier = identifier
      return notification
    } catch {
      throw StoreError(.content, "\(identifier): \(error.field) \(error.reason)")
    }
  }
}
