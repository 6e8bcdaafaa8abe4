@_exported import Foundation

/// A push, as it came or as it was fetched from an inbox (P1 to P8).
///
/// Making one from the `userInfo` of a push gives the subclass that its `ck` part asks for:
///
/// ```swift
/// func application(
///   _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
/// ) {
///   guard let push = CKNotification(fromRemoteNotificationDictionary: userInfo) else { return }
///   if let query = push as? CKQueryNotification, let record = query.recordID {
///     print(record.recordName, query.queryNotificationReason)
///   }
/// }
/// ```
///
/// Nothing of it changes, so it is for any thread.
open class CKNotification: NSObject, CKRemoteNotification, @unchecked Sendable {
  /// What kind of push it is; raw values as on iOS (P2).
  public enum NotificationType: Int, Sendable {
    /// No part of `ck` says what it is about: a `CKNotification` and no subclass. On iOS this value
    /// has no name.
    case base = 0
    /// A `CKQueryNotification`.
    case query = 1
    /// A `CKRecordZoneNotification`.
    case recordZone = 2
    /// Another push was marked read; comes only by fetching, with nothing but its id (P8).
    case readNotification = 3
    /// A `CKDatabaseNotification`.
    case database = 4
  }

  /// The push's id, as CloudKit calls it today.
  public typealias ID = CKNotificationID

  let content: PushContent

  /// For subclasses that `make` chooses.
  init(_ content: PushContent) {
    self.content = content
    super.init()
  }

  // MARK: What it is

  open var notificationType: NotificationType { content.type }

  /// `ck.nid` (P2). Fetched ones always have one, which the inbox gave them if the payload did not
  /// (P9).
  open var notificationID: CKNotificationID? { content.id }

  /// `ck.cid`: the container whose inbox has it; nil: the app's own.
  open var containerIdentifier: String? { content.payload.cloud?.containerIdentifier }

  /// Properties were left out to fit the push: `ck.p` of one that came, always true of one that was
  /// fetched, as CloudKit documents (P7). What of a fetched one is really missing is `prunedProperties`.
  open var isPruned: Bool { content.isPruned }

  /// Belfry's own: the names of properties that are known to be missing, in the order in which they
  /// were left out (P5).
  open var prunedProperties: [String] { content.pruned }

  /// `ck.qry.sid` and its like: the subscription that caused it.
  open var subscriptionID: CKSubscription.ID? { content.subject?.subscription }

  /// `ck.ckuserid`: who owns the subscription; nil where the payload does not say.
  open var subscriptionOwnerUserRecordID: CKRecord.ID? {
    content.payload.cloud?.subscriptionOwner.map { CKRecord.ID(recordName: $0) }
  }

  /// Belfry's own: the whole payload, as the delegate gets it. Empty of a read notification.
  open var userInfo: [AnyHashable: Any] { content.userInfo }

  // MARK: What it says

  /// The alert's text; not shown where there is an `alertLocalizationKey` (P4).
  open var alertBody: String? { content.payload.alert.body }
  /// The key of the alert's text in the app's `.strings` table.
  open var alertLocalizationKey: String? { content.payload.alert.bodyKey }
  /// What the text's `%@` stand for, numbers in their shortest form; nil: none are given.
  open var alertLocalizationArgs: [String]? { texts(content.payload.alert.bodyArguments) }

  open var title: String? { content.payload.alert.title }
  open var titleLocalizationKey: String? { content.payload.alert.titleKey }
  open var titleLocalizationArgs: [String]? { texts(content.payload.alert.titleArguments) }

  open var subtitle: String? { content.payload.alert.subtitle }
  open var subtitleLocalizationKey: String? { content.payload.alert.subtitleKey }
  open var subtitleLocalizationArgs: [String]? { texts(content.payload.alert.subtitleArguments) }

  /// nil: the alert has one button, OK; set: one to dismiss and one, with this text, to open (P4).
  open var alertActionLocalizationKey: String? { content.payload.alert.actionKey }
  open var alertLaunchImage: String? { content.payload.alert.launchImage }

  /// nil: the badge stays as it is; 0 clears it (P4).
  open var badge: NSNumber? { content.payload.badge.map { NSNumber(value: $0) } }

  /// A file name, or `default`.
  open var soundName: String? { content.payload.sound?.name }
  open var category: String? { content.payload.category }

  open override var description: String {
    let id = notificationID.map { "\($0.uuid)" } ?? "nil"
    return "<\(type(of: self)): notificationType = \(notificationType), notificationID = \(id), "
      + "containerIdentifier = \(containerIdentifier ?? "nil"), "
      + "subscriptionID = \(subscriptionID ?? "nil"), isPruned = \(isPruned)>"
  }
}

extension CKNotification {
  var isOfCloudKit: Bool { content.payload.cloud != nil }
}

/// A push that was made by its `userInfo`.
///
/// Carries the initializer, since a class's own could not answer with a subclass.
public protocol CKRemoteNotification {}

extension CKRemoteNotification {
  /// Reads the `userInfo` of a push: `CKNotification` answers with the subclass that it asks for, a
  /// subclass with nil where it asks for another.
  ///
  /// nil: there is no `ck` in it, so it is none of CloudKit's, or it breaks a rule of P1 to P3;
  /// `CKNotification.read(_:)` says which.
  public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
    // Not by the dictionary's own "ck": a key that is an NSString is another one here.
    guard let made = try? CKNotification.read(notificationDictionary), made.isOfCloudKit,
      let own = made as? Self
    else { return nil }
    self = own
  }
}
