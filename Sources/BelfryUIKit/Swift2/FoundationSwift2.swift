// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

@available(*, deprecated, renamed: "NotificationCenter")
public typealias NSNotificationCenter = NotificationCenter

extension NotificationCenter {
  @available(*, deprecated, renamed: "getter:NotificationCenter.default()")
  public class func defaultCenter() -> NotificationCenter { self.default }

  @available(*, deprecated, renamed: "addObserver(forName:object:queue:using:)")
  public func addObserverForName(
    _ name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
    usingBlock block: @escaping @Sendable (Foundation.Notification) -> Void
  ) -> any NSObjectProtocol {
    addObserver(forName: name, object: object, queue: queue, using: block)
  }
}

extension NSTimeZone {
  @available(*, deprecated, renamed: "getter:NSTimeZone.default()")
  public class func defaultTimeZone() -> TimeZone { self.default }
  @available(*, deprecated, renamed: "getter:NSTimeZone.local()")
  public class func localTimeZone() -> TimeZone { local }
  @available(*, deprecated, renamed: "system")
  public class func systemTimeZone() -> TimeZone { system }
}

extension NSCalendar {
  @available(*, deprecated, renamed: "getter:NSCalendar.current()")
  public class func currentCalendar() -> NSCalendar { current as NSCalendar }
}

/// Names of the application's notifications: Swift 2's constants and Swift 3's members.
extension NSNotification.Name {
  @available(*, deprecated, renamed: "UIApplication.didFinishLaunchingNotification")
  public static var UIApplicationDidFinishLaunching: Self {
    UIApplication.didFinishLaunchingNotification
  }
  @available(*, deprecated, renamed: "UIApplication.didBecomeActiveNotification")
  public static var UIApplicationDidBecomeActive: Self { UIApplication.didBecomeActiveNotification }
  @available(*, deprecated, renamed: "UIApplication.willResignActiveNotification")
  public static var UIApplicationWillResignActive: Self {
    UIApplication.willResignActiveNotification
  }
  @available(*, deprecated, renamed: "UIApplication.didEnterBackgroundNotification")
  public static var UIApplicationDidEnterBackground: Self {
    UIApplication.didEnterBackgroundNotification
  }
  @available(*, deprecated, renamed: "UIApplication.willEnterForegroundNotification")
  public static var UIApplicationWillEnterForeground: Self {
    UIApplication.willEnterForegroundNotification
  }
  @available(*, deprecated, renamed: "UIApplication.willTerminateNotification")
  public static var UIApplicationWillTerminate: Self { UIApplication.willTerminateNotification }
  @available(*, deprecated, renamed: "UIApplication.significantTimeChangeNotification")
  public static var UIApplicationSignificantTimeChange: Self {
    UIApplication.significantTimeChangeNotification
  }
  @available(*, deprecated, renamed: "UIApplication.didReceiveMemoryWarningNotification")
  public static var UIApplicationDidReceiveMemoryWarning: Self {
    UIApplication.didReceiveMemoryWarningNotification
  }
}

@available(*, deprecated, renamed: "UIApplication.didFinishLaunchingNotification")
public var UIApplicationDidFinishLaunchingNotification: NSNotification.Name {
  UIApplication.didFinishLaunchingNotification
}

@available(*, deprecated, renamed: "UIApplication.didBecomeActiveNotification")
public var UIApplicationDidBecomeActiveNotification: NSNotification.Name {
  UIApplication.didBecomeActiveNotification
}

@available(*, deprecated, renamed: "UIApplication.willResignActiveNotification")
public var UIApplicationWillResignActiveNotification: NSNotification.Name {
  UIApplication.willResignActiveNotification
}

@available(*, deprecated, renamed: "UIApplication.didEnterBackgroundNotification")
public var UIApplicationDidEnterBackgroundNotification: NSNotification.Name {
  UIApplication.didEnterBackgroundNotification
}

@available(*, deprecated, renamed: "UIApplication.willEnterForegroundNotification")
public var UIApplicationWillEnterForegroundNotification: NSNotification.Name {
  UIApplication.willEnterForegroundNotification
}

@available(*, deprecated, renamed: "UIApplication.willTerminateNotification")
public var UIApplicationWillTerminateNotification: NSNotification.Name {
  UIApplication.willTerminateNotification
}

@available(*, deprecated, renamed: "TimeInterval")
public typealias NSTimeInterval = TimeInterval
