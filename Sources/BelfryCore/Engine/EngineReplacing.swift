/// What the limit sends away from a list (N17).
struct Discarded {
  var identifier: String
  var due: Instant
}

/// A list on its way to the store, and how far it has come.
private final class ListPlanning {
  let list: [Notification]
  var rows: [StoredNotification] = []
  var nodes: [HeapNode] = []
  /// Identifiers of the list.
  var seen: Set<ByteString> = []
  /// When it began: a step of the clock since has it begin again.
  var steps: Int64

  init(_ list: [Notification], steps: Int64) {
    self.list = list
    self.steps = steps
  }
}

/// Replacing the whole list (N16): planned in slices, swapped by the store at once, and followed in
/// memory in slices. Until the swap the old list fires.
extension SchedulerEngine {
  /// False: it has to wait for a zone, or until it can be alone.
  func replaceAll(
    _ id: RequestID, _ list: [Notification], _ app: SchedulerApp,
    onFull asked: EngineConfiguration.OnFull?
  ) -> Bool {
    guard app.schedulesUnderWay == 0 else { return false }
    do throws(RequestError) {
      guard try areReady(list) else { return false }
    } catch {
      refuse(id, error)
      return true
    }
    let planning = ListPlanning(list, steps: clock.steps)
    let drop = { [unowned(unsafe) self] in giveBack(planning) }
    let work = SlicedWork(id, ticket: nil, drop: drop) { [unowned(unsafe) self] budget in
      do throws(RequestError) {
        guard try plan(planning, app, &budget) else { return false }
        try submit(planning, id, app, limit(of: app.name, asked: asked))
      } catch {
        giveBack(planning)
        refuse(id, error)
      }
      return true
    }
    begin(work, for: app)
    return true
  }

  /// Each zone is looked for once, each calendar for each notification.
  private func areReady(_ list: [Notification]) throws(RequestError) -> Bool {
    var isReady = true
    var zones: Set<ByteString> = []
    for notification in list {
      if notification.pluginCalendar != nil {
        isReady = try self.isReady(notification) && isReady
      } else if let zone = notification.timeZone, zones.insert(zone).inserted {
        isReady = try self.isReady(notification) && isReady
      }
    }
    return isReady
  }

  /// Plans some of the list; true: all of it is.
  private func plan(
    _ planning: ListPlanning, _ app: SchedulerApp, _ budget: inout Int
  ) throws(RequestError) -> Bool {
    if planning.steps != clock.steps {
      giveBack(planning)
      planning.steps = clock.steps
    }
    while planning.rows.count < planning.list.count {
      guard budget > 0 else { return false }
      let index = planning.rows.count
      let checked = try validated(
        planning.list[index], at: index, app: app.name, &planning.seen)
      let row: StoredNotification
      do throws(RequestError) {
        row = try self.row(checked, app)
      } catch {
        guard case .invalidField(let field) = error else { throw error }
        throw .invalidField(
          FieldError("notifications[\(index)].\(field.field)", field.code, field.reason))
      }
      planning.rows.append(row)
      planning.nodes.append(node(of: row))
      budget -= Self.rowCost + (row.plan?.planningCost ?? 0)
    }
    return true
  }

  /// The list is planned: what of it the limit leaves goes to the store.
  private func submit(
    _ planning: ListPlanning, _ id: RequestID, _ app: SchedulerApp,
    _ limit: (most: Int32, onFull: EngineConfiguration.OnFull)
  ) throws(RequestError) {
    let most = Int(limit.most)
    let maxRegions = Int(regionLimit(of: app))
    if planning.rows.count(where: { $0.side != nil }) > maxRegions {
      throw .limitReached(limit: "regions", value: Int64(maxRegions))
    }
    var counted: [HeapNode] = []
    for (row, node) in zip(planning.rows, planning.nodes)
    where row.side == nil && row.relative?.purpose != .atOnce { counted.append(node) }
    if counted.count > most && limit.onFull == .refuse {
      throw .limitReached(limit: "notifications", value: Int64(most))
    }
    var rows = planning.rows
    var discarded: [Discarded] = []
    var discardedRows: [StoredNotification] = []
    if counted.count > most {
      let gone = Set<Slot>(counted.sorted().dropFirst(most).map { $0.slot })
      for (row, node) in zip(planning.rows, planning.nodes) where gone.contains(row.slot) {
        pending.giveBack(row.slot)
        discarded.append(
          Discarded(identifier: row.notification.identifier ?? "", due: node.due))
      }
      discardedRows = rows.filter { gone.contains($0.slot) }
      rows.removeAll { gone.contains($0.slot) }
    }
    app.beginAlone()
    ask(
      .replaceAll(app: app.number, rows: rows, discarded: discardedRows, at: clockStamp),
      for: .replaceAll(id, app.number, rows, discarded: discarded))
  }

