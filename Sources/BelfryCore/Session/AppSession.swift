/// An open session of an app.
final class AppSession {
  let id: SessionID
  let app: AppNumber
  /// Who opened it; nobody else may speak of it.
  let uid: UInt32
  var state: AppState
  private(set) var lastEvent: Int64 = 0
  /// What was offered to it and has not been decided (D1), by event.
  var offers: [Int64: ForegroundOffer] = [:]
  /// What the user did, as it was sent here and not completed; the newest.
  private(set) var given: [(event: Int64, queuedEvent: QueuedAppEvent)] = []
  /// What needs no completion is remembered this far.
  private static let maxGiven = 256

  init(id: SessionID, app: AppNumber, uid: UInt32, state: AppState) {
    self.id = id
    self.app = app
    self.uid = uid
    self.state = state
  }

  /// Sends an event, with what `complete` adds to it; its number.
  func tell(
    _ kind: SessionEvent.Kind, _ occurrence: Occurrence, _ turn: inout Turn,
    _ complete: (inout SessionEvent) -> Void = { _ in }
  ) -> Int64 {
    lastEvent += 1
    var event = SessionEvent(id: lastEvent, kind: kind, occurrence: occurrence)
    complete(&event)
    turn.emit(.session(id, event))
    return lastEvent
  }

  func note(_ queuedEvent: QueuedAppEvent, sentAs event: Int64) {
    if given.count >= Self.maxGiven, let old = given.firstIndex(where: { !$0.queuedEvent.isAction })
    {
      given.remove(at: old)
    }
    given.append((event, queuedEvent))
  }

  /// Moves out what was sent as this event.
  func takeGiven(_ event: Int64) -> QueuedAppEvent? {
    guard let place = given.firstIndex(where: { $0.event == event }) else { return nil }
    return given.remove(at: place).queuedEvent
  }

  func forget(_ queuedEvent: QueuedAppEvent) {
    given.removeAll { $0.queuedEvent === queuedEvent }
  }
}

/// A session that has ended.
struct ClosedSession {
  let session: AppSession
  /// What was offered to it and to no other session that is open, in order.
  let offers: [ForegroundOffer]

  init(_ session: AppSession, offers: [ForegroundOffer]) {
    self.session = session
    self.offers = offers
  }

  /// What it was given and has not completed, by event.
  var given: [(event: Int64, queuedEvent: QueuedAppEvent)] { session.given }
}

/// What an app has taken or completed.
enum CompletedEvent {
  /// It is closed, and the caller is to end it.
  case offer(ForegroundOffer)
  case action
  /// It was decided before, or needs no completion.
  case nothing
}

/// The start of an app's program, until its session opens (D3).
struct AppLaunch {
  let name: String
  /// 0: none yet, since an app that ran before us may come back by itself.
  var attempt: Int32
  /// On the elapsed clock.
  var until: Int64
}

/// An occurrence that is with the app's foreground sessions, until one of them takes it or they had
/// their time (D1).
final class ForegroundOffer {
  var showing: Presentation
  let at: Instant
  /// On the elapsed clock.
  let until: Int64
  /// Open sessions that were asked, and by which event.
  var asked: [(session: AppSession, event: Int64)] = []
  var isOver = false

  init(_ showing: Presentation, at: Instant, until: Int64) {
    self.showing = showing
    self.at = at
    self.until = until
  }
}

/// What the user did, until a session has taken it (D3, D4).
final class QueuedAppEvent {
  let number: Int64
  let app: AppNumber
  let queuedEvent: QueuedEvent
  let since: Instant
  /// It is given up then, on the elapsed clock.
  let over: Int64
  /// How often it was sent.
  var attempt: Int32
  /// Where it is; nil: it waits for a session.
  var session: AppSession?
  /// When its completion is overdue, on the elapsed clock.
  var until: Int64?
  /// The store has it.
  var isStored: Bool

  init(
    number: Int64, app: AppNumber, queuedEvent: QueuedEvent, since: Instant, over: Int64,
    attempt: Int32 = 0, isStored: Bool = false
  ) {
    self.number = number
    self.app = app
    self.queuedEvent = queuedEvent
    self.since = since
    self.over = over
    self.attempt = attempt
    self.isStored = isStored
  }

  /// The app's name.
  var name: String { queuedEvent.occurrence.app }

  /// Of an action; else empty.
  var actionName: String {
    if case .handleAction(let identifier, _, _) = queuedEvent.kind { return identifier }
    return ""
  }

  /// It must be completed, else it is sent again (D4).
  var isAction: Bool {
    if case .handleAction = queuedEvent.kind { return true }
    return false
  }

  /// What has come, and nobody did.
  var isPush: Bool { queuedEvent.kind == .pushed }

  var stored: StoredQueuedEvent {
    StoredQueuedEvent(
      number: number, app: app, queuedEvent: queuedEvent, attempt: attempt, since: since)
  }
  /// Adds what an event tells of it.
  func complete(_ event: inout SessionEvent) {
    event.delivered = queuedEvent.delivered
    event.attempt = attempt
    guard case .handleAction(let identifier, let text, _) = queuedEvent.kind else { return }
    event.action = identifier
    event.text = text
  }

  /// Records the history's row of the app itself.
  func settle(
    _ state: DeliveryState, reason: String, clock: ClockState, _ turn: inout Turn
  ) {
    let firing = FiredOccurrence(queuedEvent.occurrence, app: app, isRecorded: true)
    // It is never what closes the occurrence: a sound may go on.
    firing.open = 2
    turn.end(
      firing, clock: clock, sink: Sink.app, state, reason: reason,
      handedOver: state == .received ? turn.now.real : nil, attempts: attempt)
  }
}
