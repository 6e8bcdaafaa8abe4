import BelfryCloudKit
import BelfryUIKit

@main
final class ListApp: UIResponder, UIApplicationDelegate {
  /// Where the token is kept.
  let kept = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "list.token")
  var isFetching = false
  /// A push came while a fetch was under way.
  var isBehind = false

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    fetchChanges()  // what came while the app was not there
    return true
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) {
    guard CKNotification(fromRemoteNotificationDictionary: userInfo) is CKQueryNotification else {
      return
    }
    fetchChanges()
  }

  func keptToken() -> CKServerChangeToken? {
    guard let data = try? Data(contentsOf: kept) else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data)
  }

  /// One fetch at a time, since each begins at the token of the one before.
  func fetchChanges() {
    isBehind = isFetching
    guard !isFetching else { return }
    isFetching = true
    let fetch = CKFetchNotificationChangesOperation(previousServerChangeToken: keptToken())
    fetch.fetchAllChanges = true  // page after page
    fetch.notificationChangedBlock = { push in
      if let query = push as? CKQueryNotification, let record = query.recordID {
        let line = "\(query.queryNotificationReason) \(record.recordName)\n"
        FileHandle.standardOutput.write(Data(line.utf8))
      }
      guard let id = push.notificationID, push.notificationType != .readNotification else { return }
      CKContainer.default().add(CKMarkNotificationsReadOperation(notificationIDsToMarkRead: [id]))
    }
    fetch.fetchNotificationChangesCompletionBlock = { [self] token, error in
      defer { DispatchQueue.main.async { self.fetchEnded() } }
      if case CKError.changeTokenExpired? = error {
        try? FileManager.default.removeItem(at: kept)  // fetch all of it the next time
      }
      guard let token else { return }
      let data = try? NSKeyedArchiver.archivedData(
        withRootObject: token, requiringSecureCoding: true)
      try? data?.write(to: kept)
    }
    CKContainer.default().add(fetch)
  }

  func fetchEnded() {
    isFetching = false
    if isBehind { fetchChanges() }
  }
}
