import BelfryCloudKit
import BelfryUIKit

// 2015, Swift 2: a list that others change too. A push says that something has changed; what it was is
// fetched since the last time, and marked as read.
class SharedListDelegate: UIResponder, UIApplicationDelegate {
  let file = CommandLine.arguments.last!

  func application(
    application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool {
    let settings = UIUserNotificationSettings(forTypes: [.Alert, .Badge, .Sound], categories: nil)
    application.registerUserNotificationSettings(settings)
    application.registerForRemoteNotifications()
    return true
  }

  func application(
    application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: NSData
  ) {
    print("registered, \(deviceToken.length) bytes")
    fetchChanges()
  }

  func application(
    application: UIApplication,
    didFailToRegisterForRemoteNotificationsWithError error: NSError
  ) {
    print("not registered: \(error.localizedDescription)")
  }

  func application(
    application: UIApplication, didReceiveRemoteNotification userInfo: [NSObject: AnyObject]
  ) {
    let notification = CKNotification(
      fromRemoteNotificationDictionary: userInfo as! [String: NSObject])!
    if notification.notificationType == CKNotificationType.Query {
      let query = notification as! CKQueryNotification
      print("push: \(notification.alertBody!) \(query.recordID!.recordName)")
      print("public \(query.isPublicDatabase)")
    }
    fetchChanges()
  }

  func fetchChanges() {
    let operation = CKFetchNotificationChangesOperation(previousServerChangeToken: token)
    var processed = [CKNotificationID]()
    operation.notificationChangedBlock = { notification in
      if notification.notificationType == .ReadNotification {
        print("read elsewhere")
        return
      }
      if let query = notification as? CKQueryNotification {
        switch query.queryNotificationReason {
        case .RecordCreated: print("add \(query.recordFields!["text"] as! String)")
        case .RecordUpdated: print("look again at \(query.recordID!.recordName)")
        case .RecordDeleted: print("remove \(query.recordID!.recordName)")
        default: break
        }
      }
      processed.append(notification.notificationID!)
    }
    operation.fetchNotificationChangesCompletionBlock = {
      (serverChangeToken: CKServerChangeToken?, operationError: NSError?) -> Void in
      guard operationError == nil else {
        print("fetch failed: \(operationError!.domain) \(operationError!.code)")
        return
      }
      self.token = serverChangeToken
      self.markAsRead(processed)
    }
    let queue = NSOperationQueue()
    queue.addOperation(operation)
  }

  func markAsRead(_ ids: [CKNotificationID]) {
    let operation = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: ids)
    operation.markNotificationsReadCompletionBlock = {
      (notificationIDsMarkedRead: [CKNotificationID]?, operationError: NSError?) -> Void in
      print("marked \(notificationIDsMarkedRead!.count), \(operationError == nil)")
    }
    CKContainer.defaultContainer().addOperation(operation)
  }

  var token: CKServerChangeToken? {
    get {
      guard let data = NSData(contentsOfFile: file) else { return nil }
      return NSKeyedUnarchiver.unarchiveObjectWithData(data) as? CKServerChangeToken
    }
    set {
      guard let token = newValue else { return }
      _ = NSKeyedArchiver.archivedDataWithRootObject(token).write(toFile: file, atomically: true)
    }
  }
}
