/// What apps may show (D5), judged whenever something is due.
extension SchedulerEngine {
  /// As registered, within what the operator allows.
  func settings(of app: SchedulerApp) -> AppSettings {
    (app.registration?.settings ?? .all).intersection(profile(of: app).allowed)
  }

  /// What there is of an occurrence to show.
  ///
  /// A snoozed one, and a step (E6), leave the badge alone, which it has changed when it first came.
  func parts(of occurrence: Occurrence, _ number: AppNumber) -> DeliveryParts {
    var parts = parts(of: occurrence.notification, number)
    if occurrence.id.snooze > 0 || occurrence.id.step > 0 { parts.remove(.badge) }
    if occurrence.soundName != nil { parts.insert(.sound) }
    if let app = apps[number] { parts.subtract(DeliveryParts(leftOutBy: settings(of: app))) }
    return parts
  }

  /// The group of actions that a notification names; nil: none, or none that is known (N10).
  func category(of notification: Notification, _ number: AppNumber) -> ActionCategory? {
    apps[number]?.registration?.category(notification.category)
  }

  func register(_ registration: AppRegistration, _ id: RequestID, _ app: SchedulerApp) {
    app.registration = registration
    record(.register(app: app.number, registration))
    tellBadge(of: app)
    replyAfterCommit(id, .registered(settings(of: app)), of: app.number)
  }

  func tellSettings(_ id: RequestID, _ app: SchedulerApp) {
    let known = AppRegistration(
      settings: settings(of: app), categories: app.registration?.categories ?? [])
    emit(.reply(id, .settings(isRegistered: app.registration != nil, known)))
  }
}

extension DeliveryParts {
  /// What may not be shown with these settings.
  init(leftOutBy settings: AppSettings) {
    self = []
    if !settings.contains(.alert) { insert(.alert) }
    if !settings.contains(.badge) { insert(.badge) }
    if !settings.contains(.sound) { insert(.sound) }
  }

  /// In words, parted by commas.
  var words: String {
    var words: [String] = []
    if contains(.alert) { words.append("alert") }
    if contains(.badge) { words.append("badge") }
    if contains(.sound) { words.append("sound") }
    return words.joined(separator: ", ")
  }
}
