/// Requests about an app's face to its user.
extension Scheduler {
  /// In its turn among the app's requests.
  func carryOut(_ request: UserRequest, _ id: RequestID, _ app: SchedulerApp) {
    switch request {
    case .badge: emit(.reply(id, .badge(app.badge)))
    case .setBadge(let badge):
      setBadge(badge, of: app)
      replyAfterCommit(id, .done)
    }
  }

  /// The answer where nobody has used the app id yet.
  func answerUnused(_ request: UserRequest, _ id: RequestID) {
    switch request {
    case .badge: emit(.reply(id, .badge(0)))
    case .setBadge: emit(.reply(id, .done))
    }
  }
}
