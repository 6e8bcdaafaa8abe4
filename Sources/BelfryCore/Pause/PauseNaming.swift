/// The search for one-shots that end in a pause.
final class PauseNaming {
  struct Found {
    var slot: Slot
    var due: Instant
  }

  var reply: PauseReply
  /// Where it goes on.
  var next: Slot = 1
  private(set) var count: Int64 = 0
  private let scope: StoredPause.Scope
  private let span: StoredPause
  private var found: [Found] = []

  init(_ reply: PauseReply, _ scope: StoredPause.Scope) {
    self.reply = reply
    self.scope = scope
    span = StoredPause(number: 0, scope: scope, from: reply.from, until: reply.until)
  }

  func concerns(_ app: AppNumber) -> Bool {
    switch scope {
    case .everything: true
    case .app(let own), .notification(let own, _, _): own == app
    }
  }

  func add(_ node: HeapNode) {
    guard node.due != .distantFuture, span.contains(node.due) else { return }
    count += 1
    found.append(Found(slot: node.slot, due: node.due))
    if found.count >= 4 * PauseReply.most { found = soonest }
  }

  /// Those that are named.
  var soonest: [Found] {
    Array(found.sorted { $0.due < $1.due }.prefix(PauseReply.most))
  }
}

extension StoredNotification {
  var pauseScope: StoredPause.Scope {
    .notification(app: app, slot: slot, uuid: uuid)
  }
}
