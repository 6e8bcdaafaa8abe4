import Foundation

/// What an app is told, on the main thread.
///
/// Nothing is required. A class that is a `UIResponder` gets a `main()`, so that `@main` can stand
/// where `@UIApplicationMain` stood. Callbacks that only differ in their Swift 2 spelling are in
/// `UIApplicationDelegateSwift2`; where both are written, the newer one is called.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: UIApplicationDelegateOfPushes, UIApplicationDelegateSwift2,
  UIApplicationDelegateUncalled
{
  /// Kept for samples that have one.
  var window: UIWindow? { get set }

  // MARK: Launching

  /// First of all; what it answers is not used, as there are no URLs to open.
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// `launchOptions[.localNotification]` is the `UILocalNotification` whose alert launched the app,
  /// `launchOptions[.remoteNotification]` the `userInfo` of a push; it is not handed over a second time
  /// (D3).
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// Instead of the one with options, where a delegate has only this.
  func applicationDidFinishLaunching(_ application: UIApplication)

  // MARK: States

  func applicationDidBecomeActive(_ application: UIApplication)
  func applicationWillResignActive(_ application: UIApplication)
  func applicationDidEnterBackground(_ application: UIApplication)
  func applicationWillEnterForeground(_ application: UIApplication)
  /// On SIGTERM, SIGINT and `UIApplication.terminate()`.
  func applicationWillTerminate(_ application: UIApplication)
  /// At midnight, and when the clocks change for summer or winter; see `SignificantTime`.
  func applicationSignificantTimeChange(_ application: UIApplication)

  // MARK: Local notifications

  /// After `registerUserNotificationSettings(_:)`: what was given.
  func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)

  /// One was due while the app was active (`applicationState` is `.active`), or the user chose its
  /// alert (`.inactive`).
  ///
  /// Returning within 2 s of the due instant acknowledges it; later it has been shown as in background
  /// (D1).
  func application(
    _ application: UIApplication, didReceive notification: UILocalNotification)

  /// The user chose an action; calling `completionHandler` within 30 s completes it, else it comes again,
  /// three times in all (D4).
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, completionHandler: @escaping () -> Void)

  /// As without `responseInfo`, and called first; `UIUserNotificationActionResponseTypedTextKey` has
  /// what was typed.
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping () -> Void)
}

/// What happens where a delegate does not say: the Swift 2 spelling is tried, then nothing.
extension UIApplicationDelegate {
  public var window: UIWindow? {
    get { nil }
    set { _ = newValue }
  }

  public func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let options = UIApplication.swift2(launchOptions)
    return self.application(application: application, willFinishLaunchingWithOptions: options)
  }

  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    applicationDidFinishLaunching(application)
    let options = UIApplication.swift2(launchOptions)
    return self.application(application: application, didFinishLaunchingWithOptions: options)
  }

  public func applicationDidFinishLaunching(_ application: UIApplication) {
    applicationDidFinishLaunching(application: application)
  }

  public func applicationDidBecomeActive(_ application: UIApplication) {
    applicationDidBecomeActive(application: application)
  }

  public func applicationWillResignActive(_ application: UIApplication) {
    applicationWillResignActive(application: application)
  }

  public func applicationDidEnterBackground(_ application: UIApplication) {
    applicationDidEnterBackground(application: application)
  }

  public func applicationWillEnterForeground(_ application: UIApplication) {
    applicationWillEnterForeground(application: application)
  }

  public func applicationWillTerminate(_ application: UIApplication) {
    applicationWillTerminate(application: application)
  }

  public func applicationSignificantTimeChange(_ application: UIApplication) {
    applicationSignificantTimeChange(application: application)
  }

  public func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
  ) {
    self.application(
      application: application, didRegisterUserNotificationSettings: notificationSettings)
  }

  public func application(
    _ application: UIApplication, didReceive notification: UILocalNotification
  ) {
    self.application(application: application, didReceiveLocalNotification: notification)
  }

  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, completionHandler: @escaping () -> Void
  ) {
    self.application(
      application: application, handleActionWithIdentifier: identifier,
      forLocalNotification: notification, completionHandler: completionHandler)
  }

  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping () -> Void
  ) {
    self.application(
      application: application, handleActionWithIdentifier: identifier,
      forLocalNotification: notification, withResponseInfo: UIApplication.swift2(responseInfo),
      completionHandler: completionHandler)
  }
}
