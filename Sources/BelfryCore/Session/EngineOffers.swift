extension Sink {
  /// Stands in the history for the app itself; no plugin can have that name.
  public static let app = "app"
  /// The speaker's, which is also that of sounds which no speaker gets.
  public static let speaker = "speaker"
}

/// D1: what is due while an app is in the foreground is the app's own, if it takes it in time.
extension SchedulerEngine {
  /// Asks every session in the foreground, as they are at the due instant.
  ///
  /// False: no session of the app is in the foreground.
  func offer(_ showing: Presentation, slot: Slot?) -> Bool {
    let firing = showing.firing
    guard sessions.offer(showing, &turn) else { return false }
    firing.open = 1
    if firing.isRecorded {
      // Killed before it is decided, the next start goes on as in the background.
      let sinks = [Sink.app] + showing.sinks.map { $0.sink.name }
      record(.fired(firing.occurrence, app: firing.app, slot: slot, sinks: sinks))
    }
    return true
  }

  /// A session took it: nothing else happens, but what it replaces is shown no longer (N1).
  func take(_ offer: ForegroundOffer) {
    let firing = offer.showing.firing
    // Its app has it: that is an answer (E6).
    endWaiting(firing.occurrence.id)
    firing.noteTaken()
    let lately = apps[firing.app]?.takeShownLately(before: firing) ?? []
    let older = offer.showing.shown.filter { !lately.contains($0) } + lately
    var replaced = older.map { $0.occurrence }
    for shown in older {
      if let sink = sinkQueues.named(shown.sink) {
        takeBack(shown.occurrence, at: sink.index)
      }
    }
    for unrecorded in apps[firing.app]?.takeUnrecorded(before: firing) ?? [] {
      takeBack(unrecorded.occurrence.id, at: unrecorded.sink)
      replaced.append(unrecorded.occurrence.id)
    }
    end(
      firing, sink: Sink.app, .received, reason: nil, handedOver: offer.at,
      attempts: offer.showing.attempt + 1, replaces: replaced)
  }

  /// No session took these, which are closed: they go on as in the background. Of several that do so at once the newest
  /// occurrence of a notification supersedes the others, as it does in a sink's queue (T10).
  func goOn(_ offers: [ForegroundOffer], reason: String) {
    for (place, offer) in offers.enumerated() {
      let later = offers[(place + 1)...]
      if let newer = later.last(where: { $0.showing.firing.overtakes(offer.showing.firing) }) {
        newer.showing.shown = supersede(offer) + newer.showing.shown
      } else {
        goOn(offer, reason: reason)
      }
    }
  }

  /// T10: an occurrence that goes out has overtaken older ones that are with sessions; what they would
  /// have replaced.
  func overtakeOffers(by firing: FiredOccurrence) -> [ShownDelivery] {
    sessions.offers.close(before: firing).flatMap { supersede($0) }
  }

  private func supersede(_ offer: ForegroundOffer) -> [ShownDelivery] {
    let (showing, firing) = (offer.showing, offer.showing.firing)
    if showing.parts.contains(.badge) {
      _ = changeBadge(of: firing.app, by: firing.occurrence.notification)
    }
    end(
      firing, sink: Sink.app, .superseded, reason: nil, handedOver: offer.at,
      attempts: showing.attempt + 1)
    return showing.shown
  }

  private func goOn(_ offer: ForegroundOffer, reason: String) {
    let showing = offer.showing
    show(showing) { [self] in
      end(
        showing.firing, sink: Sink.app, .unknown, reason: reason, handedOver: offer.at,
        attempts: showing.attempt + 1)
    }
  }

  func giveUpOffers() {
    let over = sessions.offers.closeOverdue(at: now)
    guard !over.isEmpty else { return }
    goOn(over, reason: "not taken within \(Nanoseconds.text(configuration.foregroundTimeout))")
  }

  /// N15: cancelled before a session took it; how many.
  func withdrawOffers(_ selection: Selection, of app: SchedulerApp) -> Int {
    let meant = sessions.offers.close(selection, of: app.number)
    for offer in meant {
      end(
        offer.showing.firing, sink: Sink.app, .withdrawn, reason: nil, handedOver: offer.at,
        attempts: offer.showing.attempt + 1)
    }
    return meant.count
  }
}
