/// Sounds that are left out on purpose. Who reads that one was `delivered` takes it for heard, so each of
/// them is `silenced`, with the setting that left it out.
extension SchedulerEngine {
  /// Why the sound of a notification is not heard at an instant, as things are; nil: it is, or there is
  /// none.
  func silence(of notification: Notification, _ app: AppNumber, at instant: Instant) -> String? {
    guard notification.soundName != nil, notification.mayReachSpeaker else { return nil }
    if let app = apps[app], !settings(of: app).contains(.sound) { return Self.leftOut }
    return silence(
      volume: notification.volume, effectiveLevel(of: notification, app: app), at: instant)
  }

  /// The file that is to be there when it is due.
  func namedSound(
    of notification: Notification, _ app: SchedulerApp
  ) -> ScheduleReply.NamedSound? {
    guard let name = notification.soundName, name != Notification.defaultSoundName,
      notification.mayReachSpeaker
    else { return nil }
    return ScheduleReply.NamedSound(app: app.name, name: name)
  }

  /// Why no sound of that volume and level is heard now, whoever's it is; nil: it is.
  public func silence(volume: Double = 1, _ level: InterruptionLevel) -> String? {
    silence(volume: volume, level, at: now.real)
  }

  public func silence(
    volume: Double, _ level: InterruptionLevel, at instant: Instant
  ) -> String? {
    let time = zones.board.rules?.civil(at: instant) ?? CivilTime(instant)
    return configuration.sounds.silence(
      volume: volume, isCritical: level == .critical, minute: Int(time.hour * 60 + time.minute))
  }

  private static let leftOut = "settings leave out: sound"

  /// Why the sound of what is shown is never handed to the speaker, by settings or for want of one.
  func withheld(_ occurrence: Occurrence, _ app: AppNumber, _ parts: DeliveryParts) -> String? {
    guard occurrence.soundName != nil, occurrence.goes(to: Sink.speaker) else { return nil }
    if !configuration.sounds.isEnabled {
      return silence(of: occurrence.notification, app, at: now.real)
    }
    let hasSpeaker = sinks.contains { $0.sink.kind == .speaker }
    return hasSpeaker && !parts.contains(.sound) ? Self.leftOut : nil
  }

  /// Why the speaker does not get this now; nil: it does.
  func silence(of delivery: OpenDelivery, at sink: SchedulerSink) -> String? {
    guard sink.sink.kind == .speaker else { return nil }
    let occurrence = delivery.occurrence
    return silence(
      volume: occurrence.volume, effectiveLevel(occurrence.level, app: delivery.firing.app),
      at: now.real)
  }

  /// Not heard, this time. What has begun to ring may be heard again (D11); what was silenced when it
  /// was due never begins: nobody expects it when quiet hours end.
  func silence(_ delivery: OpenDelivery, at sink: SchedulerSink, reason: String) {
    let hasBegun = delivery.hasBegun
    let isAgain = delivery.isSilenced(at: now, pause: configuration.soundPause)
    if hasBegun, isAgain { return soundAgain(delivery, at: sink) }
    finish(delivery, .silenced, reason: reason)
  }
}
