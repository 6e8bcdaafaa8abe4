import BelfryCore

/// CloudKit's part of a payload, its member `ck` (P2, P3).
public struct CloudKitPayload: Hashable, Sendable {
  /// `nid`.
  public var notificationID: UUIDBits?
  /// `cid`.
  public var containerIdentifier: String?
  /// `ckuserid`: who owns the subscription.
  public var subscriptionOwner: String?
  /// `p`: properties were left out to fit a limit (P5).
  public var isPruned = false
  public var kind = CloudKind.base
  /// Members that have no meaning here.
  public var unknown = JSONObject()

  public init() {}
}

/// Which sub-dictionary there is, and so which kind of notification (P2).
///
/// Numbered as `CKNotification.NotificationType`; 3, a read notification, comes only by fetching.
public enum CloudKind: Hashable, Sendable {
  /// 0: none.
  case base
  /// 1: `qry`.
  case query(CloudQuery)
  /// 2: `fet`.
  case recordZone(CloudSubject)
  /// 4: `met`.
  case database(CloudSubject)

  public var number: Int64 {
    switch self {
    case .base: 0
    case .query: 1
    case .recordZone: 2
    case .database: 4
    }
  }
}

/// What all sub-dictionaries can say: the zone, the subscription and the database.
public struct CloudSubject: Hashable, Sendable {
  /// `zid` and `zoid`: the record zone's name and its owner's.
  public var zone: String?
  public var zoneOwner: String?
  /// `sid`.
  public var subscription: String?
  /// `dbs`.
  public var scope: DatabaseScope?
  /// Members that have no meaning here.
  public var unknown = JSONObject()

  public init() {}
}

/// `qry`: a record that a subscription's query matches was created, changed or deleted.
public struct CloudQuery: Hashable, Sendable {
  /// `fo`.
  public enum Reason: Int64, CaseIterable, Sendable {
    case recordCreated = 1
    case recordUpdated, recordDeleted
  }

  public var reason: Reason?
  /// `rid`: the record's name; its zone is the subject's.
  public var record: String?
  /// `af`: the record's fields that the subscription asked for; nil: none were asked for.
  public var fields: JSONObject?
  public var subject = CloudSubject()

  public init() {}
}

/// `dbs`, by its numbers on the wire (P3); CloudKit's API counts public 1, private 2, shared 3.
public enum DatabaseScope: Int64, CaseIterable, Sendable {
  case `private` = 1
  case `public`, shared
}
