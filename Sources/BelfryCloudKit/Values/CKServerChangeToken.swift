import Foundation

/// How far an inbox was read (P7): keep the newest, in an archive, and give it to the next
/// `CKFetchNotificationChangesOperation`.
///
/// ```swift
/// let kept = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
/// // … the program was started again:
/// let token = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: kept)
/// ```
///
/// It survives restarts of the daemon. One that is too old, or of another inbox, is refused with
/// `CKError.Code.changeTokenExpired`.
public final class CKServerChangeToken: NSObject, NSCopying, NSSecureCoding, Sendable {
  /// As the daemon writes it; nothing is to be read out of it.
  let text: String

  init(_ text: String) {
    self.text = text
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  /// nil: an archive of something else.
  public convenience init?(coder: NSCoder) {
    guard let text = coder.text("token") else { return nil }
    self.init(text)
  }

  public func encode(with coder: NSCoder) {
    coder.encode(NSString(string: text), forKey: "token")
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? CKServerChangeToken)?.text == text
  }

  public override var hash: Int { text.hashValue }
  public override var description: String { "<CKServerChangeToken: \(text)>" }
}
