import BelfryCloudKit
import Testing

/// Every property of the notifications, by the payload that an app is handed.
@Suite struct PropertyTests {
  private func notification(_ userInfo: [AnyHashable: Any]) throws -> CKNotification {
    try #require(CKNotification(fromRemoteNotificationDictionary: userInfo))
  }

  private func query(_ part: [String: Any]) throws -> CKQueryNotification {
    try #require(try notification(["ck": ["qry": part]]) as? CKQueryNotification)
  }

  // MARK: What it says

  private static let texts: [(String, String, @Sendable (CKNotification) -> String?)] = [
    ("body", "Hello", { $0.alertBody }),
    ("loc-key", "HELLO", { $0.alertLocalizationKey }),
    ("title", "Door", { $0.title }),
    ("title-loc-key", "DOOR", { $0.titleLocalizationKey }),
    ("subtitle", "Back door", { $0.subtitle }),
    ("subtitle-loc-key", "BACK", { $0.subtitleLocalizationKey }),
    ("action-loc-key", "OPEN", { $0.alertActionLocalizationKey }),
    ("launch-image", "door.png", { $0.alertLaunchImage }),
    ("sound", "bell.wav", { $0.soundName }),
    ("category", "DOORS", { $0.category }),
  ]

  @Test func P1_theTextsOfAnAlert() throws {
    for (key, value, property) in Self.texts {
      let given = try notification(["aps": ["alert": [key: value]], "ck": [String: Any]()])
      #expect(property(given) == value, "\(key)")
      let absent = try notification(["aps": ["alert": [String: Any]()], "ck": [String: Any]()])
      #expect(property(absent) == nil, "\(key)")
    }
  }

  @Test func P1_anAlertIsAStringOrADictionary() throws {
    let bare = try notification(["aps": ["alert": "Hello"], "ck": [String: Any]()])
    #expect(bare.alertBody == "Hello" && bare.title == nil)
    let both = try notification(
      ["aps": ["alert": ["body": "Hello", "loc-key": "KEY"]], "ck": [String: Any]()])
    #expect(both.alertBody == "Hello" && both.alertLocalizationKey == "KEY")
  }

  @Test func P1_L2_argumentsAreTextsAndNilWhereThereAreNone() throws {
    let alert: [String: Any] = [
      "loc-args": ["Ada", 3, 1.5], "title-loc-args": ["one"], "subtitle-loc-args": ["a", "b"],
    ]
    let given = try notification(["aps": ["alert": alert], "ck": [String: Any]()])
    #expect(given.alertLocalizationArgs == ["Ada", "3", "1.5"])
    #expect(given.titleLocalizationArgs == ["one"])
    #expect(given.subtitleLocalizationArgs == ["a", "b"])
    let absent = try notification(["aps": [String: Any](), "ck": [String: Any]()])
    #expect(absent.alertLocalizationArgs == nil && absent.titleLocalizationArgs == nil)
    #expect(absent.subtitleLocalizationArgs == nil)
  }

  @Test func P1_badgeSoundAndCategoryBesideTheAlertOrInIt() throws {
    for inside in [false, true] {
      let three: [String: Any] = ["badge": 7, "sound": "bell.wav", "category": "DOORS"]
      let aps = inside ? ["alert": three] : three
      let found = try notification(["aps": aps, "ck": [String: Any]()])
      #expect(found.badge == 7 && found.soundName == "bell.wav" && found.category == "DOORS")
    }
    let aps: [String: Any] = ["badge": 1, "alert": ["badge": 2]]
    #expect(try notification(["aps": aps, "ck": [String: Any]()]).badge == 1)
  }

  @Test func P1_aSoundMayBeADictionary() throws {
    let sound: [String: Any] = ["name": "default", "volume": 0.5, "critical": 1]
    let found = try notification(["aps": ["sound": sound], "ck": [String: Any]()])
    #expect(found.soundName == "default")
  }

