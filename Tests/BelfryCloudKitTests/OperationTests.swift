import BelfryKit
import Testing

@testable import BelfryCloudKit

/// Fetching and marking, with an inbox in memory.
@Suite struct OperationTests {
  let inbox = FakeInbox()
  let container: CKContainer
  let told = Told()

  init() {
    container = CKContainer("iCloud.x", inbox)
  }

  private func fetch(
    since token: CKServerChangeToken? = nil, limit: Int = 0, all: Bool = false
  ) -> CKFetchNotificationChangesOperation {
    let fetch = CKFetchNotificationChangesOperation(previousServerChangeToken: token)
    fetch.resultsLimit = limit
    fetch.fetchAllChanges = all
    told.hear(fetch)
    return fetch
  }

  @Test func P7_onePageAndItsToken() throws {
    let ids = (0..<5).map { _ in inbox.add() }
    let first = fetch(limit: 3)
    container.add(first)
    #expect(told.wait())
    #expect(first.moreComing && first.isFinished && !first.isExecuting)
    let token = try #require(told.ends.first?.token)
    let second = fetch(since: token, limit: 3)
    container.add(second)
    #expect(told.wait())
    #expect(!second.moreComing)
    #expect(told.pushes.map { $0.notificationID?.uuid } == ids)
    #expect(told.ends.count == 2 && told.ends.allSatisfy { $0.error == nil })
    #expect(inbox.fetches.map { $0.limit } == [3, 3] && inbox.fetches[0].since == nil)
    #expect(inbox.fetches.allSatisfy { $0.container == "iCloud.x" })
  }

  @Test func P7_allPagesInOneOperation() {
    let ids = (0..<25).map { _ in inbox.add() }
    let fetch = fetch(limit: 4, all: true)
    container.add(fetch)
    #expect(told.wait())
    #expect(told.pushes.map { $0.notificationID?.uuid } == ids && !fetch.moreComing)
    #expect(told.ends.count == 1 && inbox.fetches.count == 7)
  }

  @Test func P7_P8_fetchedOnesArePrunedAndOfTheirKind() {
    inbox.add(.base, ["aps": ["alert": "own"]])
    inbox.add(.query, ["ck": ["qry": ["rid": "r", "fo": 1]]])
    inbox.add(.recordZone, ["ck": ["fet": ["zid": "z"]]])
    inbox.add(.database, ["ck": ["met": ["dbs": 3]]])
    let read = inbox.add(.readNotification, nil)
    container.add(fetch())
    #expect(told.wait())
    let pushes = told.pushes
    #expect(pushes.map { $0.notificationType.rawValue } == [0, 1, 2, 4, 3])
    #expect(pushes.allSatisfy { $0.isPruned && $0.prunedProperties == ["badge"] })
    #expect(pushes[0].alertBody == "own")
    #expect((pushes[1] as? CKQueryNotification)?.recordID?.recordName == "r")
    #expect((pushes[2] as? CKRecordZoneNotification)?.recordZoneID?.zoneName == "z")
    #expect((pushes[3] as? CKDatabaseNotification)?.databaseScope == .shared)
    #expect(pushes[4].notificationID?.uuid == read && pushes[4].userInfo.isEmpty)
    #expect(type(of: pushes[4]) == CKNotification.self && pushes[4].alertBody == nil)
  }

  @Test func P7_expiredAndForeignTokensAreChangeTokenExpired() {
    for code in [SchedulerError.Code.tokenExpired, .tokenForeign] {
      inbox.refuse(SchedulerError(code, "x"))
      container.add(fetch(since: CKServerChangeToken("9")))
      #expect(told.wait())
      #expect(told.ends.last?.error?.code == .changeTokenExpired)
      #expect(told.ends.last?.error?.reason.code == code && told.ends.last?.token == nil)
    }
  }

  @Test func P7_aFetchThatFailsPartwaySaysHowFarItCame() {
    for _ in 0..<5 { inbox.add() }
    inbox.refuse(nil, SchedulerError(.noDaemon, "gone"))
    container.add(fetch(limit: 2, all: true))
    #expect(told.wait())
    #expect(told.pushes.count == 2)
    #expect(told.ends.first?.token?.text == "2")
    #expect(told.ends.first?.error?.code == .serviceUnavailable)
  }

