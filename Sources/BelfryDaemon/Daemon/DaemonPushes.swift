import BelfryCore
import BelfrySystem
import BelfryWire

/// Pushes of plugins: what they say is read here, not where foreign code runs.
extension Daemon {
  func child(_ child: ChildSupervisor, pushes push: PluginPush) {
    // Unanswered, it is sent again to the next daemon.
    guard shutdown == nil else { return }
    do throws(FieldError) {
      let app = try push.appName()
      let draft = try PushPayload.read(push.payload).draft(push.options)
      if let unseen = draft.payload.unseen {
        child.note(.warning, "a push for \(FieldError.quoted(app)): \(unseen)")
      }
      feed(
        .sink(child.index, .push(token: push.token, uid: push.uid, app: app, draft.push)))
    } catch {
      let reason = "\(error.field): \(error.reason)"
      child.answer(push.token, .refused(reason: reason), now: SystemClock.elapsed())
    }
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
  /// After the store could not be written.
  private static let timeout = 5 * Nanoseconds.second

  init(_ answer: PushAnswer) {
    switch answer {
    case .accepted: self = .accepted
    case .duplicate: self = .duplicate
    case .refused(let reason): self = .refused(reason: reason)
    case .later(let reason): self = .later(reason: reason, after: Self.timeout)
    }
  }
}
