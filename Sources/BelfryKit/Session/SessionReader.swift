import Dispatch
import Foundation

internal import BelfryCore
internal import BelfrySystem
internal import BelfryWire

/// Reads a session's connection on a thread of its own, and hands what comes to the delegate.
final class SessionReader: @unchecked Sendable {
  private let owner: AppSession
  private let subscription: Subscription
  private let backlog = Backlog()
  // The reading thread's own.
  private var session: Int64 = 0
  private var isLost = false
  private var pause: Int32 = 1000

  init(_ owner: AppSession, _ subscription: Subscription) {
    self.owner = owner
    self.subscription = subscription
  }

  /// Waits for the session, and for the launch option if there is one.
  func open() throws(SchedulerError) -> AppEvent? {
    guard case .began(let reply, _) = try subscription.next() else { throw Self.closed }
    var launch: AppEvent?
    for _ in 0..<(try begin(reply)) {
      guard case .reply(let parameters) = try subscription.next() else { break }
      let (id, event) = try read(parameters)
      if event.kind == .launch, launch == nil { launch = event } else { hand(event, id) }
    }
    return launch
  }

  private static let closed = SchedulerError(.cancelled, "the session was closed")

  func start() {
    let thread = Foundation.Thread { self.run() }
    thread.name = "belfry-session"
    thread.start()
  }

  private func run() {
    defer { subscription.hangUp() }
    while !owner.register.isOver {
      do throws(SchedulerError) {
        guard let message = try subscription.next() else { return }
        try take(message)
      } catch {
        if !isLost { tell { $0.session($1, didLose: error) } }
        isLost = true
        subscription.pause(milliseconds: pause)
        pause = min(2 * pause, 30_000)
      }
      backlog.waitForRoom()
    }
  }

  private func take(_ message: Subscription.Message) throws(SchedulerError) {
    switch message {
    case .began(let reply, _):
      _ = try begin(reply)
      tell { $0.sessionDidReopen($1) }
    case .reply(let parameters):
      var (id, event) = try read(parameters)
      // It runs: what would have been its launch option activates it (D3).
      if event.kind == .launch { event.kind = .activated }
      hand(event, id)
    }
  }

  /// How many events follow at once.
  private func begin(_ reply: JSONObject) throws(SchedulerError) -> Int {
    guard let number = reply["session"]?.integer else {
      throw SchedulerError(.unreadableReply, "the daemon's reply has no session")
    }
    session = number
    isLost = false
    pause = 1000
    owner.register.opened(number)
    // It may have changed while this was under way.
    owner.calls.async { [owner] in try? owner.sendState() }
    return Int(clamping: reply["waiting"]?.integer ?? 0)
  }

  private func read(_ parameters: JSONObject) throws(SchedulerError) -> (Int64, AppEvent) {
    guard let object = parameters["event"]?.object else {
      throw SchedulerError(.unreadableReply, "the daemon's reply has no event")
    }
    do throws(FieldError) {
      let event = try SessionEvent(object, app: owner.scheduler.app)
      return (event.id, AppEvent(event))
    } catch {
      throw SchedulerError(unreadable: error)
    }
  }

  private func hand(_ event: AppEvent, _ id: Int64) {
    let place = SessionRegister.Place(session: session, event: id)
    switch event.kind {
    case .received:
      tell {
        $0.session($1, didReceive: event)
        $1.complete(place.event, of: place.session)
      }
    case .launch, .activated: tell { $0.session($1, didActivate: event) }
    case .handleAction: handle(event, place)
    case .dismissed: tell { $0.session($1, didDismiss: event) }
    }
  }

  private func handle(_ event: AppEvent, _ place: SessionRegister.Place) {
    let response = SessionRegister.Response(
      occurrence: event.occurrence, action: event.action ?? "", text: event.text)
    switch owner.register.take(response, at: place) {
    // Its completion will go where it was told last.
    case .underway: return
    case .done: owner.complete(place.event, of: place.session)
    case .new:
      tell { delegate, owner in
        delegate.session(owner, handle: event) {
          guard let place = owner.register.finish(response) else { return }
          owner.complete(place.event, of: place.session)
        }
      }
    }
  }

  private func tell(
    _ body: @escaping @Sendable (any AppSessionDelegate, AppSession) -> Void
  ) {
    backlog.add()
    owner.queue.async { [owner, backlog] in
      if !owner.register.isOver { body(owner.delegate, owner) }
      backlog.remove()
    }
  }
}

/// How many calls of the delegate wait; a delegate that hangs must not make the memory grow.
private final class Backlog: @unchecked Sendable {
  private let condition = NSCondition()
  private var count = 0
  private static let most = 256

  func add() {
    condition.lock()
    count += 1
    condition.unlock()
  }

  func remove() {
    condition.lock()
    count -= 1
    condition.signal()
    condition.unlock()
  }

  func waitForRoom() {
    condition.lock()
    while count >= Backlog.most { condition.wait() }
    condition.unlock()
  }
}
