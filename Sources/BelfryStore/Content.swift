import BelfryCore
import BelfryWire

/// The bytes under which the store keeps a notification: the JSON of all fields but the identifier,
/// so that equal bytes mean equal notifications (N1, N15).
enum Content {
  static func encode(_ notification: Notification) -> [UInt8] {
    NotificationCodec.encodeContent(notification)
  }

  /// A number that stands for the bytes (FNV-1a); those of another content may have the same.
  static func digest(_ bytes: [UInt8]) -> Int64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(bitPattern: sum)
  }

  /// Whether a region stands in it.
  static func hasRegion(_ bytes: [UInt8]) -> Bool {
    let key = Array(#""region":{"#.utf8)
    guard bytes.count >= key.count else { return false }
    return (0...bytes.count - key.count).contains { bytes[$0...].starts(with: key) }
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

  /// What of damaged bytes can be read, and a sentence that says what cannot; nil: nothing can.
  static func salvage(
    _ bytes: [UInt8], identifier: String
  ) -> (notification: Notification, loss: String)? {
    guard let salvaged = NotificationCodec.salvageContent(bytes) else { return nil }
    var notification = salvaged.notification
    notification.identifier = identifier
    let isSaid = notification.alertBody != nil || notification.alertTitle != nil
    let heard = ["alertBody", "alertTitle", "soundName"]
    // An alarm whose text is gone says at least that it is one.
    if !isSaid, notification.soundName == nil, heard.contains(where: salvaged.lost.contains) {
      notification.alertBody = identifier
    }
    let fields = salvaged.lost.joined(separator: ", ")
    let words = fields.isEmpty ? "nothing of it lost" : "lost in whole or in part: \(fields)"
    return (notification, "damaged in the books, \(words)")
  }
}

extension Statement {
  /// Binds the columns `content` and `digest`; nil: both are NULL.
  func bindContent(_ content: [UInt8]?) {
    if let content {
      bind(content).bind(Content.digest(content))
    } else {
      bindNull().bindNull()
    }
  }
}
