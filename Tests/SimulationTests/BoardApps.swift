@testable import BelfryCore

/// An open session, as its app knows it.
struct SimulatedSession {
  var id: SessionID
  var app: String
  var state: AppState
  var manner: SessionManner
}

/// Apps that run on a board, the people before it, and where it is.
extension Board {
  func act(inApps action: LifeAction) {
    switch action {
    case .open(let app, let state, let manner):
      open(LifeShape.apps[app], state, manner)
    case .close(let place, let isUnread):
      guard let session = session(place) else { return }
      // What is due now is still for it.
      handle(.clock)
      guard !isDead else { return }
      sessions.removeAll { $0.id == session.id }
      ledger.closed(session.id)
      handle(.sessionClosed(session.id, isUnread: isUnread))
    case .turn(let place, let state):
      guard let session = session(place) else { return }
      request(.setState(session: Int64(session.id), state))
    case .response(let app, let name, let response):
      request(.user(app: LifeShape.apps[app], .response(response, "n\(name)")))
    case .answerSnooze(let app, let place, let response):
      guard let id = snooze(of: app, place) else { return }
      request(.user(app: LifeShape.apps[app], .response(response, id.text)))
    case .cancelSnooze(let app, let place):
      guard let id = snooze(of: app, place) else { return }
      request(.cancel(app: LifeShape.apps[app], identifiers: [id.text]))
    case .input(let sink, let response): input(at: sink, response)
    case .register(let app):
      var action = NotificationAction(identifier: "a", title: "A")
      action.activationMode = .background
      let category = ActionCategory(identifier: "c", actions: [action])
      request(
        .user(app: LifeShape.apps[app], .register(AppRegistration(categories: [category]))))
    case .fix(let metres, let accuracy): fix(metres: metres, accuracy: accuracy)
    default: break
    }
  }

  /// One of those that wait.
  private func snooze(of app: Int, _ place: Int) -> OccurrenceID? {
    let ids = ledger.snoozes.filter { $0.value.name.app == LifeShape.apps[app] }.map { $0.key }
      .sorted { $0.text < $1.text }
    return ids.isEmpty ? nil : ids[place % ids.count]
  }

  private func session(_ place: Int) -> SimulatedSession? {
    sessions.isEmpty ? nil : sessions[place % sessions.count]
  }

  private func open(_ app: String, _ state: AppState, _ manner: SessionManner) {
    lastSession += 1
    manners[lastSession] = manner
    request(.openSession(app: app, session: lastSession, state: state))
  }

  private func input(at index: Int, _ response: UserResponse) {
    guard sinks.indices.contains(index), sinks[index].isUp,
      let id = sinks[index].showing.keys.max(by: { $0 < $1 })
    else { return }
    if case .snooze(let duration) = response { ledger.snoozing(id, for: duration) }
    handle(.sink(SinkIndex(index), .input(SinkInput(id, response, isLocked: false))))
  }

  private func fix(metres: Double, accuracy: Double?) {
    // What waits for its content after a start is judged then, and not now.
    guard scheduler.regions.isLoaded else { return }
    ledger.located(metres: metres, accuracy: accuracy)
    if !ledger.crossings.contains(where: { isCancelling($0) }) {
      crossings[lastRequest + 1] = Int64(ledger.crossings.count)
    }
    request(
      .fix(
        latitude: PlanRegion.latitude(metres: metres), longitude: PlanRegion.centre.longitude,
        accuracy: accuracy, time: nil), by: Board.root)
  }

  // MARK: Told

  /// What the scheduler tells an app in its session.
  func tell(_ id: SessionID, _ event: SessionEvent) {
    if event.kind == .received { noteHandOver(event.occurrence.id, Sink.app) }
    note("session \(id) hears \(event.kind) \(Firing(event.occurrence).text)")
    ledger.told(id, event)
    guard let session = sessions.first(where: { $0.id == id }) else { return }
    guard [.received, .handleAction].contains(event.kind), case .takes(let after) = session.manner
    else { return }
    expect(completion: (id, event.id), after: after)
  }

  func complete(_ session: SessionID, _ event: Int64) {
    guard sessions.contains(where: { $0.id == session }) else { return }
    ledger.completing(session, event)
    lastRequest += 1
    let request = Request.complete(session: Int64(session), event: event)
    asked.append((lastRequest, request, now))
    handle(.request(lastRequest, Board.client, request))
  }

  /// The board starts an app's program: one of three never comes to open its session.
  func launch(_ app: String, attempt: Int32) {
    launches += 1
    guard launches % 3 > 0 else { return }
    coming.append(
      Coming(
        at: now.elapsed + Nanoseconds.second, sink: nil, process: 0, event: .clock, delivery: nil,
        launched: app))
    coming.sort { $0.at < $1.at }
  }

  func come(_ app: String) {
    lastSession += 1
    manners[lastSession] = .takes(after: Nanoseconds.second)
    lastRequest += 1
    let request = Request.openSession(app: app, session: lastSession, state: .background)
    asked.append((lastRequest, request, now))
    handle(.request(lastRequest, Board.client, request))
  }

  /// D11: what was snoozed comes again, whoever said so.
  func noteSnooze(_ event: WatchEvent) {
    guard event.kind == .snoozed, let id = event.occurrence else { return }
    if event.sink != nil {
      let told = ledger.snoozingAtSinks.firstIndex {
        $0.id.base == id.base && event.reason == UserResponse.snooze($0.duration).reason
      }
      guard let told else { return }
      let duration = ledger.snoozingAtSinks.remove(at: told).duration
      return ledger.snoozed(event, id, for: duration)
    }
    for (request, asked, _) in asked where !toldResponses.contains(request) {
      guard case .user(let app, .response(.snooze(let duration), let identifier)) = asked,
        app == event.app, ledger.name(app, identifier).identifier == event.identifier
      else { continue }
      toldResponses.insert(request)
      return ledger.snoozed(event, id, for: duration)
    }
  }

  /// A request that is under way may replace it, or take it off the list.
  func mayReplace(_ name: PromiseName) -> Bool {
    asked.contains {
      switch $0.request {
      case .schedule(let app, let notification, _):
        app == name.app && notification.identifier == name.identifier
      case .replaceAll(let app, _, _): app == name.app
      default: false
      }
    }
  }

  /// A cancel request that is under way means it.
  func isCancelling(_ name: PromiseName) -> Bool {
    asked.contains {
      switch $0.request {
      case .cancel(let app, let identifiers):
        identifiers.contains { ledger.name(app, $0) == name }
      case .cancelAll(let app): app == name.app
      default: false
      }
    }
  }

  /// A response that is under way may be to it.
  func isAnswering(_ name: PromiseName) -> Bool {
    asked.contains {
      guard case .user(let app, .response(_, let identifier)) = $0.request else { return false }
      return ledger.name(app, identifier) == name
    }
  }

  // MARK: Replies

  func takeOpened(_ id: SessionID, _ app: String, _ state: AppState) {
    sessions.append(
      SimulatedSession(id: id, app: app, state: state, manner: manners[id] ?? .never))
    ledger.opened(id, app, state)
  }

  func takeTurned(_ id: Int64, _ state: AppState) {
    guard let place = sessions.firstIndex(where: { $0.id == SessionID(id) }) else { return }
    sessions[place].state = state
    ledger.opened(sessions[place].id, sessions[place].app, state)
  }

  func takeLocated(_ id: RequestID, _ count: Int64) {
    if let expected = crossings[id], expected != count {
      ledger.fail("R2 crossings", "\(count) fired, and not \(expected)")
    }
  }
}