  @Test func P4_anAbsentBadgeIsNilAndZeroIsZero() throws {
    #expect(try notification(["aps": [String: Any](), "ck": [String: Any]()]).badge == nil)
    #expect(try notification(["aps": ["badge": 0], "ck": [String: Any]()]).badge == 0)
    #expect(try notification(["aps": ["badge": 180], "ck": [String: Any]()]).badge == 180)
    #expect(throws: SchedulerErrorOf("aps.badge")) {
      try CKNotification.reading(["aps": ["badge": -1]])
    }
  }

  // MARK: What it is

  @Test func P2_idContainerAndWhatIsPruned() throws {
    let uuid = "0E8DC7E2-51F7-4C84-9C1B-2E0A1F3B7D11"
    let ck: [String: Any] = ["nid": uuid, "cid": "iCloud.org.example", "p": 1, "ckuserid": "_ada"]
    let full = try notification(["ck": ck])
    #expect(full.notificationID?.uuid.uuidString == uuid)
    #expect(full.containerIdentifier == "iCloud.org.example")
    #expect(full.isPruned)
    #expect(full.subscriptionOwnerUserRecordID?.recordName == "_ada")
    let empty = try notification(["ck": [String: Any]()])
    #expect(empty.notificationID == nil && empty.containerIdentifier == nil && !empty.isPruned)
    #expect(empty.subscriptionOwnerUserRecordID == nil && empty.subscriptionID == nil)
  }

  @Test func P2_theSubdictionaryDecidesTheTypeAndTheClass() throws {
    let kinds: [(String?, CKNotification.NotificationType, CKNotification.Type, Int)] = [
      (nil, .base, CKNotification.self, 0), ("qry", .query, CKQueryNotification.self, 1),
      ("fet", .recordZone, CKRecordZoneNotification.self, 2),
      ("met", .database, CKDatabaseNotification.self, 4),
    ]
    for (name, type, kind, number) in kinds {
      let ck = name.map { [$0: ["sid": "s1"]] as [String: Any] } ?? [:]
      let found = try notification(["ck": ck])
      #expect(found.notificationType == type && type.rawValue == number)
      #expect(Swift.type(of: found) == kind)
      #expect(found.subscriptionID == (name == nil ? nil : "s1"))
    }
    #expect(CKNotification.NotificationType.readNotification.rawValue == 3)
  }

  @Test func P2_aPayloadWithoutApsIsOne() throws {
    let found = try notification(["ck": ["nid": "0e8dc7e2-51f7-4c84-9c1b-2e0a1f3b7d11"]])
    #expect(found.notificationType == .base && found.alertBody == nil && found.badge == nil)
  }

  @Test func P2_twoSubdictionariesAreRefused() {
    let both: [AnyHashable: Any] = ["ck": ["qry": [String: Any](), "fet": [String: Any]()]]
    #expect(CKNotification(fromRemoteNotificationDictionary: both) == nil)
    #expect(throws: SchedulerErrorOf("ck.fet")) { try CKNotification.reading(both) }
  }

  @Test func P3_theReasonOfAQuery() throws {
    let reasons: [(Int, CKQueryNotification.Reason)] = [
      (1, .recordCreated), (2, .recordUpdated), (3, .recordDeleted),
    ]
    for (number, reason) in reasons {
      #expect(try query(["fo": number]).queryNotificationReason == reason)
      #expect(reason.rawValue == number)
    }
    #expect(try query([:]).queryNotificationReason == .recordUpdated)
    #expect(throws: SchedulerErrorOf("ck.qry.fo")) {
      try CKNotification.reading(["ck": ["qry": ["fo": 4]]])
    }
  }

  @Test func P3_theRecordOfAQuery() throws {
    let full = try query(["rid": "r1", "zid": "Notes", "zoid": "_ada"])
    let zone = CKRecordZone.ID(zoneName: "Notes", ownerName: "_ada")
    #expect(full.recordID == CKRecord.ID(recordName: "r1", zoneID: zone))
    let bare = try query(["rid": "r1"])
    #expect(bare.recordID == CKRecord.ID(recordName: "r1"))
    #expect(bare.recordID?.zoneID.zoneName == "_defaultZone")
    #expect(bare.recordID?.zoneID.ownerName == CKCurrentUserDefaultName)
    #expect(try query(["zid": "Notes"]).recordID == nil)
  }

  @Test func P3_theFieldsOfAQuery() throws {
    let fields: [String: Any] = ["text": "Milk", "count": 3, "done": false, "price": 1.5]
    let found = try #require(try query(["af": fields]).recordFields)
    #expect(found["text"] as? String == "Milk" && found["count"] as? Int == 3)
    #expect(found["done"] as? Bool == false && found["price"] as? Double == 1.5)
    #expect(found.count == 4)
    #expect(try query([:]).recordFields == nil)
    #expect(try #require(try query(["af": [String: Any]()]).recordFields).isEmpty)
  }

  @Test func P3_theScopesOfTheWireAndOfTheAPI() throws {
    let scopes: [(wire: Int, api: CKDatabase.Scope, number: Int)] = [
      (1, .private, 2), (2, .public, 1), (3, .shared, 3),
    ]
    for (wire, api, number) in scopes {
      #expect(api.rawValue == number)
      #expect(try query(["dbs": wire]).databaseScope == api)
      let zone = try notification(["ck": ["fet": ["dbs": wire]]]) as? CKRecordZoneNotification
      #expect(zone?.databaseScope == api)
      let database = try notification(["ck": ["met": ["dbs": wire]]]) as? CKDatabaseNotification
      #expect(database?.databaseScope == api)
    }
    #expect(try query([:]).databaseScope == .private)
    for wrong in [0, 4] {
      #expect(throws: SchedulerErrorOf("ck.met.dbs")) {
        try CKNotification.reading(["ck": ["met": ["dbs": wrong]]])
      }
    }
  }

  @Test func P3_theZoneOfAZonePush() throws {
    let part: [String: Any] = ["zid": "Notes", "zoid": "_ada", "sid": "zones"]
    let zone = try #require(try notification(["ck": ["fet": part]]) as? CKRecordZoneNotification)
    #expect(zone.recordZoneID == CKRecordZone.ID(zoneName: "Notes", ownerName: "_ada"))
    #expect(zone.subscriptionID == "zones")
    let none = try #require(
      try notification(["ck": ["fet": ["sid": "z"]]]) as? CKRecordZoneNotification)
    #expect(none.recordZoneID == nil)
  }
}
