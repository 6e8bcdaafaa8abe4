import BelfryKit
import TestSupport
import Testing

@testable import BelfryCloudKit

/// Operations on the inboxes of a real daemon.
@Suite(.ownThreads) struct DaemonTests {
  /// Somebody who fetches, and keeps a token in an archive.
  private final class Reader {
    private let container: CKContainer
    private var kept: Data?
    /// What the last fetch told, and its error.
    private(set) var pushes: [CKNotification] = []
    private(set) var error: CKError?

    init(_ daemon: RunningDaemon, container: String = "") {
      self.container = CKContainer(identifier: container, options: daemon.options)
    }

    var token: CKServerChangeToken? {
      get throws {
        try kept.flatMap {
          try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: $0)
        }
      }
    }

    func take(tokenOf other: Reader) {
      kept = other.kept
    }

    /// One operation; whether more is coming.
    @discardableResult
    func fetch(limit: Int = 0, all: Bool = true) throws -> Bool {
      let told = Told()
      let fetch = CKFetchNotificationChangesOperation(previousServerChangeToken: try token)
      fetch.resultsLimit = limit
      fetch.fetchAllChanges = all
      told.hear(fetch)
      container.add(fetch)
      try #require(told.wait() && told.ends.count == 1)
      pushes = told.pushes
      error = told.ends[0].error
      if let token = told.ends[0].token {
        kept = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      }
      return fetch.moreComing
    }

