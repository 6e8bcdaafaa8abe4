import BelfryKit
import Testing

@testable import BelfryUIKit

/// Writes down each callback with the state it found, as today's Swift spells them.
final class Diary: UIResponder, UIApplicationDelegate {
  var lines: [String] = []
  var completions: [() -> Void] = []
  var answersAtOnce = true

  private func note(_ application: UIApplication, _ line: String) {
    lines.append("\(line) \(application.applicationState)")
  }

  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    note(application, "will finish")
    return true
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let launch = launchOptions?[.localNotification] as? UILocalNotification
    note(application, "did finish \(launch?.alertBody ?? "-")")
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) {
    note(application, "did become active")
  }

  func applicationWillResignActive(_ application: UIApplication) {
    note(application, "will resign")
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    note(application, "did enter background")
  }

  func applicationWillEnterForeground(_ application: UIApplication) {
    note(application, "will enter foreground")
  }

  func applicationWillTerminate(_ application: UIApplication) {
    note(application, "will terminate")
  }

  func applicationSignificantTimeChange(_ application: UIApplication) {
    note(application, "time change")
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    note(application, "received \(notification.alertBody ?? "-")")
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping () -> Void
  ) {
    let text = responseInfo[UIUserNotificationActionResponseTypedTextKey] as? String
    note(application, "action \(identifier ?? "-") \(text ?? "-")")
    if answersAtOnce { completionHandler() } else { completions.append(completionHandler) }
  }
}

/// Filled on the main thread only.
private final class Heard: @unchecked Sendable {
  var names: [String] = []
}

@MainActor @Suite struct ApplicationTests {
  let service = FakeNotificationService()
  let diary = Diary()
  let application: UIApplication

  init() {
    application = UIApplication(service: service)
    application.refusalHandler = { _ in }
  }

  /// Lets what was put on the main queue happen.
  private func settled() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  private func started() -> [String] {
    application.start(delegate: diary)
    let lines = diary.lines
    diary.lines = []
    return lines
  }

