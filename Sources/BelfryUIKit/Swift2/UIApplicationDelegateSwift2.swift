import Foundation

/// The callbacks as Swift 2 spelled them, for delegates that were not rewritten.
///
/// Their first parameter has a label, so to the compiler they are other methods than today's.
@preconcurrency @MainActor
public protocol UIApplicationDelegateSwift2: UIApplicationDelegateOfPushesSwift2 {
  func application(
    application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool
  func application(
    application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool
  func applicationDidFinishLaunching(application: UIApplication)
  func applicationDidBecomeActive(application: UIApplication)
  func applicationWillResignActive(application: UIApplication)
  func applicationDidEnterBackground(application: UIApplication)
  func applicationWillEnterForeground(application: UIApplication)
  func applicationWillTerminate(application: UIApplication)
  func applicationSignificantTimeChange(application: UIApplication)
  func application(
    application: UIApplication,
    didRegisterUserNotificationSettings notificationSettings: UIUserNotificationSettings)
  func application(
    application: UIApplication,
    didReceiveLocalNotification notification: UILocalNotification)
  func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forLocalNotification notification: UILocalNotification,
    completionHandler: @escaping () -> Void)
  func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forLocalNotification notification: UILocalNotification,
    withResponseInfo responseInfo: [NSObject: AnyObject],
    completionHandler: @escaping () -> Void)
}

extension UIApplicationDelegateSwift2 {
  public func application(
    application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool { true }

  public func application(
    application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool { true }

  public func applicationDidFinishLaunching(application: UIApplication) {}
  public func applicationDidBecomeActive(application: UIApplication) {}
  public func applicationWillResignActive(application: UIApplication) {}
  public func applicationDidEnterBackground(application: UIApplication) {}
  public func applicationWillEnterForeground(application: UIApplication) {}
  public func applicationWillTerminate(application: UIApplication) {}
  public func applicationSignificantTimeChange(application: UIApplication) {}

  public func application(
    application: UIApplication,
    didRegisterUserNotificationSettings notificationSettings: UIUserNotificationSettings
  ) {}

  public func application(
    application: UIApplication, didReceiveLocalNotification notification: UILocalNotification
  ) {}

  /// Nobody handles it: completed.
  public func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forLocalNotification notification: UILocalNotification,
    completionHandler: @escaping () -> Void
  ) {
    completionHandler()
  }

  /// As without `responseInfo`: where a delegate has only that one, it is called, as on iOS.
  public func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forLocalNotification notification: UILocalNotification,
    withResponseInfo responseInfo: [NSObject: AnyObject],
    completionHandler: @escaping () -> Void
  ) {
    guard let delegate = self as? any UIApplicationDelegate else { return completionHandler() }
    delegate.application(
      application, handleActionWithIdentifier: identifier, for: notification,
      completionHandler: completionHandler)
  }
}

/// Dictionaries as Swift 2 had them.
extension UIApplication {
  nonisolated static func swift2(
    _ options: [LaunchOptionsKey: Any]?
  ) -> [NSObject: AnyObject]? {
    options.map { options in
      var found: [NSObject: AnyObject] = [:]
      for (key, value) in options {
        found[NSString(string: key.rawValue)] = value as AnyObject
      }
      return found
    }
  }

  nonisolated static func swift2(_ info: [AnyHashable: Any]) -> [NSObject: AnyObject] {
    var found: [NSObject: AnyObject] = [:]
    for (key, value) in info {
      let object = (value as? String).map { NSString(string: $0) as AnyObject }
      found[NSString(string: "\(key)")] = object ?? value as AnyObject
    }
    return found
  }
}
