/// What an alert says, as a sink shows it: looked up, with arguments or stripped of escapes, and
/// with the defaults filled in (L1, L2, N7, N8).
public struct AlertText: Hashable, Sendable {
  /// nil: there is no alert, because the notification has no body or nothing of it is left.
  public var body: String?
  public var title: String?
  public var subtitle: String?
  /// Title of the action button; nil: there is none (N9).
  public var action: String?

  public init(
    body: String? = nil, title: String? = nil, subtitle: String? = nil, action: String? = nil
  ) {
    self.body = body
    self.title = title
    self.subtitle = subtitle
    self.action = action
  }
}

extension Notification {
  /// What the alert of this notification says in the words of its app, dates as `zone`'s clocks show
  /// them.
  ///
  /// A text that is a key of a table is that table's value, looked up as it stands; then its
  /// arguments are put in, or, in a body without any, printf's escapes are stripped. What comes out
  /// is at most as long as its field may be; more ends with `…`.
  public func text(in words: Localization, zone: ZoneRules) -> AlertText {
    func text(_ text: String?, _ arguments: [PropertyList]) -> String? {
      guard let text else { return nil }
      return words.shown(text, arguments, zone: zone, limit: Limit.title)
    }
    let body = body(in: words, zone: zone)
    let action = body == nil || !hasAction ? nil : text(alertAction, alertActionLocalizationArgs)
    return AlertText(
      body: body, title: text(alertTitle, alertTitleLocalizationArgs),
      subtitle: text(alertSubtitle, alertSubtitleLocalizationArgs),
      action: body == nil || !hasAction ? nil : action ?? words.defaultAction)
  }

  /// The body alone.
  func body(in words: Localization, zone: ZoneRules) -> String? {
    guard let alertBody else { return nil }
    var body = words.shown(alertBody, alertLocalizationArgs, zone: zone, limit: Limit.alertBody)
    if alertLocalizationArgs.isEmpty { body = FormatEscapes.stripped(body) }
    return body.isEmpty ? nil : body
  }
}

extension Localization {
  fileprivate func shown(
    _ text: String, _ arguments: [PropertyList], zone: ZoneRules, limit: Int
  ) -> String {
    let found = tables.isEmpty ? text : self.text(for: text) ?? text
    guard arguments.isEmpty else {
      return TextArguments.put(arguments, into: found, zone: zone, limit: limit)
    }
    return TextArguments.cut(found, limit: limit)
  }
}
