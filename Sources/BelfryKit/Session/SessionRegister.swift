internal import BelfryCore
internal import BelfrySystem

/// What a session's threads share.
final class SessionRegister: @unchecked Sendable {
  /// An action by which it is known again when it is told again.
  struct Response: Hashable {
    var occurrence: String
    var action: String
    var text: String?
  }

  /// Where an action's completion is to go.
  struct Place: Hashable {
    var session: Int64
    var event: Int64
  }

  private let lock = Mutex()
  private var current: AppState
  /// The daemon's number; nil: not open.
  private var session: Int64?
  /// The state that the daemon knows, or will when the session is open.
  private var told: AppState?
  private var subscription: Subscription?
  private var isClosed = false
  /// Actions with the delegate, and where the newest telling came from.
  private var underway: [Response: Place] = [:]
  /// The newest that were completed, oldest first.
  private var done: [Response] = []
  private static let remembered = 64

  init(state: AppState) {
    current = state
  }

  var state: AppState {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }

  /// False: there is one already, or the session was closed.
  func adopt(_ new: Subscription) -> Bool {
    lock.withLock {
      guard subscription == nil, !isClosed else { return false }
      subscription = new
      return true
    }
  }

  /// Opening failed; it may be tried again.
  func abandon() {
    lock.withLock { subscription = nil }
  }

  func close() -> Subscription? {
    lock.withLock {
      isClosed = true
      session = nil
      return subscription
    }
  }

  var isOver: Bool { lock.withLock { isClosed } }

  func stateToOpenWith() -> AppState {
    lock.withLock {
      session = nil
      told = current
      return current
    }
  }

  func opened(_ number: Int64) {
    lock.withLock { session = number }
  }

  /// nil: the daemon knows the state, or there is no session to tell.
  func stateToSend() -> (session: Int64, state: AppState)? {
    lock.withLock {
      guard let session, told != current else { return nil }
      told = current
      return (session, current)
    }
  }

  /// What to do with an action that is told.
  enum Telling {
    case new, underway, done
  }

  /// An occurrence is put away by the first action on it, so the same one is never a second one;
  /// a daemon that was killed may not even know that it has told it before.
  func take(_ response: Response, at place: Place) -> Telling {
    lock.withLock {
      if underway.updateValue(place, forKey: response) != nil { return .underway }
      guard done.contains(response) else { return .new }
      underway[response] = nil
      return .done
    }
  }

  /// Where the completion goes; nil: it came before.
  func finish(_ response: Response) -> Place? {
    lock.withLock {
      guard let place = underway.removeValue(forKey: response) else { return nil }
      if done.count == Self.remembered { done.removeFirst() }
      done.append(response)
      return place
    }
  }
}
