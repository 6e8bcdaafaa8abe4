import Foundation

/// The delegate's methods as Objective-C's optional ones were called: `delegate.application?(…)`.
///
/// Here every method is there, by its default implementation if the delegate has none, so that none
/// of these is nil. A default implementation calls the completion handler that it is handed.
extension UIApplicationDelegate {
  /// All methods whose name is `application`.
  public var application: UIApplicationDelegateCalls? { UIApplicationDelegateCalls(self) }

  public var applicationDidFinishLaunching: (@MainActor (UIApplication) -> Void)? {
    { self.applicationDidFinishLaunching($0) }
  }
  public var applicationDidBecomeActive: (@MainActor (UIApplication) -> Void)? {
    { self.applicationDidBecomeActive($0) }
  }
  public var applicationWillResignActive: (@MainActor (UIApplication) -> Void)? {
    { self.applicationWillResignActive($0) }
  }
  public var applicationDidEnterBackground: (@MainActor (UIApplication) -> Void)? {
    { self.applicationDidEnterBackground($0) }
  }
  public var applicationWillEnterForeground: (@MainActor (UIApplication) -> Void)? {
    { self.applicationWillEnterForeground($0) }
  }
  public var applicationWillTerminate: (@MainActor (UIApplication) -> Void)? {
    { self.applicationWillTerminate($0) }
  }
  public var applicationSignificantTimeChange: (@MainActor (UIApplication) -> Void)? {
    { self.applicationSignificantTimeChange($0) }
  }
  public var applicationDidReceiveMemoryWarning: (@MainActor (UIApplication) -> Void)? {
    { self.applicationDidReceiveMemoryWarning($0) }
  }
}

extension UIApplicationDelegateUncalled {
  /// As of Objective-C, where a delegate need not have the property: `delegate.window??.frame`.
  @_disfavoredOverload public var window: UIWindow?? {
    (self as? any UIApplicationDelegate).map { $0.window }
  }
}

/// Hands on to a delegate what it is called with; see `UIApplicationDelegate.application`.
@preconcurrency @MainActor
public struct UIApplicationDelegateCalls {
  private let delegate: any UIApplicationDelegate

  init(_ delegate: any UIApplicationDelegate) { self.delegate = delegate }

  // MARK: Launching

  @discardableResult public func callAsFunction(
    _ application: UIApplication,
    willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    delegate.application(application, willFinishLaunchingWithOptions: options)
  }

  @discardableResult public func callAsFunction(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    delegate.application(application, didFinishLaunchingWithOptions: options)
  }

  // MARK: Local notifications

  public func callAsFunction(
    _ application: UIApplication, didRegister settings: UIUserNotificationSettings
  ) {
    delegate.application(application, didRegister: settings)
  }

  public func callAsFunction(
    _ application: UIApplication, didReceive notification: UILocalNotification
  ) {
    delegate.application(application, didReceive: notification)
  }

  public func callAsFunction(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, completionHandler: @escaping () -> Void
  ) {
    delegate.application(
      application, handleActionWithIdentifier: identifier, for: notification,
      completionHandler: completionHandler)
  }

  public func callAsFunction(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, withResponseInfo info: [AnyHashable: Any],
    completionHandler: @escaping () -> Void
  ) {
    delegate.application(
      application, handleActionWithIdentifier: identifier, for: notification,
      withResponseInfo: info, completionHandler: completionHandler)
  }

  // MARK: Pushes

  public func callAsFunction(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
  ) {
    delegate.application(application, didRegisterForRemoteNotificationsWithDeviceToken: token)
  }

  public func callAsFunction(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    delegate.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
  }

  public func callAsFunction(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) {
    delegate.application(application, didReceiveRemoteNotification: userInfo)
  }

  public func callAsFunction(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler handler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    delegate.application(
      application, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: handler)
  }

  public func callAsFunction(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {
    delegate.application(
      application, handleActionWithIdentifier: identifier, forRemoteNotification: userInfo,
      completionHandler: completionHandler)
  }

  public func callAsFunction(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any],
    withResponseInfo info: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {
    delegate.application(
      application, handleActionWithIdentifier: identifier, forRemoteNotification: userInfo,
      withResponseInfo: info, completionHandler: completionHandler)
  }

  // MARK: What a board never tells

  @discardableResult public func callAsFunction(
    _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool {
    delegate.application(application, open: url, options: options)
  }

  public func callAsFunction(
    _ application: UIApplication,
    performFetchWithCompletionHandler handler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    delegate.application(application, performFetchWithCompletionHandler: handler)
  }

  public func callAsFunction(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    delegate.application(
      application, handleEventsForBackgroundURLSession: identifier,
      completionHandler: completionHandler)
  }

  @discardableResult public func callAsFunction(
    _ application: UIApplication, willContinueUserActivityWithType type: String
  ) -> Bool {
    delegate.application(application, willContinueUserActivityWithType: type)
  }

  @discardableResult public func callAsFunction(
    _ application: UIApplication, continue activity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    delegate.application(application, continue: activity, restorationHandler: restorationHandler)
  }

  @discardableResult public func callAsFunction(
    _ application: UIApplication, continue activity: NSUserActivity,
    restorationHandler: @escaping ([Any]?) -> Void
  ) -> Bool {
    delegate.application(application, continue: activity, restorationHandler: restorationHandler)
  }

  public func callAsFunction(
    _ application: UIApplication, didFailToContinueUserActivityWithType type: String,
    error: any Error
  ) {
    delegate.application(application, didFailToContinueUserActivityWithType: type, error: error)
  }

  public func callAsFunction(_ application: UIApplication, didUpdate activity: NSUserActivity) {
    delegate.application(application, didUpdate: activity)
  }
}
