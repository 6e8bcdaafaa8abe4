import Testing

@testable import BelfryUIKit

@MainActor @Suite struct NamesTests {
  @Test(
    arguments: [
      ("registerUserNotificationSettings:", true), ("scheduledLocalNotifications", true),
      ("setApplicationIconBadgeNumber:", true), ("setStatusBarStyle:animated:", true),
      ("registerUserNotificationSettings", false), ("setAlertTitle:", false),
      ("setAlternateIconName:completionHandler:", false),
    ])
  func anApplicationRespondsToWhatIsHere(_ name: String, _ wanted: Bool) {
    let application = UIApplication(service: FakeNotificationService())
    #expect(application.responds(to: Selector(name)) == wanted)
    #expect(UIApplication.instancesRespond(to: NSSelectorFromString(name)) == wanted)
  }

  @Test func subclassesRespondToWhatTheirClassHas() {
    final class Alarm: UILocalNotification {}
    #expect(Alarm().responds(to: "setAlertTitle:"))
    #expect(Alarm.instancesRespond(to: "category"))
    #expect(!UILocalNotification().responds(to: "registerUserNotificationSettings:"))
    #expect(CLLocationManager.instancesRespond(to: "requestAlwaysAuthorization"))
    #expect(!NSObject().responds(to: "alertTitle"))
  }

  @Test func aStatusBarKeepsWhatItIsTold() {
    let application = UIApplication(service: FakeNotificationService())
    application.setStatusBarStyle(.lightContent, animated: true)
    application.setStatusBarHidden(true, with: .fade)
    #expect(application.statusBarStyle == .lightContent && application.isStatusBarHidden)
    #expect(UIStatusBarStyle(rawValue: 1) == .lightContent)
  }

  @Test func anActivityKeepsWhatItIsTold() {
    let activity = NSUserActivity(activityType: "a")
    activity.addUserInfoEntries(from: ["a": 1, "b": 1])
    activity.addUserInfoEntries(from: ["b": 2])
    #expect(activity.userInfo as? [String: Int] == ["a": 1, "b": 2])
  }

  @Test func theDelegatesWindowIsFoundThroughTwoOptionals() {
    final class Windowed: NSObject, UIApplicationDelegate {
      var window: UIWindow?
    }
    let application = UIApplication(service: FakeNotificationService())
    let delegate = Windowed()
    application.delegate = delegate
    #expect(application.delegate?.window??.tag == nil)
    delegate.window = UIWindow(frame: .zero)
    delegate.window?.tag = 7
    #expect(application.delegate?.window??.tag == 7)
    #expect(application.delegate?.window?.tag == 7)
    #expect(application.keyWindow === delegate.window)
  }

  @Test func whatADelegateHasNotCompletesWhenItIsHandedOn() {
    final class Nobody: NSObject, UIApplicationDelegate {}
    let application = UIApplication(service: FakeNotificationService())
    let services: [any UIApplicationDelegate] = [Nobody()]
    var completed = 0
    for service in services {
      service.application?(
        application, handleActionWithIdentifier: "A", for: UILocalNotification(),
        withResponseInfo: [:]
      ) { completed += 1 }
      service.application?(application, didReceiveRemoteNotification: [:]) { result in
        if result == .noData { completed += 1 }
      }
      service.application?(application) { if $0 == .noData { completed += 1 } }
      service.application?(application, handleEventsForBackgroundURLSession: "s") { completed += 1 }
      service.applicationWillTerminate?(application)
    }
    #expect(completed == 4)
  }
}
