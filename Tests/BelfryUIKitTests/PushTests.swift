import BelfryKit
import Testing

@testable import BelfryUIKit

/// Writes down what it is told of pushes, as today's Swift spells it.
private final class PushDiary: UIResponder, UIApplicationDelegate {
  var lines: [String] = []

  private func text(_ userInfo: [AnyHashable: Any]?) -> String {
    (userInfo?["aps"] as? [String: Any])?["alert"] as? String ?? "-"
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let local = launchOptions?[.localNotification] as? UILocalNotification
    let push = launchOptions?[.remoteNotification] as? [AnyHashable: Any]
    lines.append("did finish \(local?.alertBody ?? "-") \(text(push))")
    return true
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    lines.append("token \(String(decoding: deviceToken, as: UTF8.self))")
  }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    lines.append("failed \((error as? SchedulerError)?.code.rawValue ?? "-")")
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    lines.append("local \(notification.alertBody ?? "-")")
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    lines.append("push \(text(userInfo)) \(application.applicationState)")
    completionHandler(.newData)
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any],
    withResponseInfo responseInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {
    let typed = responseInfo[UIUserNotificationActionResponseTypedTextKey] as? String
    lines.append("action \(identifier ?? "-") \(text(userInfo)) \(typed ?? "-")")
    completionHandler()
  }
}

/// Has the methods of iOS 3 alone.
private final class ShortPushDiary: UIResponder, UIApplicationDelegate {
  var lines: [String] = []

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) {
    lines.append("push \((userInfo["aps"] as? [String: Any])?["alert"] ?? "-")")
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {
    lines.append("action \(identifier ?? "-")")
    completionHandler()
  }
}

/// Writes down what it is told of pushes, as Swift 2 spelled it.
private final class OldPushDiary: UIResponder, UIApplicationDelegate {
  var lines: [String] = []

  private func text(_ userInfo: [NSObject: AnyObject]?) -> String {
    let aps = userInfo?[NSString(string: "aps")] as? NSDictionary
    return aps?["alert"] as? String ?? "-"
  }

  func application(
    application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool {
    let key = NSString(string: "UIApplicationLaunchOptionsRemoteNotificationKey")
    lines.append("did finish \(text(launchOptions?[key] as? [NSObject: AnyObject]))")
    return true
  }

  func application(
    application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: NSData
  ) {
    lines.append("token \(deviceToken.length)")
  }

  func application(
    application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: NSError
  ) {
    lines.append("failed")
  }

  func application(
    application: UIApplication, didReceiveRemoteNotification userInfo: [NSObject: AnyObject],
    fetchCompletionHandler completionHandler: (UIBackgroundFetchResult) -> Void
  ) {
    lines.append("push \(text(userInfo))")
    completionHandler(.noData)
  }

  func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [NSObject: AnyObject], completionHandler: () -> Void
  ) {
    lines.append("action \(identifier ?? "-") \(text(userInfo))")
    completionHandler()
  }
}

/// Pushes, as the delegate is told of them.
@MainActor @Suite struct PushTests {
  let service = FakeNotificationService()
  let application: UIApplication
  private static let alert: [String: PushValue] = ["aps": ["alert": "Hi"], "n": nil]

  init() {
    application = UIApplication(service: service)
    application.refusalHandler = { _ in }
  }

  @Test func P6_D1_aPushInTheForegroundIsNoLocalNotification() {
    let diary = PushDiary()
    application.start(delegate: diary)
    service.tell(.received, push: Self.alert)
    service.tell(.received)
    #expect(diary.lines == ["did finish - -", "push Hi active", "local Ding"])
    #expect(service.completed == 2)
  }

  @Test func D3_aTapOnAPushIsToldInTheInactiveState() {
    let diary = PushDiary()
    application.start(delegate: diary)
    application.enterBackground()
    service.tell(.activated, push: Self.alert)
    #expect(diary.lines == ["did finish - -", "push Hi inactive"])
    #expect(application.applicationState == .active)
  }

  @Test func D3_aTapThatLaunchesIsAnOptionAndNothingElse() {
    service.waiting = [service.queuedEvent(.launch, push: Self.alert)]
    let diary = PushDiary()
    application.start(delegate: diary)
    #expect(diary.lines == ["did finish - Hi"])
    #expect(service.completed == 1)
  }

  @Test func P9_somethingNewLaunchesInTheBackground() {
    service.waiting = [service.queuedEvent(.received, push: ["aps": ["content-available": 1]])]
    let diary = PushDiary()
    application.start(delegate: diary)
    #expect(diary.lines == ["did finish - -", "push - background"])
    #expect(application.applicationState == .background && service.foreground.last == false)
  }

  @Test func D4_anActionOfAPush() {
    let diary = PushDiary()
    application.start(delegate: diary)
    service.tell(.action(identifier: "REPLY", text: "yes"), push: Self.alert)
    #expect(diary.lines.last == "action REPLY Hi yes")
    let short = ShortPushDiary()
    application.delegate = short
    service.tell(.action(identifier: "REPLY", text: nil), push: Self.alert)
    service.tell(.received, push: Self.alert)
    #expect(short.lines == ["action REPLY", "push Hi"])
  }

  @Test func swift2SpellingsAreCalled() async throws {
    service.waiting = [service.queuedEvent(.launch, push: Self.alert)]
    let diary = OldPushDiary()
    application.start(delegate: diary)
    service.tell(.received, push: Self.alert)
    service.tell(.action(identifier: "OPEN", text: nil), push: Self.alert)
    application.registerForRemoteNotifications()
    try await settled { diary.lines.count == 4 }
    #expect(diary.lines == ["did finish Hi", "push Hi", "action OPEN Hi", "token 11"])
  }

  @Test func registeringGivesTheAppsIdAsToken() async throws {
    let diary = PushDiary()
    application.start(delegate: diary)
    #expect(!application.isRegisteredForRemoteNotifications)
    application.registerForRemoteNotifications()
    try await settled { diary.lines.last == "token org.example" }
    #expect(application.isRegisteredForRemoteNotifications)
    application.unregisterForRemoteNotifications()
    #expect(!application.isRegisteredForRemoteNotifications)
    service.refusal = SchedulerError(.noDaemon, "nobody is there")
    application.registerForRemoteNotifications()
    try await settled { diary.lines.last == "failed noDaemon" }
    #expect(!application.isRegisteredForRemoteNotifications)
  }

  /// Lets the main queue go on until `condition` holds.
  private func settled(_ condition: () -> Bool) async throws {
    for _ in 0..<30_000 where !condition() { try await Task.sleep(for: .milliseconds(2)) }
    #expect(condition())
  }
}
