extension Notification {
  /// Whether its number says anything (N11).
  var changesBadge: Bool {
    switch badgeOperation {
    case nil, .add: applicationIconBadgeNumber != 0
    case .set, .clear: true
    }
  }

  /// The badge after it (N11): from 0 to `Limit.badge`.
  func badge(after old: Int64) -> Int64 {
    let number = applicationIconBadgeNumber
    let new: Int64 =
      switch badgeOperation {
      case .clear: 0
      case .add:
        old.addingReportingOverflow(number).overflow ? Limit.badge : old + number
      case .set, nil: number
      }
    return min(max(new, 0), Limit.badge)
  }
}

/// One number per app, kept here and in the store, and told to every badge sink (D6).
extension SchedulerEngine {
  /// Judged at the due instant; nil: the notification leaves it alone.
  func changeBadge(of number: AppNumber, by notification: Notification) -> Int64? {
    guard notification.changesBadge, let app = apps[number] else { return nil }
    let badge = notification.badge(after: app.badge)
    setBadge(badge, of: app)
    return badge
  }

  func setBadge(_ badge: Int64, of app: SchedulerApp) {
    guard badge != app.badge else { return }
    app.badge = badge
    record(.setBadge(app: app.number, badge))
    tellBadge(of: app)
  }

  /// What badge sinks are to show: nothing, where the app's settings leave out badges (D5).
  private func shownBadge(of app: SchedulerApp) -> Int64 {
    settings(of: app).contains(.badge) ? app.badge : 0
  }

  /// After a change of the badge, or of the app's settings.
  func tellBadge(of app: SchedulerApp) {
    let badge = shownBadge(of: app)
    guard badge != app.toldBadge else { return }
    app.toldBadge = badge
    for sink in sinks where sink.sink.wantsBadges {
      sink.badges[app.number] = SchedulerSink.BadgeChange(value: badge)
      pump(sink)
    }
  }

  /// A sink that has just started knows no badge, and may show one that was cleared while it was down.
  func tellBadges(to sink: SchedulerSink) {
    guard sink.sink.wantsBadges else { return }
    for app in apps.values where app.hasHadBadge && sink.badges[app.number] == nil {
      sink.badges[app.number] = SchedulerSink.BadgeChange(value: app.toldBadge)
    }
  }

  func pumpBadges(_ sink: SchedulerSink) {
    guard !sink.badges.isEmpty else { return }
    var room = SinkQueues.atHand - sink.badges.values.count { $0.token != 0 }
    guard room > 0 else { return }
    // Apps take turns.
    let numbers = sink.badges.keys.sorted()
    let start = numbers.firstIndex { $0 > sink.lastBadge } ?? 0
    for number in numbers[start...] + numbers[..<start] {
      guard var change = sink.badges[number], change.token == 0,
        change.notBefore <= now.elapsed, let app = apps[number]
      else { continue }
      guard room > 0 else { return }
      room -= 1
      if !sink.isBusy { sink.progress = now.elapsed }
      change.token = sinkQueues.nextToken()
      change.attempt += 1
      sink.badges[number] = change
      sink.lastBadge = number
      emit(
        .handOverBadge(
          sink.index, token: change.token, app: app.name, value: change.value))
    }
  }

  /// An answer to a badge; false: the token is not a badge's.
  func takeBadgeAnswer(
    _ answer: DeliveryAnswer, token: UInt64, from sink: SchedulerSink
  ) -> Bool {
    guard let number = sink.badges.first(where: { $0.value.token == token })?.key else {
      return false
    }
    switch answer {
    case .done, .pending: sink.badges[number] = nil
    case .retry(let after): putBackBadge(number, of: sink, after: after)
    case .failed(let reason), .silenced(let reason):
      sink.badges[number] = nil
      emit(.log(.warning, "\(sink.sink.name) did not take a badge: \(reason)"))
    }
    return true
  }

  /// To be handed over again, unless that was tried often enough.
  func putBackBadge(_ number: AppNumber, of sink: SchedulerSink, after: Int64) {
    guard var change = sink.badges[number] else { return }
    guard change.attempt < configuration.attempts else {
      sink.badges[number] = nil
      let attempts = counted(change.attempt, "attempt")
      emit(.log(.warning, "\(sink.sink.name) did not take a badge in \(attempts)"))
      return
    }
    change.token = 0
    change.notBefore = now.elapsed + min(max(after, 0), configuration.waitLimit)
    sink.badges[number] = change
  }
}
