/// What alerts say, in the words of their apps (L1, L2, N8).
///
/// Looked up at the due instant and again at each hand-over, so that a table that was read meanwhile
/// counts; what is kept and listed is the notification as it was scheduled.
extension SchedulerEngine {
  func text(of notification: Notification, _ app: AppNumber) -> AlertText {
    notification.text(in: words(of: app), zone: boardRules)
  }

  func hasBody(_ notification: Notification, _ app: AppNumber) -> Bool {
    guard notification.alertBody != nil else { return false }
    return notification.body(in: words(of: app), zone: boardRules) != nil
  }

  /// A4: what would be acknowledged and never seen.
  func checkShows(_ notification: Notification, app: String) throws(FieldError) {
    guard notification.showsNothing(in: words(of: app)) else { return }
    throw FieldError(
      "alertBody", .malformed,
      "nothing of it would be seen, and there is no sound, badge or userInfo beside it; say "
        + "something, or leave it out")
  }

  /// A4: what only the scheduler knows to be wrong.
  func check(_ notification: Notification, app: String) throws(FieldError) {
    try checkShows(notification, app: app)
    if notification.ladder.isEmpty { return }
    let plugins = sinks.filter { $0.sink.kind == .plugin }.map { $0.sink.name }
    try notification.checkSinks(among: [Sink.speaker] + plugins)
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
