/// The ways in which an app may call attention; raw values as on iOS.
public struct UIUserNotificationType: OptionSet, Hashable, Sendable {
  public var rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// A number on the app's icon, or wherever a sink shows badges.
  public static let badge = UIUserNotificationType(rawValue: 1)
  public static let sound = UIUserNotificationType(rawValue: 2)
  public static let alert = UIUserNotificationType(rawValue: 4)
}
