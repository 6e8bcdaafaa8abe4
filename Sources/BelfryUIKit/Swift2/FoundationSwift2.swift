// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

@available(*, deprecated, renamed: "NotificationCenter")
public typealias NSNotificationCenter = NotificationCenter

extension NotificationCenter {
  @available(*, deprecated, renamed: "getter:NotificationCenter.default()")
  public class func defaultCenter() -> NotificationCenter { self.default }

  @available(*, deprecated, renamed: "addObserver(forName:object:queue:using:)")
  @discardableResult public func addObserverForName(
    _ name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
    usingBlock block: @escaping @Sendable (Foundation.Notification) -> Void
  ) -> any NSObjectProtocol {
    addObserver(forName: name, object: object, queue: queue, using: block)
  }

  /// Swift 2's names were strings.
  @available(*, deprecated, renamed: "addObserver(forName:object:queue:using:)")
  @discardableResult public func addObserverForName(
    _ name: String, object: Any?, queue: OperationQueue?,
    usingBlock block: @escaping @Sendable (Foundation.Notification) -> Void
  ) -> any NSObjectProtocol {
    addObserver(
      forName: NSNotification.Name(name), object: object, queue: queue, using: block)
  }

  /// For blocks that say what they take: Swift 2 handed them the class.
  @available(*, deprecated, renamed: "addObserver(forName:object:queue:using:)")
  @_disfavoredOverload @discardableResult public func addObserverForName(
    _ name: String, object: Any?, queue: OperationQueue?,
    usingBlock block: @escaping @Sendable (NSNotification) -> Void
  ) -> any NSObjectProtocol {
    addObserver(forName: NSNotification.Name(name), object: object, queue: queue) {
      block(NSNotification(name: $0.name, object: $0.object, userInfo: $0.userInfo))
    }
  }

  @available(*, deprecated, renamed: "post(name:object:)")
  public func postNotificationName(_ name: String, object: Any?) {
    post(name: NSNotification.Name(name), object: object)
  }

  @available(*, deprecated, renamed: "post(name:object:userInfo:)")
  public func postNotificationName(
    _ name: String, object: Any?, userInfo: [AnyHashable: Any]?
  ) {
    post(name: NSNotification.Name(name), object: object, userInfo: userInfo)
  }

  /// For the names of the application's own notifications, which are no strings here.
  @available(*, deprecated, renamed: "post(name:object:)")
  public func postNotificationName(_ name: NSNotification.Name, object: Any?) {
    post(name: name, object: object)
  }

  @available(*, deprecated, renamed: "removeObserver(_:name:object:)")
  public func removeObserver(_ observer: Any, name: String, object: Any?) {
    removeObserver(observer, name: NSNotification.Name(name), object: object)
  }
}

@available(*, deprecated, renamed: "OperationQueue")
public typealias NSOperationQueue = OperationQueue

extension OperationQueue {
  @available(*, deprecated, renamed: "getter:OperationQueue.main()")
  public class func mainQueue() -> OperationQueue { main }
}

extension NSNumber {
  @available(*, deprecated, renamed: "intValue")
  public var integerValue: Int { intValue }
  @available(*, deprecated, renamed: "uintValue")
  public var unsignedIntegerValue: UInt { uintValue }
  @available(*, deprecated, renamed: "init(value:)")
  public convenience init(integer value: Int) { self.init(value: value) }
}

extension NSTimeZone {
  @available(*, deprecated, renamed: "getter:NSTimeZone.default()")
  public class func defaultTimeZone() -> TimeZone { self.default }
  @available(*, deprecated, renamed: "getter:NSTimeZone.local()")
  public class func localTimeZone() -> TimeZone { local }
  @available(*, deprecated, renamed: "system")
  public class func systemTimeZone() -> TimeZone { system }
}

/// For `timeZone = .defaultTimeZone()`, where the property is a `TimeZone` today.
extension TimeZone {
  @available(*, deprecated, message: "use NSTimeZone.default, or current")
  public static func defaultTimeZone() -> TimeZone { NSTimeZone.default }
  @available(*, deprecated, renamed: "autoupdatingCurrent")
  public static func localTimeZone() -> TimeZone { NSTimeZone.local }
  @available(*, deprecated, renamed: "current")
  public static func systemTimeZone() -> TimeZone { NSTimeZone.system }
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
