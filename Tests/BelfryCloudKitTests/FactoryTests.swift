import BelfryCloudKit
import Testing

/// Which object comes of a `userInfo`, in whatever types an app has it.
@Suite struct FactoryTests {
  private let query: [AnyHashable: Any] = [
    "aps": ["alert": "New", "badge": 180, "sound": "default"] as [String: Any],
    "ck": [
      "nid": "0e8dc7e2-51f7-4c84-9c1b-2e0a1f3b7d11", "cid": "iCloud.org.example",
      "qry": ["fo": 1, "rid": "r1", "zid": "_defaultZone", "dbs": 2, "sid": "s"] as [String: Any],
    ] as [String: Any],
  ]

  @Test func P2_aSubclassAnswersForItsOwnKindAlone() {
    #expect(CKQueryNotification(fromRemoteNotificationDictionary: query)?.recordID != nil)
    #expect(CKDatabaseNotification(fromRemoteNotificationDictionary: query) == nil)
    #expect(CKRecordZoneNotification(fromRemoteNotificationDictionary: query) == nil)
    let made = CKNotification(fromRemoteNotificationDictionary: query)
    #expect((made as? CKQueryNotification)?.queryNotificationReason == .recordCreated)
    #expect(made as? CKDatabaseNotification == nil)
  }

  @Test func P2_whatIsNotOfCloudKitIsNil() throws {
    let foreign: [AnyHashable: Any] = ["aps": ["alert": "Hello"]]
    #expect(CKNotification(fromRemoteNotificationDictionary: foreign) == nil)
    #expect(CKNotification(fromRemoteNotificationDictionary: [:]) == nil)
    #expect(CKNotification(fromRemoteNotificationDictionary: ["ck": "no"]) == nil)
    // The app's own can be read all the same.
    let read = try CKNotification.read(foreign)
    #expect(read.alertBody == "Hello" && read.notificationType == .base)
  }

  @Test func P1_dictionariesOfEveryAge() throws {
    let swift3 = query as? [String: NSObject]
    let swift2 = try #require(swift3 as? [NSObject: AnyObject])
    let again = try #require(swift2 as? [String: NSObject])
    let objects: [AnyHashable: Any] = [
      "ck": NSDictionary(dictionary: [
        "qry": NSDictionary(dictionary: ["fo": NSNumber(value: 1), "rid": NSString(string: "r1")])
      ])
    ]
    for userInfo: [AnyHashable: Any] in [query, try #require(swift3), swift2, again, objects] {
      let made = CKNotification(fromRemoteNotificationDictionary: userInfo)
      #expect((made as? CKQueryNotification)?.recordID?.recordName == "r1")
    }
  }

  @Test func P1_anAppsOwnMembersAndNullDoNoHarm() throws {
    let userInfo: [AnyHashable: Any] = [
      "ck": ["qry": ["rid": NSNull(), "fo": 2], "ce": 2] as [String: Any], "mine": ["a": [1, "b"]],
      "nothing": NSNull(),
    ]
    let made = try #require(CKNotification(fromRemoteNotificationDictionary: userInfo))
    #expect((made as? CKQueryNotification)?.recordID == nil)
    #expect((made.userInfo["mine"] as? [String: Any])?["a"] is [Any])
    #expect(made.userInfo["nothing"] is NSNull)
  }

