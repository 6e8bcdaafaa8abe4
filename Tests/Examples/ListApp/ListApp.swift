import BelfryCloudKit
import BelfryUIKit

@main
final class ListApp: UIResponder, UIApplicationDelegate {
  /// Where the token is kept.
  let kept = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "list.token")

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    fetchChanges(since: keptToken())  // what came while the app was not there
    return true
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) {
    guard CKNotification(fromRemoteNotificationDictionary: userInfo) is CKQueryNotification else {
      return
    }
    fetchChanges(since: keptToken())
  }

  func keptToken() -> CKServerChangeToken? {
    guard let data = try? Data(contentsOf: kept) else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data)
  }

  func fetchChanges(since token: CKServerChangeToken?) {
    let fetch = CKFetchNotificationChangesOperation(previousServerChangeToken: token)
    fetch.fetchAllChanges = true  // page after page
    fetch.notificationChangedBlock = { push in
      if let query = push as? CKQueryNotification, let record = query.recordID {
        let line = "\(query.queryNotificationReason) \(record.recordName)\n"
        FileHandle.standardOutput.write(Data(line.utf8))
      }
      guard let id = push.notificationID, push.notificationType != .readNotification else { return }
      CKContainer.default().add(CKMarkNotificationsReadOperation(notificationIDsToMarkRead: [id]))
    }
    fetch.fetchNotificationChangesCompletionBlock = { [kept] token, error in
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
}