    func mark(_ ids: [CKNotificationID]) throws -> (ids: [CKNotificationID]?, error: CKError?) {
      let told = Told()
      let mark = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: ids)
      told.hear(mark)
      container.add(mark)
      try #require(told.wait())
      return try #require(told.marks.first)
    }

    var ids: [UUID?] { pushes.map { $0.notificationID?.uuid } }
    var kinds: [Int] { pushes.map { $0.notificationType.rawValue } }
  }

  private func push(_ daemon: RunningDaemon, _ count: Int) throws -> [UUID] {
    try (0..<count).map { try daemon.scheduler.push(["aps": ["alert": .string("\($0)")]]).id }
  }

  @Test func P2_P6_P7_whatWasPushedIsFetchedAsItsKind() throws {
    let daemon = try RunningDaemon()
    let nid = UUID()
    try daemon.scheduler.push(["aps": ["alert": "own", "badge": 180, "sound": "default"]])
    try daemon.scheduler.push([
      "aps": ["content-available": 1],
      "ck": [
        "nid": .string(nid.uuidString),
        "qry": ["rid": "r1", "fo": 3, "dbs": 2, "sid": "s", "af": ["text": "Milk", "count": 3]],
      ],
    ])
    try daemon.scheduler.push(["ck": ["fet": ["zid": "Notes", "zoid": "_ada"]]])
    try daemon.scheduler.push(["ck": ["aux": [:], "met": ["dbs": 3, "sid": "all"]]])
    let reader = Reader(daemon)
    try reader.fetch(limit: 3)
    #expect(reader.kinds == [0, 1, 2, 4] && reader.error == nil)
    try #require(reader.pushes.count == 4)
    #expect(reader.pushes.allSatisfy { $0.isPruned && $0.prunedProperties.isEmpty })
    #expect(reader.pushes[0].alertBody == "own" && reader.pushes[0].badge == 180)
    let query = try #require(reader.pushes[1] as? CKQueryNotification)
    #expect(query.notificationID?.uuid == nid && query.queryNotificationReason == .recordDeleted)
    #expect(query.databaseScope == .public && query.recordID?.recordName == "r1")
    #expect(query.recordFields?["text"] as? String == "Milk")
    #expect(query.recordFields?["count"] as? Int == 3)
    let zone = try #require(reader.pushes[2] as? CKRecordZoneNotification)
    #expect(zone.recordZoneID == CKRecordZone.ID(zoneName: "Notes", ownerName: "_ada"))
    #expect((reader.pushes[3] as? CKDatabaseNotification)?.databaseScope == .shared)
    try reader.fetch()
    #expect(reader.pushes.isEmpty && reader.error == nil)
  }

  @Test func P7_tokensSurviveRestartsAndPagesHaveTheirSize() throws {
    let daemon = try RunningDaemon()
    let ids = try push(daemon, 7)
    let reader = Reader(daemon)
    #expect(try reader.fetch(limit: 3, all: false))
    #expect(reader.ids == Array(ids[..<3]))
    try daemon.restart()
    #expect(try reader.fetch(limit: 3, all: false))
    #expect(reader.ids == Array(ids[3..<6]))
    try daemon.restart()
    #expect(try !reader.fetch(limit: 3, all: false))
    #expect(reader.ids == Array(ids[6...]))
  }

  @Test func P8_everyReaderHearsOnceOfWhatOneHasMarked() throws {
    let daemon = try RunningDaemon()
    let readers = (0..<3).map { _ in Reader(daemon) }
    let ids = try push(daemon, 3)
    // At three different points: at the end, after the first, and never yet.
    try readers[0].fetch()
    try readers[1].fetch(limit: 1, all: false)
    let done = try readers[0].mark([CKNotificationID(ids[1])])
    #expect(done.ids == [CKNotificationID(ids[1])] && done.error == nil)
    // Again: nothing happens, and it is no error.
    let again = try readers[1].mark([CKNotificationID(ids[1])])
    #expect(again.ids == [CKNotificationID(ids[1])] && again.error == nil)
    try daemon.restart()
    for (reader, expected) in zip(
      readers, [[ids[1]], [ids[2], ids[1]], [ids[0], ids[2], ids[1]]])
    {
      try reader.fetch()
      #expect(reader.ids == expected)
      #expect(reader.kinds.last == 3 && reader.kinds.dropLast().allSatisfy { $0 == 0 })
      #expect(reader.pushes.last?.alertBody == nil && reader.pushes.last?.userInfo.isEmpty == true)
      try reader.fetch()
      #expect(reader.pushes.isEmpty)
    }
  }

  @Test func P8_anUnknownIdIsAPartialFailure() throws {
    let daemon = try RunningDaemon()
    let known = CKNotificationID(try push(daemon, 1)[0])
    let unknown = CKNotificationID(UUID())
    let done = try Reader(daemon).mark([unknown, known])
    #expect(done.ids == [known] && done.error?.code == .partialFailure)
    #expect(done.error?.partialErrorsByItemID?[unknown] != nil)
  }

  @Test func P7_aTokenOfAnotherInboxIsRefused() throws {
    let daemon = try RunningDaemon()
    _ = try push(daemon, 1)
    try daemon.scheduler.push(["ck": ["cid": "iCloud.x"]])
    let own = Reader(daemon)
    let other = Reader(daemon, container: "iCloud.x")
    try own.fetch()
    #expect(own.pushes.count == 1)
    other.take(tokenOf: own)
    try other.fetch()
    #expect(other.error?.code == .changeTokenExpired)
    #expect(other.error?.reason.code == .tokenForeign)
  }

  @Test func P7_aTokenWhoseEntriesAreGoneIsExpired() throws {
    let daemon = try RunningDaemon(configuration: "[limits]\ninbox = 5\n")
    _ = try push(daemon, 3)
    let reader = Reader(daemon)
    try reader.fetch(limit: 1, all: false)
    let ids = try push(daemon, 6)
    try reader.fetch()
    #expect(reader.error?.code == .changeTokenExpired)
    #expect(reader.error?.reason.code == .tokenExpired && reader.pushes.isEmpty)
    let fresh = Reader(daemon)
    try fresh.fetch()
    #expect(fresh.ids == Array(ids.suffix(5)))
  }

  @Test func P9_theSameIdTwiceIsOne() throws {
    let daemon = try RunningDaemon()
    let id = UUID()
    let payload: [String: PushValue] = ["ck": ["nid": .string(id.uuidString), "cid": "c"]]
    #expect(try !daemon.scheduler.push(payload).isDuplicate)
    #expect(try daemon.scheduler.push(payload).isDuplicate)
    let reader = Reader(daemon, container: "c")
    try reader.fetch()
    #expect(reader.ids == [id] && reader.pushes.first?.containerIdentifier == "c")
    _ = try reader.mark([CKNotificationID(id)])
    #expect(try daemon.scheduler.push(payload).isDuplicate)
    try reader.fetch()
    #expect(reader.kinds == [3])
  }

  @Test func P5_P7_whatIsReallyMissingIsNamed() throws {
    let daemon = try RunningDaemon()
    let long = PushValue.string(String(repeating: "x", count: 200))
    try daemon.scheduler.push(
      ["aps": ["alert": "short"], "ck": ["cid": "c", "qry": ["rid": long, "fo": 2, "sid": "s"]]],
      limit: 256)
    let reader = Reader(daemon, container: "c")
    try reader.fetch()
    let query = try #require(reader.pushes.first as? CKQueryNotification)
    #expect(query.prunedProperties == ["containerIdentifier", "recordID"])
    #expect(query.recordID == nil && query.subscriptionID == "s" && query.alertBody == "short")
  }

  @Test func A4_aContainerThatCannotBeIsBad() throws {
    let daemon = try RunningDaemon()
    let reader = Reader(daemon, container: String(repeating: "c", count: 300))
    try reader.fetch()
    #expect(reader.error?.code == .badContainer && reader.error?.reason.field == "container")
  }

  @Test func withoutADaemonTheServiceIsUnavailable() throws {
    let options = SchedulerOptions(
      socket: "/tmp/belfry-nobody-\(UUID().uuidString)", patience: .milliseconds(10))
    let told = Told()
    let fetch = CKFetchNotificationChangesOperation()
    told.hear(fetch)
    CKContainer(identifier: "", options: options).add(fetch)
    try #require(told.wait())
    #expect(told.ends.first?.error?.code == .serviceUnavailable)
    #expect(told.ends.first?.error?.retryAfterSeconds == 5)
  }
}
