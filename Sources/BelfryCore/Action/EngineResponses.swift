/// What the user does with what is shown or heard: to act, to dismiss, to snooze (D3, D4, D11).
///
/// Whoever it was done at, every sink that shows the occurrence is told to take it away, that one
/// too, and its sound stops.
extension SchedulerEngine {
  /// Something that is shown, sounds, or is on its way to a sink.
  private struct Seen {
    var occurrence: Occurrence
    var sink: SinkIndex?
    var delivered: Instant?
    /// Not ended; nil: the sink shows it.
    var open: OpenDelivery?
    /// The store knows that the sink shows it.
    var isInStore = false
    /// It is not shown: it waits to come again.
    var snooze: SnoozeList.Entry?
  }

  /// Asked by a client, in its turn.
  func carryOut(_ response: UserResponse, on name: String, _ id: RequestID, _ app: SchedulerApp) {
    look(for: ResponseTarget(name), response, by: .client(id), in: app)
  }

  /// D5: told by a sink, of what was handed over to it.
  func take(_ input: SinkInput, from sink: SchedulerSink) {
    let source = ResponseSource.sink(sink.index, isLocked: input.isLocked)
    do throws(FieldError) {
      try input.response.check()
    } catch {
      return refuse(source, input.occurrence.text, .invalidField(error))
    }
    let open = sink.open(input.occurrence)
    look(
      for: .occurrence(input.occurrence), input.response, by: source,
      in: (open?.firing.app ?? waiting[input.occurrence.uuid]?.app).flatMap { apps[$0] })
  }

  private func look(
    for target: ResponseTarget, _ response: UserResponse, by source: ResponseSource,
    in app: SchedulerApp?
  ) {
    // What a sink comes to show while the store looks is no less shown.
    app?.beginLook()
    handled.beginQuestion()
    ask(
      .findShown(app: app?.number, target.identifier, target.occurrence?.base),
      for: .response(source, app?.number, target, response))
  }

  func takeResponse(
    _ outcome: StoreOutcome, _ source: ResponseSource, _ number: AppNumber?,
    _ target: ResponseTarget,
    _ response: UserResponse
  ) {
    var rows: [ShownOccurrence] = []
    var meanwhile: [OpenDelivery] = []
    if let app = number.flatMap({ apps[$0] }) { meanwhile = app.endLook() }
    if case .shown(let found, _) = outcome { rows = found }
    let gone = handled.endQuestion()
    rows.removeAll { gone.contains($0.shown.occurrence) }
    meanwhile.removeAll { gone.contains($0.id) }
    guard let app = (number ?? rows.first?.shown.app).flatMap({ apps[$0] }) else {
      return refuse(source, target.name, .notFound(identifier: target.name))
    }
    if target == .newest {
      guard let newest = newestShown(in: app, rows: rows) else {
        return refuse(source, target.name, .notFound(identifier: target.name))
      }
      return look(for: .occurrence(newest.base), response, by: source, in: app)
    }
    var seen = seen(target, in: app, rows: rows, meanwhile: meanwhile)
    // D11: what is shown goes first; a sink speaks for nothing else.
    if seen.isEmpty, case .client = source {
      seen = snoozes.all(target, of: app.number).map { Seen(occurrence: $0.occurrence, snooze: $0) }
      seen.sort { $0.occurrence.due < $1.occurrence.due }
    }
    if seen.isEmpty, case .failed(let reason) = outcome {
      return refuse(source, target.name, .storeUnavailable(reason: reason))
    }
    do throws(RequestError) {
      try carryOut(response, on: seen, target, source, app)
    } catch {
      refuse(source, target.name, error)
    }
  }

  /// What came last of all that is shown or heard, or waits for an answer; `rows`: the store's newest.
  private func newestShown(in app: SchedulerApp, rows: [ShownOccurrence]) -> OccurrenceID? {
    var found = rows.map { (at: $0.delivered ?? $0.due, id: $0.shown.occurrence) }
    for sink in sinks {
      for delivery in sink.handedOver + sink.queue.all where delivery.firing.app == app.number {
        if let at = delivery.handedOver { found.append((at, delivery.id)) }
      }
    }
    found += waiting.all(of: app.number).map { ($0.stored.began, $0.occurrence.id) }
    return found.max { $0.at < $1.at }?.id
  }

  /// All that is shown or heard of it, or waits for an answer, the newest last.
  private func seen(
    _ target: ResponseTarget, in app: SchedulerApp, rows: [ShownOccurrence],
    meanwhile: [OpenDelivery]
  ) -> [Seen] {
    var seen = waiting.all(of: app.number).filter { target.contains($0.occurrence) }
      .map { Seen(occurrence: $0.occurrence) }
    seen += rows.map { row in
      Seen(
        occurrence: Occurrence(
          id: row.shown.occurrence, app: app.name, notification: row.notification, due: row.due),
        sink: sinkQueues.named(row.shown.sink)?.index, delivered: row.delivered, isInStore: true)
    }
    let isMeant = { (delivery: OpenDelivery) in
      delivery.firing.app == app.number && target.contains(delivery.occurrence)
    }
    for delivery in meanwhile where isMeant(delivery) {
      seen.append(
        Seen(
          occurrence: delivery.occurrence, sink: delivery.sink, delivered: delivery.handedOver,
          isInStore: delivery.firing.isRecorded))
    }
    for delivery in app.shownUnrecorded where isMeant(delivery) {
      seen.append(
        Seen(
          occurrence: delivery.occurrence, sink: delivery.sink, delivered: delivery.handedOver))
    }
    for sink in sinks {
      for delivery in sink.handedOver + sink.queue.all where isMeant(delivery) {
        seen.append(
          Seen(
            occurrence: delivery.occurrence, sink: sink.index, delivered: delivery.handedOver,
            open: delivery))
      }
    }
    return seen.sorted { one, other in
      (one.occurrence.due, one.occurrence.id.k) < (other.occurrence.due, other.occurrence.id.k)
    }
  }

