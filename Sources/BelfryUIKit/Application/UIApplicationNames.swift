import Foundation

extension UIApplication {
  /// Keys of the launch options.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The `UILocalNotification` whose alert launched the app.
    public static let localNotification =
      LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
    /// The `userInfo` of the push whose alert launched the app.
    public static let remoteNotification =
      LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    /// There so that programs compile; never among the options.
    public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    /// There so that programs compile; never among the options.
    public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")
  }

  /// What the app is doing; raw values as on iOS.
  public enum State: Int, Sendable {
    /// It has the user's attention: a due notification goes to the delegate.
    case active
    /// It is starting, coming or going, or the user has just chosen one of its alerts.
    case inactive
    /// A due notification is shown by the sinks.
    case background
  }

  /// Posted after `didFinishLaunchingWithOptions`; `userInfo` has the launch options.
  nonisolated public static let didFinishLaunchingNotification =
    NSNotification.Name("UIApplicationDidFinishLaunchingNotification")
  /// Posted after the delegate's callback, as the others are.
  nonisolated public static let didBecomeActiveNotification =
    NSNotification.Name("UIApplicationDidBecomeActiveNotification")
  nonisolated public static let willResignActiveNotification =
    NSNotification.Name("UIApplicationWillResignActiveNotification")
  nonisolated public static let didEnterBackgroundNotification =
    NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
  nonisolated public static let willEnterForegroundNotification =
    NSNotification.Name("UIApplicationWillEnterForegroundNotification")
  nonisolated public static let willTerminateNotification =
    NSNotification.Name("UIApplicationWillTerminateNotification")
  /// There so that programs compile; never posted.
  nonisolated public static let significantTimeChangeNotification =
    NSNotification.Name("UIApplicationSignificantTimeChangeNotification")
  /// There so that programs compile; never posted.
  nonisolated public static let didReceiveMemoryWarningNotification =
    NSNotification.Name("UIApplicationDidReceiveMemoryWarningNotification")

  /// The URL of an app's page in the settings: here nothing opens it.
  nonisolated public static let openSettingsURLString = "app-settings:"

  /// What a URL comes with; no URL ever comes.
  public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// Whether an app may be started in the background.
  public enum BackgroundRefreshStatus: Int, Sendable {
    case restricted, denied, available
  }

  /// Nothing is fetched here, however often an app asks for it.
  nonisolated public static let backgroundFetchIntervalMinimum: TimeInterval = 0
  nonisolated public static let backgroundFetchIntervalNever = TimeInterval.greatestFiniteMagnitude
}

/// A task that asks for time; `.invalid` is none.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
