import Foundation

internal import BelfryWire

/// A record that a subscription's query matches was created, changed or deleted (P3).
open class CKQueryNotification: CKNotification, @unchecked Sendable {
  /// What happened to the record; raw values as on iOS and on the wire.
  public enum Reason: Int, Sendable {
    case recordCreated = 1
    case recordUpdated, recordDeleted
  }

  /// `ck.qry.fo`; where it was left out, `.recordUpdated`: look at the record.
  open var queryNotificationReason: Reason {
    content.query?.reason.flatMap { Reason(rawValue: Int($0.rawValue)) } ?? .recordUpdated
  }

  /// `ck.qry.af`: the fields of the record that the subscription asked for, as `String`, `Int`,
  /// `Double`, `Bool`, `[Any]`, `[String: Any]` and `NSNull`; nil: none were asked for, or they were
  /// left out.
  open var recordFields: [String: Any]? {
    content.query?.fields.map { _ in
      content.pairs["ck"]?["qry"]?["af"]?.dictionary?.mapValues { $0.any } ?? [:]
    }
  }

  /// `ck.qry.rid` in its zone; nil: it was left out.
  open var recordID: CKRecord.ID? {
    content.query?.record.map {
      CKRecord.ID(recordName: $0, zoneID: content.subject?.recordZoneID ?? .default)
    }
  }

  /// `ck.qry.dbs`; where it was left out, `.private`.
  open var databaseScope: CKDatabase.Scope { content.scope }

  @available(*, deprecated, message: "use databaseScope")
  open var isPublicDatabase: Bool { databaseScope == .public }
}

/// A record zone has changed (P2).
open class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
  /// `ck.fet.zid` and `zoid`; nil: it was left out.
  open var recordZoneID: CKRecordZone.ID? { content.subject?.recordZoneID }

  /// `ck.fet.dbs`; where it was left out, `.private`.
  open var databaseScope: CKDatabase.Scope { content.scope }
}

/// Something in a database has changed (P2).
open class CKDatabaseNotification: CKNotification, @unchecked Sendable {
  /// `ck.met.dbs`; where it was left out, `.private`.
  open var databaseScope: CKDatabase.Scope { content.scope }

  /// Belfry's own: `ck.met.zid` and `zoid`, the zone where it happened; nil: the payload does not say.
  open var recordZoneID: CKRecordZone.ID? { content.subject?.recordZoneID }
}

extension PushContent {
  fileprivate var scope: CKDatabase.Scope { subject?.scope.map { .init($0) } ?? .private }
}

extension CloudSubject {
  fileprivate var recordZoneID: CKRecordZone.ID? {
    zone.map { CKRecordZone.ID(zoneName: $0, ownerName: zoneOwner ?? CKCurrentUserDefaultName) }
  }
}
