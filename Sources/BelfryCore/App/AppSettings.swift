/// Which parts of a notification an app may show (D5), with `UIUserNotificationType`'s raw values.
public struct AppSettings: OptionSet, Hashable, Sendable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let badge = AppSettings(rawValue: 1)
  public static let sound = AppSettings(rawValue: 2)
  public static let alert = AppSettings(rawValue: 4)
  /// What an app has that never registered.
  public static let all: AppSettings = [.badge, .sound, .alert]
}
