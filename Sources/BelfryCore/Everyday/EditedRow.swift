/// An edited row on its way to the store.
struct EditedRow {
  var row: StoredNotification
  var app: AppNumber
  /// When it is due has not changed, so it goes on where it was.
  var keepsTime: Bool
}

/// The row that an edit is about.
final class FoundRow {
  let row: StoredNotification

  init(_ row: StoredNotification) {
    self.row = row
  }
}

extension Notification {
  /// Whether it is due exactly when the other is: all but what it says and how it is shown is equal.
  /// A field that is not named here counts as one that says when.
  func isTimed(as other: Notification) -> Bool {
    var probe = other
    probe.identifier = identifier
    probe.alertBody = alertBody
    probe.alertBodyIsFormat = alertBodyIsFormat
    probe.alertLocalizationArgs = alertLocalizationArgs
    probe.alertTitleLocalizationArgs = alertTitleLocalizationArgs
    probe.alertSubtitleLocalizationArgs = alertSubtitleLocalizationArgs
    probe.alertActionLocalizationArgs = alertActionLocalizationArgs
    probe.alertTitle = alertTitle
    probe.alertSubtitle = alertSubtitle
    probe.alertAction = alertAction
    probe.hasAction = hasAction
    probe.alertLaunchImage = alertLaunchImage
    probe.category = category
    probe.applicationIconBadgeNumber = applicationIconBadgeNumber
    probe.badgeOperation = badgeOperation
    probe.soundName = soundName
    probe.userInfo = userInfo
    probe.repeatSound = repeatSound
    probe.fadeIn = fadeIn
    probe.ringFor = ringFor
    probe.realert = realert
    probe.ladder = ladder
    // Calendars are judged when it is due.
    probe.exceptOn = exceptOn
    probe.onlyOn = onlyOn
    probe.threadIdentifier = threadIdentifier
    probe.interruptionLevel = interruptionLevel
    probe.volume = volume
    probe.expires = expires
    probe.late = late
    probe.tolerance = tolerance
    probe.sinks = sinks
    probe.push = push
    return probe == self
  }
}