  private func giveBack(_ planning: ListPlanning) {
    for row in planning.rows { pending.giveBack(row.slot) }
    planning.rows = []
    planning.nodes = []
    planning.seen = []
  }

  // MARK: After the swap

  func takeReplacedAll(
    _ outcome: StoreOutcome, _ ticket: StoreTicket, _ id: RequestID, _ app: SchedulerApp,
    _ rows: [StoredNotification], discarded: [Discarded]
  ) {
    app.endAlone()
    switch outcome {
    case .replacedAll(let scheduled, let cancelled) where scheduled.count == rows.count:
      let swap = ListSwap(rows, scheduled, cancelled, discarded)
      let work = SlicedWork(id, ticket: ticket) { [unowned(unsafe) self] budget in
        let wasAhead = storeRequests.setPlannedAhead(storeRequests.isAskedAhead(ticket))
        defer { storeRequests.setPlannedAhead(wasAhead) }
        return follow(swap, id, app, &budget)
      }
      begin(work, for: app)
    default:
      guard let refusal = outcome.refusal else {
        return emit(.log(.error, "the books answered `replaceAll` by something else"))
      }
      for row in rows { pending.giveBack(row.slot) }
      refuse(id, refusal)
    }
  }

  /// Follows some of the swap in memory; true: all of it.
  private func follow(
    _ swap: ListSwap, _ id: RequestID, _ app: SchedulerApp, _ budget: inout Int
  ) -> Bool {
    while swap.left < swap.cancelled.rows.count, budget > 0 {
      leave(swap.cancelled, swap.left)
      swap.left += 1
      budget -= Self.rowCost / 4
    }
    while swap.entered < swap.rows.count, budget > 0 {
      let scheduled = swap.scheduled[swap.entered]
      let row = swap.rows[swap.entered]
      _ = enter(scheduled, row)
      if scheduled.isListed { takeOver(row.notification.identifier ?? "", into: app) }
      swap.entered += 1
      if let demotion = demotion(of: row.notification, app) {
        swap.reply.demoted += 1
        swap.reply.demotion = demotion
      }
      switch scheduled {
      case .added: swap.reply.added += 1
      case .replaced: swap.reply.replaced += 1
      case .unchanged: swap.reply.unchanged += 1
      case .discardedNew, .refused: break
      }
      budget -= Self.rowCost
    }
    guard swap.left == swap.cancelled.rows.count, swap.entered == swap.rows.count else {
      return false
    }
    for one in swap.discarded {
      tellLeft(one.identifier, app, .discarded, due: one.due, reason: "limit")
    }
    emit(.reply(id, .replacedAll(swap.reply)))
    return true
  }
}

/// A list that is in the store, and how far memory has followed.
private final class ListSwap {
  let rows: [StoredNotification]
  let scheduled: [StoreOutcome.Scheduled]
  let cancelled: StoreOutcome.Cancelled
  let discarded: [Discarded]
  var left = 0
  var entered = 0
  var reply: ReplaceAllReply

  init(
    _ rows: [StoredNotification], _ scheduled: [StoreOutcome.Scheduled],
    _ cancelled: StoreOutcome.Cancelled, _ discarded: [Discarded]
  ) {
    self.rows = rows
    self.scheduled = scheduled
    self.cancelled = cancelled
    self.discarded = discarded
    reply = ReplaceAllReply(
      added: 0, replaced: 0, unchanged: 0, cancelled: Int64(cancelled.rows.count),
      discarded: discarded.map { $0.identifier })
  }
}

extension StoredPlan {
  /// About what planning by it costs beside the row, as `SchedulerEngine.sliceBudget` counts.
  fileprivate var planningCost: Int {
    plan.rules.reduce(0) { $0 + ($1.frequency < .daily ? 256 : 64) }
  }
}