  @Test func anApplicationStartsActive() {
    #expect(
      started() == ["will finish inactive", "did finish - inactive", "did become active active"])
    #expect(service.foreground == [true])
    application.start(delegate: diary)
    #expect(diary.lines == [], "the second start does nothing")
  }

  @Test func statesComeInTheOrderOfIOSAndTheDaemonIsTold() {
    _ = started()
    application.enterBackground()
    application.enterBackground()
    #expect(diary.lines == ["will resign active", "did enter background background"])
    diary.lines = []
    application.enterForeground()
    #expect(diary.lines == ["will enter foreground background", "did become active active"])
    #expect(service.foreground == [true, false, true])
  }

  @Test func aTimeChangeInTheBackgroundIsToldOnceInFront() {
    _ = started()
    application.timeHasChanged()
    #expect(diary.lines == ["time change active"])
    application.enterBackground()
    diary.lines = []
    application.timeHasChanged()
    application.timeHasChanged()
    #expect(diary.lines == [])
    application.enterForeground()
    #expect(
      diary.lines == [
        "will enter foreground background", "time change inactive", "did become active active",
      ])
  }

  @Test func theNotificationCenterHearsEachStep() {
    let heard = Heard()
    let observers = [
      UIApplication.didFinishLaunchingNotification, UIApplication.didBecomeActiveNotification,
      UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
      UIApplication.willEnterForegroundNotification, UIApplication.willTerminateNotification,
    ].map { name in
      NotificationCenter.default.addObserver(forName: name, object: application, queue: nil) {
        heard.names.append($0.name.rawValue.replacingOccurrences(of: "UIApplication", with: ""))
      }
    }
    _ = started()
    application.enterBackground()
    application.enterForeground()
    application.willTerminate()
    #expect(
      heard.names == [
        "DidFinishLaunchingNotification", "DidBecomeActiveNotification",
        "WillResignActiveNotification", "DidEnterBackgroundNotification",
        "WillEnterForegroundNotification", "DidBecomeActiveNotification",
        "WillTerminateNotification",
      ])
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
  }

  @Test func D1_whatArrivesInFrontIsReceivedActiveAndAcknowledged() {
    _ = started()
    service.tell(.received)
    #expect(diary.lines == ["received Ding active"])
    #expect(service.completed == 1)
  }

  @Test func D3_theTapThatLaunchedIsTheLaunchOptionAndNothingElse() {
    service.waiting = [
      service.queuedEvent(.launch, body: "First"), service.queuedEvent(.activated, body: "Next"),
    ]
    #expect(
      started() == [
        "will finish inactive", "did finish First inactive", "received Next inactive",
        "did become active active",
      ])
    #expect(service.completed == 2)
  }

  @Test func D3_aTapBringsARunningAppToTheFront() {
    _ = started()
    application.enterBackground()
    diary.lines = []
    service.tell(.activated)
    #expect(
      diary.lines == [
        "will enter foreground background", "received Ding inactive", "did become active active",
      ])
    #expect(service.foreground.last == true)
  }

  @Test func D3_aTapInFrontIsToldFromAnArrivalByTheState() {
    _ = started()
    service.tell(.activated)
    #expect(
      diary.lines == ["will resign active", "received Ding inactive", "did become active active"])
  }

  @Test func D4_anActionIsHandledWithItsTextAndCompletedOnce() async {
    _ = started()
    diary.answersAtOnce = false
    service.tell(.action(identifier: "REPLY", text: "yes"))
    #expect(diary.lines == ["action REPLY yes active"])
    #expect(service.completed == 0)
    let complete = diary.completions[0]
    complete()
    complete()
    await settled()
    await settled()
    #expect(service.completed == 1)
  }

  @Test func D4_D5_onlyAForegroundActionBringsTheAppToTheFront() throws {
    let (show, done) = (UIMutableUserNotificationAction(), UIMutableUserNotificationAction())
    (show.identifier, done.identifier) = ("SHOW", "DONE")
    done.activationMode = .background
    let category = UIMutableUserNotificationCategory()
    category.identifier = "C"
    category.setActions([show, done], for: .default)
    try application.register(UIUserNotificationSettings(types: .alert, categories: [category]))
    _ = started()
    application.enterBackground()
    diary.lines = []
    service.tell(.action(identifier: "DONE", text: nil), category: "C")
    #expect(diary.lines == ["action DONE - background"])
    diary.lines = []
    service.tell(.action(identifier: "SHOW", text: nil), category: "C")
    #expect(
      diary.lines == [
        "will enter foreground background", "action SHOW - inactive", "did become active active",
      ])
  }

  @Test func D4_anAppLaunchedForABackgroundActionBeginsThere() throws {
    let done = UIMutableUserNotificationAction()
    done.identifier = "DONE"
    done.activationMode = .background
    let category = UIMutableUserNotificationCategory()
    category.identifier = "C"
    category.setActions([done], for: .default)
    service.registration = UIUserNotificationSettings(types: .alert, categories: [category])
    service.waiting = [service.queuedEvent(.action(identifier: "DONE", text: nil), category: "C")]
    #expect(
      started() == [
        "will finish background", "did finish - background", "action DONE - background",
      ])
    #expect(service.foreground == [true, false])
  }

  @Test func anAppWithoutADaemonStartsAllTheSame() {
    service.refusal = SchedulerError(.noDaemon, "nobody is there")
    var refusals: [SchedulerError] = []
    application.refusalHandler = { refusals.append($0) }
    #expect(started().last == "did become active active")
    application.scheduleLocalNotification(UILocalNotification())
    #expect(application.scheduledLocalNotifications == nil)
    #expect(application.applicationIconBadgeNumber == 0)
    #expect(refusals.count == 4)
  }

  @Test func N13_N15_schedulingCopiesAndCancelGoesByValue() {
    let notification = UILocalNotificationTests.full()
    application.scheduleLocalNotification(notification)
    application.scheduleLocalNotification(notification)
    #expect(service.list.count == 2, "as on iOS, each call schedules one")
    #expect(Set(service.list.map { $0.identifier }).count == 2)
    notification.alertBody = "Other"
    application.cancelLocalNotification(notification)
    #expect(service.list.count == 2)
    application.cancelLocalNotification(UILocalNotificationTests.full())
    #expect(service.list.isEmpty)
  }

  @Test func N14_presentNowLeavesTriggersOut() {
    let notification = UILocalNotificationTests.full()
    notification.region = UILocalNotificationTests.region
    application.presentLocalNotificationNow(notification)
    #expect(service.presented.first?.fireDate == nil && service.presented.first?.region == nil)
    #expect(notification.fireDate != nil && notification.region != nil)
    #expect(application.scheduledLocalNotifications == [])
  }

  @Test func N16_settingTheListKeepsWhatIsThereAndItsIdentifiers() {
    for body in ["a", "b"] {
      let notification = UILocalNotification()
      notification.alertBody = body
      application.scheduleLocalNotification(notification)
    }
    let before = service.list
    let list = application.scheduledLocalNotifications
    application.scheduledLocalNotifications = list
    #expect(service.list == before)
    application.scheduledLocalNotifications = list.map { $0 + $0 }
    #expect(service.list.count == 4 && Set(service.list.map { $0.identifier }).count == 4)
    application.scheduledLocalNotifications = nil
    #expect(service.list == [])
  }

  @Test func D5_registeringTellsTheDelegateWhatWasGiven() async {
    final class Listener: UIResponder, UIApplicationDelegate {
      var given: UIUserNotificationSettings?
      func application(
        _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
      ) {
        given = notificationSettings
      }
    }
    let listener = Listener()
    application.delegate = listener
    application.registerUserNotificationSettings(
      UIUserNotificationSettings(types: [.alert, .badge], categories: nil))
    #expect(listener.given == nil, "later, not from inside the call")
    await settled()
    #expect(listener.given?.types == [.alert, .badge])
    #expect(application.currentUserNotificationSettings?.types == [.alert, .badge])
  }

  @Test func endingTellsTheDelegateAndTheTasksThatHaveNotEnded() {
    _ = started()
    var expired: [String] = []
    let first = application.beginBackgroundTask { expired.append("first") }
    let second = application.beginBackgroundTask(withName: "second") { expired.append("second") }
    #expect(first != second && first != .invalid && second != .invalid)
    application.endBackgroundTask(first)
    application.endBackgroundTask(.invalid)
    #expect(application.backgroundTimeRemaining > 1000)
    application.willTerminate()
    application.willTerminate()
    #expect(diary.lines == ["will terminate active"])
    #expect(expired == ["second"])
    #expect(service.isClosed)
    service.tell(.received)
    #expect(diary.lines == ["will terminate active"])
  }
}
