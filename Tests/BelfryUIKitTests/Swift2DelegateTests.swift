import BelfryKit
import Testing

@testable import BelfryUIKit

/// Writes down each callback as Swift 2 spelled them.
private final class OldDiary: UIResponder, UIApplicationDelegate {
  var lines: [String] = []

  func application(
    application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool {
    let key = NSString(string: "UIApplicationLaunchOptionsLocalNotificationKey")
    let launch = launchOptions?[key] as? UILocalNotification
    lines.append("did finish \(launch?.alertBody ?? "-")")
    return true
  }

  func applicationDidBecomeActive(application: UIApplication) { lines.append("active") }
  func applicationWillResignActive(application: UIApplication) { lines.append("resign") }
  func applicationDidEnterBackground(application: UIApplication) { lines.append("background") }
  func applicationWillEnterForeground(application: UIApplication) { lines.append("foreground") }
  func applicationWillTerminate(application: UIApplication) { lines.append("terminate") }

  func application(
    application: UIApplication,
    didRegisterUserNotificationSettings notificationSettings: UIUserNotificationSettings
  ) {
    lines.append("registered \(notificationSettings.types.rawValue)")
  }

  func application(
    application: UIApplication, didReceiveLocalNotification notification: UILocalNotification
  ) {
    lines.append("received \(notification.alertBody ?? "-")")
  }

  func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forLocalNotification notification: UILocalNotification, completionHandler: () -> Void
  ) {
    lines.append("action \(identifier ?? "-")")
    completionHandler()
  }
}

/// Has the newer method only, without response info.
private final class PlainDiary: UIResponder, UIApplicationDelegate {
  var lines: [String] = []

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, completionHandler: @escaping () -> Void
  ) {
    lines.append("action \(identifier ?? "-")")
    completionHandler()
  }
}

@MainActor @Suite struct Swift2DelegateTests {
  let service = FakeNotificationService()

  @Test func D1_D3_D4_D5_adelegateOfSwift2HearsEverything() async {
    let application = UIApplication(service: service)
    let diary = OldDiary()
    service.waiting = [service.queuedEvent(.launch, body: "Tea")]
    application.start(delegate: diary)
    application.enterBackground()
    application.enterForeground()
    service.tell(.received)
    service.tell(.action(identifier: "A", text: nil))
    application.registerUserNotificationSettings(
      UIUserNotificationSettings(types: .alert, categories: nil))
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    application.willTerminate()
    #expect(
      diary.lines == [
        "did finish Tea", "active", "resign", "background", "foreground", "active", "received Ding",
        "action A", "registered 4", "terminate",
      ])
    #expect(service.completed == 3)
  }

  @Test func D4_withoutTheMethodThatHasTheTextTheOtherIsCalled() async {
    let application = UIApplication(service: service)
    let diary = PlainDiary()
    application.start(delegate: diary)
    service.tell(.action(identifier: "A", text: "typed"))
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(diary.lines == ["action A"])
    #expect(service.completed == 1)
  }

  @Test func D4_anActionThatNobodyHandlesIsCompleted() async {
    final class Nobody: UIResponder, UIApplicationDelegate {}
    let application = UIApplication(service: service)
    let nobody = Nobody()
    application.start(delegate: nobody)
    service.tell(.action(identifier: "A", text: nil))
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(service.completed == 1)
  }
}
