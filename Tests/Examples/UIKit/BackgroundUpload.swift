import BelfryUIKit

// 2010, iOS 4: work goes on in the background and says when it is done.
class BackgroundUploadDelegate: UIResponder, UIApplicationDelegate {
  var task = UIBackgroundTaskInvalid

  func applicationDidBecomeActive(_ application: UIApplication) {
    DispatchQueue.main.async { application.enterBackground() }
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    task = application.beginBackgroundTask(withName: "upload") {
      print("no time left")
      application.endBackgroundTask(self.task)
      self.task = UIBackgroundTaskInvalid
    }
    print("uploading, \(application.backgroundTimeRemaining > 600 ? "time enough" : "hurry")")
    DispatchQueue.global().async {
      Thread.sleep(forTimeInterval: 0.1)
      DispatchQueue.main.async { self.finish(application) }
    }
  }

  func finish(_ application: UIApplication) {
    let notification = UILocalNotification()
    notification.alertBody = "%d photographs are uploaded"
    notification.hasAction = false
    notification.soundName = "done.caf"
    application.presentLocalNotificationNow(notification)
    application.endBackgroundTask(task)
    task = .invalid
    print("presented")
  }
}
