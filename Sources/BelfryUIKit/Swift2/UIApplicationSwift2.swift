// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

/// Carries the methods whose names are properties today.
@preconcurrency @MainActor
public protocol UIApplicationSwift2: AnyObject {}

extension UIApplicationSwift2 where Self: UIApplication {
  @available(*, deprecated, renamed: "getter:UIApplication.currentUserNotificationSettings(self:)")
  public func currentUserNotificationSettings() -> UIUserNotificationSettings? {
    (self as UIApplication).currentUserNotificationSettings
  }

  @available(
    *, deprecated, renamed: "getter:UIApplication.isRegisteredForRemoteNotifications(self:)"
  )
  public func isRegisteredForRemoteNotifications() -> Bool {
    (self as UIApplication).isRegisteredForRemoteNotifications
  }
}

extension UIApplication {
  @available(*, deprecated, renamed: "getter:UIApplication.shared()")
  public class func sharedApplication() -> UIApplication { shared }

  @available(*, deprecated, renamed: "isIdleTimerDisabled")
  public var idleTimerDisabled: Bool {
    get { isIdleTimerDisabled }
    set { isIdleTimerDisabled = newValue }
  }

  @available(*, deprecated, renamed: "beginBackgroundTask(withName:expirationHandler:)")
  public func beginBackgroundTaskWithName(
    _ name: String?, expirationHandler handler: (() -> Void)?
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(withName: name, expirationHandler: handler)
  }

  @available(*, deprecated, renamed: "beginBackgroundTask(expirationHandler:)")
  public func beginBackgroundTaskWithExpirationHandler(
    _ handler: (() -> Void)?
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(expirationHandler: handler)
  }

  @available(*, deprecated, renamed: "open(_:options:completionHandler:)")
  @discardableResult public func openURL(_ url: URL) -> Bool { false }

  @available(*, deprecated, renamed: "open(_:options:completionHandler:)")
  @discardableResult public func openURL(_ url: NSURL) -> Bool { false }
}

@available(*, deprecated, renamed: "UIApplication.State")
public typealias UIApplicationState = UIApplication.State

@available(*, deprecated, renamed: "UIApplication.LaunchOptionsKey")
public typealias UIApplicationLaunchOptionsKey = UIApplication.LaunchOptionsKey

@available(*, deprecated, renamed: "UIApplication.OpenURLOptionsKey")
public typealias UIApplicationOpenURLOptionsKey = UIApplication.OpenURLOptionsKey

@available(*, deprecated, renamed: "UIApplication.openSettingsURLString")
public let UIApplicationOpenSettingsURLString = UIApplication.openSettingsURLString

@available(*, deprecated, renamed: "UIApplication.backgroundFetchIntervalMinimum")
public let UIApplicationBackgroundFetchIntervalMinimum =
  UIApplication.backgroundFetchIntervalMinimum

@available(*, deprecated, renamed: "UIApplication.backgroundFetchIntervalNever")
public let UIApplicationBackgroundFetchIntervalNever = UIApplication.backgroundFetchIntervalNever

@available(*, deprecated, renamed: "UIApplication.BackgroundRefreshStatus")
public typealias UIBackgroundRefreshStatus = UIApplication.BackgroundRefreshStatus

@available(*, deprecated, renamed: "UIBackgroundTaskIdentifier.invalid")
public let UIBackgroundTaskInvalid = UIBackgroundTaskIdentifier.invalid

/// For the dictionaries of `[NSObject: AnyObject]` that Swift 2's delegates get.
@available(*, deprecated, renamed: "UIApplication.LaunchOptionsKey.localNotification")
public var UIApplicationLaunchOptionsLocalNotificationKey: NSString {
  NSString(string: UIApplication.LaunchOptionsKey.localNotification.rawValue)
}

extension UIApplication.State {
  @available(*, deprecated, renamed: "active")
  public static var Active: Self { .active }
  @available(*, deprecated, renamed: "inactive")
  public static var Inactive: Self { .inactive }
  @available(*, deprecated, renamed: "background")
  public static var Background: Self { .background }
}
