import BelfryCloudKit
import BelfryUIKit

// 2016, Swift 3: silent pushes of a database, two changes at a time, in the background too.
class ChangeFeedDelegate: UIResponder, UIApplicationDelegate {
  let container = CKContainer(identifier: "iCloud.org.example.feed")
  var token: CKServerChangeToken?

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]? = nil
  ) -> Bool {
    application.registerForRemoteNotifications()
    print("container \(container.containerIdentifier!)")
    return true
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    let dictionary = userInfo as! [String: NSObject]
    guard
      let change = CKNotification(fromRemoteNotificationDictionary: dictionary)
        as? CKDatabaseNotification
    else {
      completionHandler(.noData)
      return
    }
    print("database \(change.databaseScope.rawValue) of \(change.subscriptionID!)")
    fetch { succeeded in completionHandler(succeeded ? .newData : .failed) }
  }

  func fetch(_ done: @escaping (Bool) -> Void) {
    let operation = CKFetchNotificationChangesOperation(previousServerChangeToken: token)
    operation.resultsLimit = 2
    operation.qualityOfService = .utility
    operation.notificationChangedBlock = { notification in
      print("\(notification.notificationType) pruned \(notification.isPruned)")
    }
    operation.fetchNotificationChangesCompletionBlock = { [unowned self] newToken, error in
      if let error = error as? CKError, error.code == .changeTokenExpired {
        print("again from the beginning")
        self.token = nil
        self.fetch(done)
        return
      }
      if let error = error {
        print("failed: \(error.localizedDescription)")
        done(false)
        return
      }
      self.token = newToken
      if operation.moreComing {
        print("more")
        self.fetch(done)
      } else {
        print("all")
        done(true)
      }
    }
    container.add(operation)
  }
}
