// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

/// The callbacks of pushes as Swift 2 spelled them, for delegates that were not rewritten.
@preconcurrency @MainActor
public protocol UIApplicationDelegateOfPushesSwift2: AnyObject {
  func application(
    application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: NSData
  )
  func application(
    application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: NSError)
  func application(
    application: UIApplication, didReceiveRemoteNotification userInfo: [NSObject: AnyObject])
  func application(
    application: UIApplication, didReceiveRemoteNotification userInfo: [NSObject: AnyObject],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
  func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [NSObject: AnyObject],
    completionHandler: @escaping () -> Void)
  func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [NSObject: AnyObject],
    withResponseInfo responseInfo: [NSObject: AnyObject],
    completionHandler: @escaping () -> Void)
}

extension UIApplicationDelegateSwift2 {
  public func application(
    application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: NSData
  ) {}

  public func application(
    application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: NSError
  ) {}

  public func application(
    application: UIApplication, didReceiveRemoteNotification userInfo: [NSObject: AnyObject]
  ) {}

  /// As without a handler: where a delegate has only that one, it is called, as on iOS.
  public func application(
    application: UIApplication, didReceiveRemoteNotification userInfo: [NSObject: AnyObject],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    (self as? any UIApplicationDelegate)?.application(
      application, didReceiveRemoteNotification: UIApplication.swift3(userInfo))
    completionHandler(.noData)
  }

  /// Nobody handles it: completed.
  public func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [NSObject: AnyObject], completionHandler: @escaping () -> Void
  ) {
    completionHandler()
  }

  /// As without `responseInfo`: where a delegate has only that one, it is called, as on iOS.
  public func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [NSObject: AnyObject],
    withResponseInfo responseInfo: [NSObject: AnyObject], completionHandler: @escaping () -> Void
  ) {
    guard let delegate = self as? any UIApplicationDelegate else { return completionHandler() }
    delegate.application(
      application, handleActionWithIdentifier: identifier,
      forRemoteNotification: UIApplication.swift3(userInfo), completionHandler: completionHandler)
  }
}

extension UIApplication {
  /// Back from Swift 2's dictionary.
  nonisolated static func swift3(_ info: [NSObject: AnyObject]) -> [AnyHashable: Any] {
    var found: [AnyHashable: Any] = [:]
    for (key, value) in info { found["\(key)"] = value }
    return found
  }
}

@available(*, deprecated, renamed: "UIApplication.LaunchOptionsKey.remoteNotification")
public var UIApplicationLaunchOptionsRemoteNotificationKey: NSString {
  NSString(string: UIApplication.LaunchOptionsKey.remoteNotification.rawValue)
}

extension UIBackgroundFetchResult {
  @available(*, deprecated, renamed: "newData")
  public static var NewData: Self { .newData }
  @available(*, deprecated, renamed: "noData")
  public static var NoData: Self { .noData }
  @available(*, deprecated, renamed: "failed")
  public static var Failed: Self { .failed }
}

/// What iOS 3 to 7 asked for; the settings' type does as much.
@available(*, deprecated, renamed: "UIUserNotificationType")
public typealias UIRemoteNotificationType = UIUserNotificationType

extension UIApplication {
  @available(
    *, deprecated,
    message: "use registerUserNotificationSettings(_:) and registerForRemoteNotifications()"
  )
  public func registerForRemoteNotificationTypes(_ types: UIUserNotificationType) {
    registerUserNotificationSettings(UIUserNotificationSettings(types: types, categories: nil))
    registerForRemoteNotifications()
  }
}
