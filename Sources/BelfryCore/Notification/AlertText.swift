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
  /// What a reader of the history knows it by: the first KiB of the body, or of the title if there is
  /// no body.
  public var historyText: String? {
    (alertBody ?? alertTitle).map { TextArguments.cut($0, limit: 1_021) }
  }

  /// What the alert of this notification says in the words of its app, dates as `zone`'s clocks show
  /// them.
  ///
  /// A text that is a key of a table is that table's value, looked up as it stands; then its
  /// arguments are put in, or printf's escapes are stripped from a body that is a format. What comes out
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
    if alertBodyIsFormat, alertLocalizationArgs.isEmpty { body = FormatEscapes.stripped(body) }
    return body.isBlank ? nil : body
  }

  /// A4: there is a body, but of what it says without any table nothing would be seen, and nothing
  /// stands beside it that would be heard, counted or handed on.
  func showsNothing(in words: Localization) -> Bool {
    guard alertBody != nil, soundName == nil, !changesBadge, userInfo.isEmpty else { return false }
    return body(in: .none, zone: .utc) == nil && body(in: words, zone: .utc) == nil
  }
}

extension String {
  /// Spaces, line ends, controls and marks without a width: nothing that an alert could show.
  fileprivate var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0...0x20, 0x7F...0xA0, 0xAD, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000,
        0xFEFF:
        true
      default: false
      }
    }
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
