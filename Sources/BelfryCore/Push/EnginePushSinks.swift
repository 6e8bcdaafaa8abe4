/// Pushes that plugins bring: requests like any others, whose replies go to the plugin.
extension SchedulerEngine {
  func take(
    _ pushed: PushedNotification, into app: String, token: UInt64, uid: UInt32?,
    from sink: SchedulerSink
  ) {
    let request = pushes.beginPluginRequest(from: sink.index, token: token)
    // Without a user it is the operator's own, who configured the plugin (A1).
    let peer = Peer(
      uid: uid ?? configuration.owner ?? 0, pid: 0, isOperator: (uid ?? 0) == 0)
    accept(request, peer, .push(app: app, pushed))
  }

  /// A reply to such a request, in the plugin's terms; its process may have ended meanwhile.
  func answerPlugin(_ request: RequestID, _ reply: Reply) {
    guard let (sink, token) = pushes.endPluginRequest(request) else { return }
    let answer: PushAnswer
    switch reply {
    case .pushed(let reply): answer = reply.isDuplicate ? .duplicate : .accepted
    case .refused(.storeUnavailable(let reason)): answer = .later(reason: reason)
    case .refused(let error): answer = .refused(reason: error.pushWords)
    default: answer = .refused(reason: "it is no push")
    }
    emit(.pushAnswered(sink, token: token, answer))
  }
}

extension RequestError {
  /// For whoever looks at a push that was set aside.
  fileprivate var pushWords: String {
    switch self {
    case .invalidField(let error): "\(error.field): \(error.reason)"
    case .notOwner(let app): "app: \(app) belongs to another user"
    case .limitReached(let limit, let value): "the limit \(limit) = \(value) is reached"
    default: "it may not do that"
    }
  }
}
