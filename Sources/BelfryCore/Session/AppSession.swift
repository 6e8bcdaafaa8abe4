/// An open session of an app.
final class AppSession {
  let id: SessionID
  let app: AppNumber
  /// Who opened it; nobody else may speak of it.
  let uid: UInt32
  var state: AppState
  private(set) var lastEvent: Int64 = 0
  /// What was offered to it and has not been decided (D1), by event.
  var offers: [Int64: AppOffer] = [:]
  /// What the user did, as it was sent here and not completed; the newest.
  private(set) var given: [(event: Int64, happening: KeptHappening)] = []
  /// What needs no completion is remembered this far.
  private static let mostGiven = 256

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

  func note(_ happening: KeptHappening, sentAs event: Int64) {
    if given.count >= Self.mostGiven, let old = given.firstIndex(where: { !$0.happening.isAction })
    {
      given.remove(at: old)
    }
    given.append((event, happening))
  }

  /// Moves out what was sent as this event.
  func takeGiven(_ event: Int64) -> KeptHappening? {
    guard let place = given.firstIndex(where: { $0.event == event }) else { return nil }
    return given.remove(at: place).happening
  }

  func forget(_ happening: KeptHappening) {
    given.removeAll { $0.happening === happening }
  }
}

/// A session that has ended.
struct ClosedSession {
  let session: AppSession
  /// What was offered to it and to no other session that is open, in order.
  let offers: [AppOffer]

  init(_ session: AppSession, offers: [AppOffer]) {
    self.session = session
    self.offers = offers
  }

  /// What it was given and has not completed, by event.
  var given: [(event: Int64, happening: KeptHappening)] { session.given }
}

/// What an app has taken or completed.
enum CompletedEvent {
  /// It is closed, and the caller is to end it.
  case offer(AppOffer)
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
final class AppOffer {
  var showing: Showing
  let at: Instant
  /// On the elapsed clock.
  let until: Int64
  /// Open sessions that were asked, and by which event.
  var asked: [(session: AppSession, event: Int64)] = []
  var isOver = false

  init(_ showing: Showing, at: Instant, until: Int64) {
    self.showing = showing
    self.at = at
    self.until = until
  }
}

/// What the user did, until a session has taken it (D3, D4).
final class KeptHappening {
  let number: Int64
  let app: AppNumber
  let happening: AppHappening
  let since: Instant
  /// It is given up then, on the elapsed clock.
  let over: Int64
  /// How often it was sent.
  var attempt: Int32
  /// Where it is; nil: it waits for a session.
  var session: AppSession?
  /// When its completion is overdue, on the elapsed clock.
  var until: Int64?
  /// The books have it.
  var isStored: Bool

  init(
    number: Int64, app: AppNumber, happening: AppHappening, since: Instant, over: Int64,
    attempt: Int32 = 0, isStored: Bool = false
  ) {
    self.number = number
    self.app = app
    self.happening = happening
    self.since = since
    self.over = over
    self.attempt = attempt
    self.isStored = isStored
  }

  /// The app's name.
  var name: String { happening.occurrence.app }

  /// Of an action; else empty.
  var actionName: String {
    if case .handleAction(let identifier, _, _) = happening.kind { return identifier }
    return ""
  }

  /// It must be completed, else it is sent again (D4).
  var isAction: Bool {
    if case .handleAction = happening.kind { return true }
    return false
  }

  /// What has come, and nobody did.
  var isPush: Bool { happening.kind == .pushed }

  var stored: StoredHappening {
    StoredHappening(
      number: number, app: app, happening: happening, attempt: attempt, since: since)
  }
  /// Adds what an event tells of it.
  func complete(_ event: inout SessionEvent) {
    event.delivered = happening.delivered
    event.attempt = attempt
    guard case .handleAction(let identifier, let text, _) = happening.kind else { return }
    event.action = identifier
    event.text = text
  }

  /// Records the history's row of the app itself.
  func settle(
    _ state: DeliveryState, reason: String, clock: ClockState, _ turn: inout Turn
  ) {
    let firing = OpenFiring(happening.occurrence, app: app, isRecorded: true)
    // It is never what closes the occurrence: a sound may go on.
    firing.open = 2
    turn.end(
      firing, clock: clock, sink: Sink.app, state, reason: reason,
      handedOver: state == .received ? turn.now.real : nil, attempts: attempt)
  }
}
