/// What readers ask of inboxes (P7, P8).
extension SchedulerEngine {
  func checkInbox(_ request: Request) throws(RequestError) {
    switch request {
    case .fetchInbox(_, let container, _, let limit):
      try checkContainer(container, field: "container")
      guard (1...InboxLimit.page).contains(limit) else {
        throw .invalidField(
          FieldError("limit", .outOfRange, "a page has 1 to \(InboxLimit.page) entries"))
      }
    case .markRead(_, let container, let ids):
      try checkContainer(container, field: "container")
      guard ids.count <= InboxLimit.marks else {
        throw .invalidField(
          FieldError("ids", .tooLong, "at most \(InboxLimit.marks) are marked at a time"))
      }
    default: break
    }
  }

  func fetch(
    _ id: RequestID, _ container: String, since: String?, limit: Int32, _ app: SchedulerApp
  ) {
    let token = since.map { InboxToken(text: $0) }
    if token == .some(nil) { return refuse(id, .tokenForeign) }
    ask(
      .fetchInbox(
        app: app.number, container: container, since: token ?? nil,
        blank: .blank(app: app.name, container: container), limit: limit),
      for: .inbox(id, of: app.owner))
  }

  func takeInbox(_ outcome: StoreOutcome, _ id: RequestID) {
    switch outcome {
    case .fetched(.page(let entries, let token, let moreComing)):
      emit(.reply(id, .fetched(entries, token: token.text, moreComing: moreComing)))
    case .fetched(.expired): refuse(id, .tokenExpired)
    case .fetched(.foreign): refuse(id, .tokenForeign)
    case .markedRead(let marked, let unknown):
      emit(.reply(id, .markedRead(marked: marked, unknown: unknown)))
    case .failed(let reason): refuse(id, .storeUnavailable(reason: reason))
    default: emit(.log(.error, "the books answered for an inbox by something else"))
    }
  }

  /// Of an app id that nobody has used yet.
  func fetchNothing(_ id: RequestID, app: String, _ container: String, since: String?) {
    let blank = InboxToken.blank(app: app, container: container).text
    guard since ?? blank == blank else { return refuse(id, .tokenForeign) }
    emit(.reply(id, .fetched([], token: blank, moreComing: false)))
  }
}
