/// What an alert says, as a sink shows it: stripped, with the defaults filled in.
public struct AlertText: Hashable, Sendable {
  public var body: String
  public var title: String?
  public var subtitle: String?
  /// Title of the action button; nil: there is none (N9).
  public var action: String?

  /// The action button's title where the notification names none (N8).
  public static let defaultAction = "View"
}

extension Notification {
  /// The alert of this notification; nil where there is none, because it has no body or nothing of
  /// it is left without printf escapes (N7).
  public var alert: AlertText? {
    guard let alertBody else { return nil }
    let body = FormatEscapes.stripped(alertBody)
    guard !body.isEmpty else { return nil }
    return AlertText(
      body: body, title: alertTitle, subtitle: alertSubtitle,
      action: hasAction ? alertAction ?? AlertText.defaultAction : nil)
  }
}
