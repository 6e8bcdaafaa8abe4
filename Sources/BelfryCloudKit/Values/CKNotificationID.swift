import Foundation

/// What a push is known by (P2, P9); equal by value, and can be archived.
public final class CKNotificationID: NSObject, NSCopying, NSSecureCoding, Sendable {
  /// Belfry's own: the id itself.
  public let uuid: UUID

  /// Belfry's own: the id of a push that is known from elsewhere.
  public init(_ uuid: UUID) {
    self.uuid = uuid
    super.init()
  }

  convenience init?(text: String) {
    guard let uuid = UUID(uuidString: text) else { return nil }
    self.init(uuid)
  }

  public static var supportsSecureCoding: Bool { true }

  /// nil: an archive of something else.
  public convenience init?(coder: NSCoder) {
    guard let text = coder.text("uuid") else { return nil }
    self.init(text: text)
  }

  public func encode(with coder: NSCoder) {
    coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? CKNotificationID)?.uuid == uuid
  }

  public override var hash: Int { uuid.hashValue }
  public override var description: String { uuid.uuidString.lowercased() }
}

extension NSCoder {
  /// nil: it is not there.
  func text(_ key: String) -> String? {
    // The decoder keeps an error for a key that is not there.
    guard containsValue(forKey: key) else { return nil }
    return decodeObject(of: NSString.self, forKey: key).map { "\($0)" }
  }
}