  @Test(arguments: [
    ("aps", #"{"aps": [1]}"#), ("aps.alert", #"{"aps": {"alert": 3}}"#),
    ("aps.badge", #"{"aps": {"badge": "three"}}"#), ("aps.badge", #"{"aps": {"badge": 1.5}}"#),
    ("aps.badge", #"{"aps": {"badge": [3]}}"#),
    ("aps.badge", #"{"aps": {"badge": 1000000000000}}"#),
    ("aps.sound.critical", #"{"aps": {"sound": {"name": "a", "critical": 7}}}"#),
    ("ck", #"{"ck": 1}"#), ("ck.nid", #"{"ck": {"nid": "no"}}"#),
    ("ck.qry.dbs", #"{"ck": {"qry": {"dbs": "two"}}}"#),
    ("ck.qry.rid", #"{"ck": {"qry": {"rid": 5}}}"#),
  ])
  func A4_P1_whatIsWrongIsNamedByItsPath(path: String, json: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let userInfo = try #require(object as? [AnyHashable: Any])
    #expect(throws: SchedulerErrorOf(path)) { try CKNotification.reading(userInfo) }
    #expect(CKNotification(fromRemoteNotificationDictionary: userInfo) == nil)
  }

  @Test func P1_oddButPlainFormsAreTakenAsMeant() throws {
    let userInfo: [AnyHashable: Any] = [
      "aps": ["badge": true], "ck": ["qry": ["dbs": "2"]] as [String: Any],
    ]
    let made = try #require(CKQueryNotification(fromRemoteNotificationDictionary: userInfo))
    #expect(made.badge == 1)
    #expect(made.databaseScope == .public)
  }

  @Test func A4_P1_whatJSONHasNotIsNamedByItsPath() {
    let strange: [(String, [AnyHashable: Any])] = [
      ("when", ["ck": [String: Any](), "when": Date()]), ("a[1]", ["a": [1, Data()] as [Any]]),
      ("a.b", ["a": ["b": Double.infinity]]), ("", [7: "seven"]),
    ]
    for (path, userInfo) in strange {
      #expect(throws: SchedulerErrorOf(path)) { try CKNotification.reading(userInfo) }
      #expect(CKNotification(fromRemoteNotificationDictionary: userInfo) == nil)
    }
  }

  /// Shapes seen in the wild.
  @Test func P1_P2_P3_silentPublicQuery() throws {
    let userInfo: [AnyHashable: Any] = [
      "aps": ["content-available": 1],
      "ck": [
        "ce": 2, "cid": "iCloud.x", "nid": "0e8dc7e2-51f7-4c84-9c1b-2e0a1f3b7d11",
        "qry": [
          "dbs": 2, "fo": 3, "rid": "r", "sid": "s", "zid": "_defaultZone", "zoid": "_defaultOwner",
        ] as [String: Any],
      ] as [String: Any],
    ]
    let made = try #require(CKQueryNotification(fromRemoteNotificationDictionary: userInfo))
    #expect(made.databaseScope == .public && made.queryNotificationReason == .recordDeleted)
    #expect(made.alertBody == nil && made.badge == nil && made.soundName == nil)
    #expect(made.recordID?.zoneID.ownerName == "_defaultOwner")
  }

  @Test func P1_P2_P3_databasePushWithAux() throws {
    let userInfo: [AnyHashable: Any] = [
      "aps": ["content-available": 1],
      "ck": [
        "aux": [String: Any](), "ce": 2, "cid": "iCloud.x", "ckuserid": "_0b",
        "met": ["dbs": 1, "sid": "private-changes", "zid": "Notes", "zoid": "_0b"] as [String: Any],
        "nid": "0e8dc7e2-51f7-4c84-9c1b-2e0a1f3b7d11",
      ] as [String: Any],
    ]
    let made = try #require(CKDatabaseNotification(fromRemoteNotificationDictionary: userInfo))
    #expect(made.databaseScope == .private && made.subscriptionID == "private-changes")
    #expect(made.recordZoneID == CKRecordZone.ID(zoneName: "Notes", ownerName: "_0b"))
    #expect(made.subscriptionOwnerUserRecordID?.recordName == "_0b")
  }
}

extension CKNotification {
  /// Throws like any function, for `#expect(throws:)`.
  static func reading(_ userInfo: [AnyHashable: Any]) throws {
    do {
      _ = try CKNotification.read(userInfo)
    } catch {
      throw SchedulerErrorOf(error.field ?? "")
    }
  }
}

/// A refusal, by the path that it names.
struct SchedulerErrorOf: Error, Equatable {
  var path: String

  init(_ path: String) {
    self.path = path
  }
}
