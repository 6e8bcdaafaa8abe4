// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

/// A method's name as Objective-C spells it, for programs that ask whether it is there.
///
/// Nothing is sent by it: `#selector`, targets and `addObserver(_:selector:name:object:)` are
/// Objective-C's.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let description: String

  public init(_ name: String) { description = name }
  public init(stringLiteral name: String) { description = name }
}

/// The selector of this name.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

extension NSObject {
  /// Instances have the method, and this module has it too.
  ///
  /// Swift keeps no list of methods here, so that those of the app's own classes are not found.
  public class func instancesRespond(to selector: Selector) -> Bool {
    KnownSelectors.has(selector, self)
  }

  /// As `instancesRespond(to:)`, of the object's class.
  public func responds(to selector: Selector) -> Bool {
    KnownSelectors.has(selector, type(of: self))
  }

  @available(*, deprecated, renamed: "instancesRespond(to:)")
  public class func instancesRespondToSelector(_ selector: Selector) -> Bool {
    instancesRespond(to: selector)
  }

  @available(*, deprecated, renamed: "responds(to:)")
  public func respondsToSelector(_ selector: Selector) -> Bool { responds(to: selector) }
}

/// What programs of iOS 4 to 12 ask for before they use it, as far as it is here.
private enum KnownSelectors {
  static func has(_ selector: Selector, _ type: AnyClass) -> Bool {
    table.contains { $0.isKind(type) && $0.names.contains(selector.description) }
  }

  private typealias Row = (isKind: @Sendable (AnyClass) -> Bool, names: Set<String>)

  private static func row<Kind: NSObject>(
    _: Kind.Type, properties: String = "", methods: String = ""
  ) -> Row {
    var names = Set(methods.split(separator: " ").map { String($0) })
    for name in properties.split(separator: " ") {
      names.insert(String(name))
      names.insert("set\(name.prefix(1).uppercased())\(name.dropFirst()):")
    }
    return ({ $0 is Kind.Type }, names)
  }

  private static let table: [Row] = [
    row(
      UIApplication.self,
      properties: """
        applicationIconBadgeNumber delegate idleTimerDisabled networkActivityIndicatorVisible \
        scheduledLocalNotifications statusBarHidden statusBarStyle
        """,
      methods: """
        applicationState backgroundRefreshStatus backgroundTimeRemaining \
        beginBackgroundTaskWithExpirationHandler: beginBackgroundTaskWithName:expirationHandler: \
        canOpenURL: cancelAllLocalNotifications cancelLocalNotification: \
        currentUserNotificationSettings endBackgroundTask: isIdleTimerDisabled \
        isRegisteredForRemoteNotifications keyWindow openURL: \
        openURL:options:completionHandler: presentLocalNotificationNow: \
        registerForRemoteNotifications registerForRemoteNotificationTypes: \
        registerUserNotificationSettings: scheduleLocalNotification: \
        setMinimumBackgroundFetchInterval: setStatusBarHidden:withAnimation: \
        setStatusBarStyle:animated: unregisterForRemoteNotifications
        """),
    row(
      UILocalNotification.self,
      properties: """
        alertAction alertBody alertLaunchImage alertTitle applicationIconBadgeNumber category \
        fireDate hasAction region regionTriggersOnce repeatCalendar repeatInterval soundName \
        timeZone userInfo
        """),
    row(UIUserNotificationSettings.self, methods: "categories types"),
    row(
      UIMutableUserNotificationAction.self,
      properties: """
        activationMode authenticationRequired behavior destructive identifier parameters title
        """),
    row(UIMutableUserNotificationCategory.self, properties: "identifier"),
    row(
      UIUserNotificationCategory.self, methods: "actionsForContext: setActions:forContext:"),
    row(
      CLLocationManager.self,
      properties: """
        activityType allowsBackgroundLocationUpdates delegate desiredAccuracy distanceFilter \
        pausesLocationUpdatesAutomatically
        """,
      methods: """
        monitoredRegions requestAlwaysAuthorization requestStateForRegion: \
        requestWhenInUseAuthorization startMonitoringForRegion: startUpdatingLocation \
        stopMonitoringForRegion: stopUpdatingLocation
        """),
    row(UIScreen.self, methods: "bounds scale"),
    row(UIDevice.self, methods: "model name systemName systemVersion"),
    row(
      UIViewController.self, properties: "title view",
      methods: """
        dismissViewControllerAnimated:completion: preferredStatusBarStyle prefersStatusBarHidden \
        presentViewController:animated:completion: setNeedsStatusBarAppearanceUpdate
        """),
    row(UIView.self, properties: "alpha backgroundColor frame hidden tag tintColor"),
  ]
}
