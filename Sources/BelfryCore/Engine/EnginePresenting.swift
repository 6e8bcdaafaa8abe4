/// What is shown at once, and never scheduled.
extension SchedulerEngine {
  /// N14: never listed; nothing of it waits for the disk (D8).
  func presentNow(_ id: RequestID, _ notification: Notification, _ app: SchedulerApp) {
    if let expires = notification.expires, expires < now.real {
      return refuse(id, .invalidField(FieldError("expires", .outOfRange, "it is past already")))
    }
    let presented = present(notification, app, only: nil)
    var reply = ScheduleReply(
      identifier: presented.notification.identifier ?? "", scheduled: true,
      unchanged: false, replaced: false, occurrence: presented.id, next: presented.due,
      discarded: [])
    reply.demotion = demotion(of: notification, app)
    reply.sounds = namedSounds(of: notification, app)
    if let cause = pause(of: notification, app.number) {
      reply.warnings.append("it is not shown: " + cause.reason)
    } else if let silence = silence(of: notification, app.number, at: now.real) {
      reply.warnings.append("its sound is not heard: " + silence)
    }
    reply.warnings += notification.scheduling.map { $0 + ": PresentNow delivers now, and once" }
    noteSurprises(of: notification, app.number, in: &reply)
    // It is shown in any case; a disk that does not take it is a warning, not a refusal.
    ask(.commit(app: app.number), for: .presented(id, reply))
  }

  func test(_ id: RequestID, sink name: String?, _ app: SchedulerApp) {
    guard settings(of: app).contains(.alert) else {
      return refuse(
        id, .invalidField(FieldError("app", .conflict, "its settings leave out: alert")))
    }
    var alert = Notification()
    alert.alertTitle = "Belfry"
    alert.alertBody = "This is a test."
    alert.soundName = Notification.defaultSoundName
    let only = name.flatMap { sinkQueues.named($0) }
    let presented = present(alert, app, only: only, isTest: true)
    let all = sinks.filter { $0.sink.kind == .speaker || $0.sink.wantsAlerts }
    replyAfterCommit(
      id,
      .testing(
        occurrence: presented.id, sinks: (only.map { [$0] } ?? all).map { $0.sink.name }),
      of: app.number)
  }

  private func present(
    _ notification: Notification, _ app: SchedulerApp, only: SchedulerSink?, isTest: Bool = false
  ) -> Occurrence {
    let uuid = makeUUID()
    let isNamed = notification.identifier != nil
    var notification = notification
    if !isNamed { notification.identifier = uuid.text }
    noteDates(in: notification)
    let presented = Occurrence(
      id: OccurrenceID(uuid: uuid, generation: 0, k: 0), app: app.name,
      notification: notification, due: now.real)
    if let cause = pause(of: notification, app.number), !isTest {
      passOver(presented, cause, app: app.number)
      return presented
    }
    let firing = deliver(
      presented, app: app.number, slot: nil, shown: [], attempt: 0, isRecorded: true,
      only: only)
    if isNamed { findReplaced(by: firing) }
    return presented
  }

  /// Asks what earlier lives have left under the identifier of what has gone out, which does not wait for
  /// the answer (D8).
  func findReplaced(by firing: FiredOccurrence) {
    handled.beginQuestion()
    ask(
      .findShown(app: firing.app, firing.name.identifier, nil), for: .replaced(by: firing))
  }

  /// N1, N15: what was shown before this was due goes from each sink that shows it.
  func withdraw(_ outcome: StoreOutcome, replacedBy firing: FiredOccurrence) {
    let (id, due) = (firing.occurrence.id, firing.occurrence.due)
    let gone = handled.endQuestion()
    guard case .shown(let rows, _) = outcome else { return }
    let older = rows.filter { row in
      firing.replaces(row.shown) && (row.delivered ?? row.due) < due
        && !gone.contains(row.shown.occurrence)
    }.prefix(Self.mostReplaced).map { $0.shown }
    if older.isEmpty || sessions.offers.replace(older, by: id) { return }
    for shown in older {
      guard let sink = sinkQueues.named(shown.sink) else { continue }
      if let newer = sink.open(id) {
        newer.replace(shown.occurrence)
      } else if firing.isShown(at: sink.index) {
        withdraw(shown)
        record(
          .markHandled(
            shown.occurrence, app: firing.app, identifier: shown.identifier, .withdrawn,
            reason: nil,
            sink: shown.sink))
      }
    }
  }

  /// The work of one event is bounded (A2).
  private static let mostReplaced = 256
}

extension Notification {
  /// The fields that say when it is due, or how it repeats, but for its date, which it may have had.
  fileprivate var scheduling: [String] {
    [
      ("fireIn", fireIn != nil), ("repeatInterval", repeatInterval != nil), ("rrule", rrule != nil),
      ("rrules", !rrules.isEmpty), ("region", region != nil),
    ].filter { $0.1 }.map { $0.0 }
  }
}
