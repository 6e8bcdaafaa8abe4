import Foundation

extension LocalNotification {
  /// With an identifier, so that a call repeated after a lost reply does nothing twice.
  var identified: LocalNotification {
    guard identifier == nil else { return self }
    var copy = self
    copy.identifier = UUID().uuidString.lowercased()
    return copy
  }

  /// Whether it is certainly still pending so long after it was scheduled, so that to schedule it
  /// again is `unchanged` (N1): a repeat without an end, or a date that is not near.
  func staysPending(for duration: Duration) -> Bool {
    if region != nil { return !regionTriggersOnce }
    let rules = (rrule.map { [$0] } ?? []) + rrules
    let ends =
      count != nil || until != nil
      || rules.contains { $0.contains("COUNT") || $0.contains("UNTIL") }
    if repeatInterval != nil || !rules.isEmpty, !ends { return true }
    // Some more, since clocks are set.
    let seconds = min(duration.components.seconds, 1 << 40) + 60
    let near = Date(timeIntervalSinceNow: Double(seconds))
    if let fireIn { return fireIn > .seconds(seconds) }
    // It may be due so much sooner (E4).
    let shift = offset.map { Double($0.days) * 86400 + Double($0.seconds) } ?? 0
    // The clocks of two zones differ by 26 hours at most.
    return fireDate.map { $0 + shift > (timeZoneName == nil ? near : near + 26 * 3600) } ?? false
  }
}
