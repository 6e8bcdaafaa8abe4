/// What the limit sends away from a list (N17).
struct Discarded {
  var identifier: String
  var due: Instant
}

/// Replacing the whole list (N16).
extension Scheduler {
  /// False: it has to wait for a zone, or until it can be alone.
  func replaceAll(_ id: RequestID, _ list: [Notification], _ app: SchedulerApp) -> Bool {
    guard app.schedulesUnderWay == 0 else { return false }
    var rows: [StoredNotification] = []
    do throws(RequestError) {
      var isReady = true
      for notification in list { isReady = try self.isReady(notification) && isReady }
      guard isReady else { return false }
      for notification in list { rows.append(try row(notification, app)) }
    } catch {
      for row in rows { pending.giveBack(row.slot) }
      refuse(id, error)
      return true
    }
    let most = Int(limit(of: app))
    let mostRegions = Int(regionLimit(of: app))
    if rows.count(where: { $0.side != nil }) > mostRegions {
      for row in rows { pending.giveBack(row.slot) }
      refuse(id, .limitReached(limit: "regions", value: Int64(mostRegions)))
      return true
    }
    let counted = rows.filter { $0.side == nil && $0.relative?.purpose != .atOnce }
    if counted.count > most && onFull(of: app) == .refuse {
      for row in rows { pending.giveBack(row.slot) }
      refuse(id, .limitReached(limit: "notifications", value: Int64(most)))
      return true
    }
    var discarded: [Discarded] = []
    if counted.count > most {
      let nodes = counted.map { node(of: $0) }.sorted()
      let gone = Set(nodes.dropFirst(most).map { $0.slot })
      for row in rows where gone.contains(row.slot) {
        pending.giveBack(row.slot)
        discarded.append(
          Discarded(identifier: row.notification.identifier ?? "", due: node(of: row).due))
      }
      rows.removeAll { gone.contains($0.slot) }
    }
    app.isAlone = true
    ask(
      .replaceAll(app: app.number, rows: rows),
      for: .replaceAll(id, app.number, rows, discarded: discarded))
    return true
  }

  func takeReplacedAll(
    _ outcome: BookOutcome, _ id: RequestID, _ app: SchedulerApp,
    _ rows: [StoredNotification], discarded: [Discarded]
  ) {
    app.isAlone = false
    switch outcome {
    case .replacedAll(let scheduled, let cancelled) where scheduled.count == rows.count:
      var reply = ReplaceAllReply(
        added: 0, replaced: 0, unchanged: 0, cancelled: Int64(cancelled.count),
        discarded: discarded.map { $0.identifier })
      for summary in cancelled { leave(summary) }
      for (row, scheduled) in zip(rows, scheduled) {
        _ = enter(scheduled, row)
        switch scheduled {
        case .added: reply.added += 1
        case .replaced: reply.replaced += 1
        case .unchanged: reply.unchanged += 1
        case .discardedNew, .refused: break
        }
      }
      for one in discarded { tellDiscarded(one.identifier, app, due: one.due) }
      emit(.reply(id, .replacedAll(reply)))
    case .failed(let reason):
      for row in rows { pending.giveBack(row.slot) }
      refuse(id, .booksUnavailable(reason: reason))
    default: emit(.log(.error, "the books answered `replaceAll` by something else"))
    }
  }
}
