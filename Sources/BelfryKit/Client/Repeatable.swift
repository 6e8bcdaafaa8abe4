import Foundation

extension LocalNotification {
  /// With an identifier, so that a call repeated after a lost reply does nothing twice.
  var identified: LocalNotification {
    guard identifier == nil else { return self }
    var copy = self
    copy.identifier = UUID().uuidString.lowercased()
    return copy
  }

  /// Whether it is certainly still pending some moments after it was scheduled, so that to schedule
  /// it again is `unchanged` (N1): a repeat without an end, or a date that is not near.
  var staysPending: Bool {
    if region != nil { return !regionTriggersOnce }
    let ends =
      count != nil || until != nil || rrule?.contains("COUNT") ?? false
      || rrule?.contains("UNTIL") ?? false
    if repeatInterval != nil || rrule != nil, !ends { return true }
    let near = Date(timeIntervalSinceNow: LocalNotification.near)
    if let fireIn { return fireIn > .seconds(LocalNotification.near) }
    // The clocks of two zones differ by 26 hours at most.
    return fireDate.map { $0 > (timeZoneName == nil ? near : near + 26 * 3600) } ?? false
  }

  /// Longer than any call waits for a daemon and its reply, in seconds.
  private static let near = 120.0
}