  @Test func inAnOperationQueueWithDependencies() {
    let queue = OperationQueue()
    inbox.add()
    let first = fetch()
    first.container = container
    let order = Order()
    first.fetchNotificationChangesCompletionBlock = { _, _ in order.note("fetched") }
    let second = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: [])
    second.container = container
    second.markNotificationsReadCompletionBlock = { _, _ in order.note("marked") }
    second.addDependency(first)
    queue.addOperations([second, first], waitUntilFinished: true)
    #expect(order.notes == ["fetched", "marked"])
    #expect(first.isFinished && second.isFinished)
  }

  @Test func startedByItselfItReturnsAtOnce() {
    inbox.add()
    let gate = DispatchSemaphore(value: 0)
    inbox.onFetch = { gate.wait() }
    let fetch = fetch()
    fetch.configuration.container = container
    fetch.start()
    #expect(fetch.isExecuting && !fetch.isFinished && fetch.isAsynchronous)
    fetch.start()
    gate.signal()
    #expect(told.wait())
    #expect(told.pushes.count == 1 && told.ends.count == 1)
  }

  @Test func aCancelledOneSaysSo() {
    inbox.add()
    let early = fetch()
    early.cancel()
    container.add(early)
    #expect(told.wait())
    #expect(told.ends.map { $0.error?.code } == [.operationCancelled] && told.pushes.isEmpty)
    let late = fetch()
    inbox.onFetch = { late.cancel() }
    container.add(late)
    #expect(told.wait())
    #expect(told.ends.last?.error?.code == .operationCancelled && told.pushes.isEmpty)
  }

  @Test func aBlockThatUsesItsOperationDoesNotKeepIt() {
    weak var gone: CKFetchNotificationChangesOperation?
    do {
      let fetch = fetch()
      gone = fetch
      let done = DispatchSemaphore(value: 0)
      fetch.completionBlock = nil
      fetch.fetchNotificationChangesCompletionBlock = { _, _ in
        #expect(!fetch.moreComing)
        done.signal()
      }
      container.add(fetch)
      #expect(done.wait(timeout: .now() + 60) == .success)
    }
    for _ in 0..<60_000 where gone != nil { usleep(1000) }
    #expect(gone == nil)
  }

  @Test func theConfigurationsContainerAndTimeoutCount() {
    let other = FakeInbox()
    other.add()
    let fetch = fetch()
    fetch.container = container
    fetch.configuration.container = CKContainer("other", other)
    fetch.configuration.timeoutIntervalForRequest = 7
    CKContainer("third", inbox).add(fetch)
    #expect(told.wait())
    #expect(told.pushes.count == 1 && other.fetches.map { $0.container } == ["other"])
    #expect(other.fetches.first?.timeout == 7 && inbox.fetches.isEmpty)
  }

  @Test func P8_markingNamesWhatIsUnknown() throws {
    let known = CKNotificationID(inbox.add())
    let unknown = CKNotificationID(UUID())
    let mark = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: [known, unknown])
    told.hear(mark)
    container.add(mark)
    #expect(told.wait())
    #expect(told.marks.first?.ids == [known])
    let error = try #require(told.marks.first?.error)
    #expect(error.code == .partialFailure)
    let partial = try #require(error.partialErrorsByItemID)
    #expect(Array(partial.keys) == [AnyHashable(unknown)])
    #expect((partial[unknown] as? CKError)?.code == .unknownItem)
  }

  @Test func P8_markingAllOrNothingIsNoError() {
    let id = CKNotificationID(inbox.add())
    for ids in [[id], []] {
      let mark = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: ids)
      told.hear(mark)
      container.add(mark)
      #expect(told.wait())
      #expect(told.marks.last?.ids == ids && told.marks.last?.error == nil)
    }
    inbox.refuse(SchedulerError(.notOwner, field: "app", "x"))
    let mark = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: [id])
    told.hear(mark)
    container.add(mark)
    #expect(told.wait())
    #expect(told.marks.last?.ids == nil && told.marks.last?.error?.code == .permissionFailure)
  }
}

/// What happened, in order.
private final class Order: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [String] = []

  var notes: [String] { lock.withLock { all } }
  func note(_ text: String) { lock.withLock { all.append(text) } }
}
