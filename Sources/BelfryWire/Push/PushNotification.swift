import BelfryCore

extension PushPayload {
  /// What of it is shown, by the fields of a notification (P4); its texts' keys stand in the texts'
  /// places, where they are looked up (L1). It is not validated, and has no `push`.
  ///
  /// A badge that is absent stays, 0 clears it. Without a key for the action there is one button, OK.
  public var shown: Notification {
    var shown = Notification()
    shown.alertBody = alert.bodyKey ?? alert.body
    shown.alertLocalizationArgs = alert.bodyArguments
    shown.alertTitle = alert.titleKey ?? alert.title
    shown.alertTitleLocalizationArgs = alert.titleArguments
    shown.alertSubtitle = alert.subtitleKey ?? alert.subtitle
    shown.alertSubtitleLocalizationArgs = alert.subtitleArguments
    shown.alertAction = alert.actionKey
    shown.hasAction = alert.actionKey != nil
    if Self.problem(of: alert.launchImage, "", isFile: true) == nil {
      shown.alertLaunchImage = alert.launchImage
    }
    if let badge {
      shown.applicationIconBadgeNumber = badge
      shown.badgeOperation = badge == 0 ? .clear : nil
    }
    shown.soundName = sound?.name
    shown.volume = sound?.volume ?? 1
    if Self.problem(of: category, "") == nil { shown.category = category }
    if Self.problem(of: threadIdentifier, "") == nil { shown.threadIdentifier = threadIdentifier }
    shown.interruptionLevel =
      sound?.isCritical == true ? .critical : interruptionLevel ?? .active
    return shown
  }

  /// Why a name that only decorates cannot be used, which costs no alert (P1); nil: it can.
  static func problem(of name: String?, _ path: String, isFile: Bool = false) -> FieldError? {
    do throws(FieldError) {
      try isFile
        ? Notification.checkFileName(name, path) : Notification.checkName(name, path)
      return nil
    } catch {
      return error
    }
  }

  /// There is an alert, a badge or a sound; else only the app hears of it, if anyone.
  public var isShown: Bool {
    let texts = [alert.bodyKey, alert.body, alert.titleKey, alert.title]
    return texts.contains { $0.map { !$0.isBlank } ?? false } || badge != nil || sound != nil
  }

  /// Why nothing of it is shown, where that is so.
  public var emptiness: String {
    let texts = [alert.bodyKey, alert.body, alert.titleKey, alert.title].compactMap { $0 }
    if alert == PushAlert() { return "it has no alert, badge or sound" }
    return texts.isEmpty
      ? "its alert has no body or title, and it has no badge or sound"
      : "its alert is blank, and it has no badge or sound"
  }

  /// What somebody should know who sends what nobody sees, and not for the app alone; nil: it is seen.
  public var unseen: String? {
    guard !isShown, !contentAvailable else { return nil }
    return "nothing of it is shown: " + emptiness + meant
  }

  /// A member of `aps` or its alert that is nearly one that is shown.
  private var meant: String {
    for (unknown, known) in [
      (unknown, ["alert", "badge", "sound"]), (alert.unknown, ["body", "title"]),
    ] {
      for name in unknown.members.map({ $0.name }) {
        if let near = NameSuggestion.nearest(to: name, among: known) {
          return "; did you mean \(near) instead of \(FieldError.quoted(name))?"
        }
      }
    }
    return ""
  }
}

extension PushAlert {
  /// Texts that keys stand before.
  var literals: PushedNotification.Literals {
    var literals = PushedNotification.Literals()
    if bodyKey != nil { literals.body = Self.visible(body) }
    if titleKey != nil { literals.title = Self.visible(title) }
    if subtitleKey != nil { literals.subtitle = Self.visible(subtitle) }
    return literals
  }

  /// nil: it is blank, and says less than the key.
  public static func visible(_ text: String?) -> String? {
    text.flatMap { $0.isBlank ? nil : $0 }
  }
}

extension ParsedPush {
  /// An error of the notification that `payload.shown` is, by the path of what is wrong here.
  func located(_ error: FieldError) -> FieldError {
    let names = [
      ("alertBody", payload.alert.bodyKey == nil ? places.body : "aps.alert.loc-key"),
      ("alertTitle", "aps.alert." + (payload.alert.titleKey == nil ? "title" : "title-loc-key")),
      (
        "alertSubtitle",
        "aps.alert." + (payload.alert.subtitleKey == nil ? "subtitle" : "subtitle-loc-key")
      ),
      ("alertAction", "aps.alert.action-loc-key"), ("alertLaunchImage", "aps.alert.launch-image"),
      ("soundName", places.sound), ("category", places.category),
      ("threadIdentifier", "aps.thread-id"), ("identifier", "collapseId"),
      ("expires", "expiration"), ("alertLocalizationArgs", "aps.alert.loc-args"),
      ("alertTitleLocalizationArgs", "aps.alert.title-loc-args"),
      ("alertSubtitleLocalizationArgs", "aps.alert.subtitle-loc-args"),
    ]
    for (name, path) in names where error.field.utf8.starts(with: name.utf8) {
      let rest = error.field.dropFirst(name.count)
      guard rest.isEmpty || rest.utf8.first == UInt8(ascii: "[") else { continue }
      return FieldError(path + rest, error.code, error.reason)
    }
    return error
  }
}
