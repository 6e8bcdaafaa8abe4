/// What is shown of a push, and who hears of it (P6, P9, D1).
extension SchedulerEngine {
  /// Reason of a push that nobody was told of: its app fetches it.
  static let waitsInInbox = "waits in the inbox"

  /// As a local notification that is presented now; beyond that, what has content-available is told
  /// to every session of its app, or starts it.
  ///
  /// `shown`: what sinks show under the same identifier, which this one replaces.
  func show(_ push: InFlightPush, replacing shown: [ShownDelivery]) {
    let occurrence = push.occurrence
    guard let app = apps[push.app] else { return }
    // The store may yet refuse an app that it does not know.
    let isRecorded = app.registrationState == .done
    if let expires = occurrence.notification.expires, expires < now.real {
      return end(occurrence, app, .expired, "expired before it could be shown", isRecorded)
    }
    if let cause = pause(of: occurrence.notification, app.number) {
      // P6: it stands in the inbox, unread.
      return passOver(occurrence, cause, app: app.number, isRecorded: isRecorded)
    }
    let isHeard = occurrence.isForApp && tell(occurrence, to: app)
    if occurrence.isForApp, !occurrence.notification.hasSomethingToShow {
      if isHeard {
        end(occurrence, app, .received, nil, isRecorded, sink: Sink.app)
      } else if !start(app, for: occurrence, isExclusive: true, isRecorded) {
        end(occurrence, app, .delivered, Self.waitsInInbox, isRecorded)
      }
      return
    }
    deliver(
      occurrence, app: app.number, slot: nil,
      shown: (shown + push.shownMeanwhile.filter { !shown.contains($0) }).filter {
        $0.occurrence != occurrence.id
      }, attempt: push.attempt,
      isRecorded: isRecorded, only: nil)
    dropSnoozes(before: occurrence.id)
    if occurrence.isForApp, !isHeard {
      _ = start(app, for: occurrence, isExclusive: false, isRecorded)
    }
  }

  /// To sessions in the background; those in the foreground too where nothing else tells them.
  /// False: the app does not run.
  private func tell(_ occurrence: Occurrence, to app: SchedulerApp) -> Bool {
    let isExclusive = !occurrence.notification.hasSomethingToShow
    return sessions.tellReceived(occurrence, to: app.number, all: isExclusive, &turn)
  }

  /// False: it is not started, or enough waits for it already.
  private func start(
    _ app: SchedulerApp, for occurrence: Occurrence, isExclusive: Bool, _ isRecorded: Bool
  ) -> Bool {
    let profile = profile(of: app)
    guard profile.launchesForPush, profile.canLaunch, isRecorded,
      sessions.pushes(for: app.number) < Self.maxKeptPushes
    else { return false }
    hand(QueuedEvent(.pushed, occurrence, delivered: nil), to: app)
    if isExclusive { record(.withdrawIntent(occurrence.id, app: app.number)) }
    return true
  }

  /// While an app is being started it hears of so many; the rest it finds in its inbox.
  private static let maxKeptPushes = 16

  /// Without a sink.
  private func end(
    _ occurrence: Occurrence, _ app: SchedulerApp, _ state: DeliveryState, _ reason: String?,
    _ isRecorded: Bool, sink: String = ""
  ) {
    let firing = FiredOccurrence(occurrence, app: app.number, isRecorded: isRecorded)
    firing.open = 1
    end(
      firing, sink: sink, state, reason: reason,
      handedOver: state == .received ? now.real : nil, attempts: state == .received ? 1 : 0)
  }
}

extension Notification {
  /// Beyond its payload, which is for the app (P1).
  fileprivate var hasSomethingToShow: Bool {
    alertBody != nil || alertTitle != nil || changesBadge || soundName != nil
  }
}