  private func carryOut(
    _ response: UserResponse, on seen: [Seen], _ target: ResponseTarget, _ source: ResponseSource,
    _ app: SchedulerApp
  ) throws(RequestError) {
    var place: SchedulerSink?
    var isLocked = false
    if case .sink(let index, let locked) = source {
      (place, isLocked) = (sinkQueues[index], locked)
      // It speaks for what it was given, and for nothing else.
      guard seen.contains(where: { $0.sink == index && $0.open?.attempt != 0 }) else {
        throw .notFound(identifier: target.name)
      }
    }
    guard let newest = seen.last else { throw .notFound(identifier: target.name) }
    let notification = newest.occurrence.notification
    let action = try response.chosen(
      in: category(of: notification, app.number), named: notification.category,
      isLocked: isLocked)
    var next: Instant?
    if case .snooze(let duration) = response {
      next = try snoozes.snooze(
        newest.occurrence, for: duration, of: app.number, isSynchronised: clock.isSynchronised,
        &turn)
    }
    for one in seen.dropLast() { put(away: one, app, response) }
    put(away: newest, app, response, isTold: true)
    for one in seen { endWaiting(one.occurrence.id) }
    emit(
      .event(
        WatchEvent(
          kind: response.state.event, app: app.name, identifier: notification.identifier ?? "",
          occurrence: newest.occurrence.id, sink: place?.sink.name, at: now.real,
          due: newest.occurrence.due, handedOver: newest.delivered, reason: response.reason,
          missed: 0)))
    tell(app, of: response, action, newest)
    if case .client(let id) = source {
      if let next {
        // D8: what only memory has would be silent after a restart. It comes again all the same.
        replyOnceStored(id, .snoozed(next: next), of: app.number)
      } else if case .acknowledge = response {
        replyAfterCommit(
          id,
          .acknowledged(
            identifier: notification.identifier ?? "", occurrence: newest.occurrence.id.base),
          of: app.number)
      } else {
        replyAfterCommit(id, .done, of: app.number)
      }
    }
    for sink in sinks { pump(sink) }
  }

  /// The app hears of what concerns it: a snooze does not.
  private func tell(
    _ app: SchedulerApp, of response: UserResponse, _ action: NotificationAction?, _ seen: Seen
  ) {
    let kind: QueuedEvent.Kind
    switch response {
    case .act(_, let text):
      kind =
        action.map {
          .handleAction(
            identifier: $0.identifier, text: $0.behavior == .textInput ? text ?? "" : nil,
            $0.activationMode)
        } ?? .activated
    case .dismiss, .acknowledge: kind = .dismissed
    case .snooze: return
    }
    hand(QueuedEvent(kind, seen.occurrence, delivered: seen.delivered), to: app)
  }

  /// It ends at its sink, as what was done with it.
  private func put(
    away seen: Seen, _ app: SchedulerApp, _ response: UserResponse, isTold: Bool = false
  ) {
    let id = seen.occurrence.id
    handled.note(id)
    if let snooze = seen.snooze {
      // An older one does not come again where the newest does.
      let isOver = response.state == .snoozed && !isTold
      return putAway(
        snooze, isOver ? .superseded : response.state, reason: isOver ? nil : response.reason,
        isTold: isTold)
    }
    if let delivery = seen.open {
      let sink = sinkQueues[delivery.sink]
      let isHandedOver = sink.handedOver.contains { $0 === delivery }
      sink.handedOver.removeAll { $0 === delivery }
      sink.queue.remove(delivery)
      if isHandedOver { takeBack(id, at: sink.index, token: delivery.token) }
      return finish(delivery, response.state, reason: response.reason)
    }
    if let sink = seen.sink { takeBack(id, at: sink) }
    app.forgetShown(id)
    guard seen.isInStore else { return }
    record(
      .markHandled(
        id, app: app.number, identifier: seen.occurrence.notification.identifier ?? "",
        response.state, reason: response.reason))
  }

  private func refuse(_ source: ResponseSource, _ name: String, _ error: RequestError) {
    switch source {
    case .client(let id): refuse(id, error)
    case .sink(let index, _):
      emit(
        .log(
          .warning,
          "\(sinkQueues[index].sink.name): what it tells of \(FieldError.quoted(name)) is refused: "
            + error.words))
    }
  }
}

extension ResponseTarget {
  fileprivate var identifier: String? {
    if case .identifier(let identifier) = self { identifier } else { nil }
  }

  fileprivate var occurrence: OccurrenceID? {
    if case .occurrence(let id) = self { id } else { nil }
  }
}

extension RequestError {
  /// For the log, of what a sink asked.
  fileprivate var words: String {
    switch self {
    case .invalidField(let error): "\(error.field): \(error.reason)"
    case .notFound: "it shows no such thing"
    case .limitReached(let limit, let value): "the limit \(limit) = \(value) is reached"
    case .storeUnavailable(let reason): "the books cannot be asked: \(reason)"
    default: "it may not do that"
    }
  }
}
