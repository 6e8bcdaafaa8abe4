/// What an alert says, as a sink shows it: looked up, with arguments or stripped of escapes, and
/// with the defaults filled in (L1, L2, N7, N8).
public struct AlertText: Hashable, Sendable {
  /// nil: there is none, or nothing of it is left; so of the title.
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

  /// Whether there is an alert: a body, or a title alone, of which something is seen.
  public var isAlert: Bool { body != nil || title != nil }
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
    var found = AlertText(
      body: body(in: words, zone: zone), title: title(in: words, zone: zone),
      subtitle: text(alertSubtitle, alertSubtitleLocalizationArgs))
    if found.isAlert, hasAction {
      found.action = text(alertAction, alertActionLocalizationArgs) ?? words.defaultAction
    }
    return found
  }

  /// Whether something of it is seen.
  func hasAlert(in words: Localization, zone: ZoneRules) -> Bool {
    body(in: words, zone: zone) != nil || title(in: words, zone: zone) != nil
  }

  private func title(in words: Localization, zone: ZoneRules) -> String? {
    guard let alertTitle else { return nil }
    let title = words.shown(
      alertTitle, alertTitleLocalizationArgs, zone: zone, limit: Limit.title)
    return title.isBlank ? nil : title
  }

  private func body(in words: Localization, zone: ZoneRules) -> String? {
    guard let alertBody else { return nil }
    var body = words.shown(alertBody, alertLocalizationArgs, zone: zone, limit: Limit.alertBody)
    if alertBodyIsFormat, alertLocalizationArgs.isEmpty { body = FormatEscapes.stripped(body) }
    return body.isBlank ? nil : body
  }

  /// A4: it has nothing that would be seen, with any table or without, heard, counted or handed on.
  func deliversNothing(in words: Localization) -> Bool {
    guard soundName == nil, !changesBadge, userInfo.isEmpty,
      !ladder.contains(where: { $0.sound != nil })
    else { return false }
    return !hasAlert(in: .none, zone: .utc) && !hasAlert(in: words, zone: .utc)
  }
}

extension String {
  /// Spaces, line ends, controls and marks without a width: nothing that an alert could show.
  public var isBlank: Bool {
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
