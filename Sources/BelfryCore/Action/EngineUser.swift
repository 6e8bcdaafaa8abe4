/// Requests about an app's face to its user.
extension SchedulerEngine {
  /// In its turn among the app's requests.
  func carryOut(_ request: UserRequest, _ id: RequestID, _ app: SchedulerApp) {
    switch request {
    case .badge: emit(.reply(id, .badge(app.badge)))
    case .setBadge(let badge):
      setBadge(badge, of: app)
      replyAfterCommit(id, .done, of: app.number)
    case .register(let registration): register(registration, id, app)
    case .settings: tellSettings(id, app)
    case .response(let response, let name): carryOut(response, on: name, id, app)
    }
  }

  /// The answer where nobody has used the app id yet.
  func answerUnused(_ name: String, _ request: UserRequest, _ id: RequestID) {
    switch request {
    case .badge: emit(.reply(id, .badge(0)))
    case .settings:
      let registration = AppRegistration(settings: profile(of: name).allowed)
      emit(.reply(id, .settings(isRegistered: false, registration)))
    case .response(_, let identifier): refuse(id, .notFound(identifier: identifier))
    case .setBadge, .register: break
    }
  }
}
