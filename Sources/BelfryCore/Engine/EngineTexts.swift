/// What alerts say, in the words of their apps (L1, L2, N8).
///
/// Looked up at the due instant and again at each hand-over, so that a table that was read meanwhile
/// counts; what is kept and listed is the notification as it was scheduled.
extension SchedulerEngine {
  func text(of notification: Notification, _ app: AppNumber) -> AlertText {
    notification.text(in: words(of: app), zone: boardRules)
  }

  func hasAlert(_ notification: Notification, _ app: AppNumber) -> Bool {
    notification.hasAlert(in: words(of: app), zone: boardRules)
  }

  /// A4: what would be acknowledged and never noticed.
  private func checkDelivers(_ notification: Notification, app: String) throws(FieldError) {
    guard notification.deliversNothing(in: words(of: app)) else { return }
    if notification.alertBody == nil, notification.alertTitle == nil {
      throw FieldError(
        "alertBody", .missing,
        "there is nothing to deliver: give a body, a title, a sound, a badge other than 0 or "
          + "userInfo")
    }
    throw FieldError(
      notification.alertBody == nil ? "alertTitle" : "alertBody", .malformed,
      "nothing of it would be seen, and there is no sound, badge or userInfo beside it")
  }

  /// A4: what only the scheduler knows to be wrong.
  func check(
    _ notification: Notification, app: String, keeping kept: [String] = []
  ) throws(FieldError) {
    try checkDelivers(notification, app: app)
    guard notification.namesSinks else { return }
    let plugins = sinks.filter { $0.sink.kind == .plugin }.map { $0.sink }
    // One that only brings pushes, or calendars, is not offered to who misspells another.
    try notification.checkSinks(
      among: [Sink.speaker] + plugins.map { $0.name } + kept,
      offering: [Sink.speaker] + plugins.filter { $0.takesDeliveries }.map { $0.name })
  }

  /// P4: a key that is in no table gives way to the literal beside it.
  func useLiterals(of pushed: PushedNotification, in shown: inout Notification, app: String) {
    let words = words(of: app)
    func literal(_ text: String?, for key: String?) -> String? {
      guard let text, let key, words.text(for: key) == nil else { return nil }
      return text
    }
    if let body = literal(pushed.literals.body, for: shown.alertBody) {
      (shown.alertBody, shown.alertLocalizationArgs) = (body, [])
    }
    if let title = literal(pushed.literals.title, for: shown.alertTitle) {
      (shown.alertTitle, shown.alertTitleLocalizationArgs) = (title, [])
    }
    if let subtitle = literal(pushed.literals.subtitle, for: shown.alertSubtitle) {
      (shown.alertSubtitle, shown.alertSubtitleLocalizationArgs) = (subtitle, [])
    }
  }

  private func words(of app: AppNumber) -> Localization {
    words(of: apps[app]?.name ?? "")
  }

  private func words(of app: String) -> Localization {
    guard let profile = apps.manifest(of: app) else {
      return Localization(language: configuration.language)
    }
    return Localization(
      tables: profile.tables, language: profile.language ?? configuration.language)
  }

  private var boardRules: ZoneRules { zones.board.rules ?? .utc }

  /// Some argument is a date: from now on the board's zone is followed (T7).
  func noteDates(in notification: Notification) {
    if !zones.showsDates, notification.hasDates || notification.goesByDays { zones.followDates() }
  }
}

extension Notification {
  /// Whether a date stands among the arguments of its texts.
  fileprivate var hasDates: Bool {
    let isDate = { (argument: PropertyList) in
      if case .date = argument { return true }
      return false
    }
    return alertLocalizationArgs.contains(where: isDate)
      || alertTitleLocalizationArgs.contains(where: isDate)
      || alertSubtitleLocalizationArgs.contains(where: isDate)
      || alertActionLocalizationArgs.contains(where: isDate)
  }
}
