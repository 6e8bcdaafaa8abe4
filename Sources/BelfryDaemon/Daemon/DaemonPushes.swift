import BelfryCore
import BelfrySystem
import BelfryWire

/// Pushes of plugins that the scheduler has not answered. To it they are requests like those of the
/// local socket, by numbers that no client's request has.
struct PluginPushes {
  struct Origin {
    var sink: SinkIndex
    /// The life of its process: another one's tokens mean something else.
    var life: UInt64
    var token: UInt64
  }

  static let firstRequest: RequestID = 1 << 63

  private var origins: [RequestID: Origin] = [:]
  private var lastRequest = PluginPushes.firstRequest

  mutating func add(_ origin: Origin) -> RequestID {
    lastRequest += 1
    origins[lastRequest] = origin
    return lastRequest
  }

  mutating func remove(_ request: RequestID) -> Origin? {
    origins.removeValue(forKey: request)
  }
}

extension Daemon {
  func child(_ child: SupervisedChild, pushes push: PluginPush) {
    // Unanswered, it is sent again to the next daemon.
    guard stopping == nil else { return }
    do throws(FieldError) {
      let app = try push.appName()
      let draft = try PushPayload.read(push.payload).draft(push.options)
      let request = pluginPushes.add(
        PluginPushes.Origin(sink: child.index, life: child.attempt, token: push.token))
      feed(.request(request, peer(of: push, child), .push(app: app, draft.push)))
    } catch {
      let reason = "\(error.field): \(error.reason)"
      child.answer(push.token, .refused(reason: reason), now: SystemClock.elapsed())
    }
  }

  /// A1: by the user it names; a plugin that names none speaks for the operator who chose it.
  private func peer(of push: PluginPush, _ child: SupervisedChild) -> Peer {
    Peer(
      uid: push.uid ?? uid, pid: child.pid ?? 0, isOperator: push.uid == nil || push.uid == 0)
  }

  /// The scheduler's reply to a plugin's push.
  func answerPlugin(_ request: RequestID, _ reply: Reply) {
    guard let origin = pluginPushes.remove(request) else { return }
    let child = children[Int(origin.sink)]
    guard child.attempt == origin.life else { return }
    child.answer(origin.token, PluginPushAnswer(reply), now: SystemClock.elapsed())
  }
}

extension PluginPush {
  fileprivate func appName() throws(FieldError) -> String {
    if let app {
      try AppName.check(app)
      return app
    }
    guard let uid else {
      throw FieldError("app", .missing, "a push on nobody's behalf names its app")
    }
    return AppName.ofUser(uid)
  }

  fileprivate var options: PushOptions {
    var options = PushOptions()
    options.id = id
    options.collapseID = collapseIdentifier
    options.expiration = expires
    return options
  }
}

extension PluginPushAnswer {
  /// After the books could not be written.
  static let patience = 5 * Duration.second

  init(_ reply: Reply) {
    switch reply {
    case .pushed(let pushed): self = pushed.isDuplicate ? .duplicate : .accepted
    case .refused(.booksUnavailable(let reason)):
      self = .later(reason: reason, after: Self.patience)
    case .refused(.invalidField(let error)):
      self = .refused(reason: "\(error.field): \(error.reason)")
    case .refused(.notOwner(let app)):
      self = .refused(reason: "app: \(app) belongs to another user")
    case .refused(.limitReached(let limit, let value)):
      self = .refused(reason: "\(limit): the limit of \(value) is reached")
    default: self = .refused(reason: "app: it takes no pushes")
    }
  }
}
