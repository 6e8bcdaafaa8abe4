/// What the limit sends away from a list (N17).
struct Discarded {
  var identifier: String
  var due: Instant
}

/// A list on its way to the store, and how far it has come.
private final class ListPlanning {
  let list: [Notification]
  /// As planned; nil: already among `kept` or `discarded`.
  var rows: [StoredNotification?] = []
  var nodes: [HeapNode] = []
  /// Identifiers of the list.
  var seen: Set<ByteString> = []
  var regions = 0
  /// Those that count towards the limit.
  var counted: [HeapNode] = []
  /// What the limit sends away; nil: that is not known yet.
  var gone: Set<Slot>?
  /// How many rows have been sorted out.
  var sorted = 0
  var kept: [StoredNotification] = []
  var discarded: [StoredNotification] = []
  var told: [Discarded] = []
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
        try choose(planning, app, limit(of: app.name, asked: asked), &budget)
        guard sortOut(planning, &budget) else { return false }
        submit(planning, id, app)
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
      let node = node(of: row)
      planning.rows.append(row)
      planning.nodes.append(node)
      if row.side != nil {
        planning.regions += 1
      } else if row.relative?.purpose != .atOnce {
        planning.counted.append(node)
      }
      budget -= Self.rowCost + (row.plan?.planningCost ?? 0)
    }
    return true
  }

  /// The list is planned: which of it the limit leaves (N17, R4).
  private func choose(
    _ planning: ListPlanning, _ app: SchedulerApp,
    _ limit: (most: Int32, onFull: EngineConfiguration.OnFull), _ budget: inout Int
  ) throws(RequestError) {
    guard planning.gone == nil else { return }
    let most = Int(limit.most)
    let maxRegions = Int(regionLimit(of: app))
    if planning.regions > maxRegions {
      throw .limitReached(limit: "regions", value: Int64(maxRegions))
    }
    planning.gone = []
    guard planning.counted.count > most else { return }
    if limit.onFull == .refuse {
      throw .limitReached(limit: "notifications", value: Int64(most))
    }
    planning.gone = Set<Slot>(planning.counted.sorted().dropFirst(most).map { $0.slot })
    budget -= planning.counted.count
  }

  /// Parts some of the rows by what the limit leaves; true: all are.
  private func sortOut(_ planning: ListPlanning, _ budget: inout Int) -> Bool {
    while planning.sorted < planning.rows.count {
      guard budget > 0 else { return false }
      let index = planning.sorted
      planning.sorted += 1
      budget -= Self.rowCost / 8
      // Copies of thousands of rows would take milliseconds.
      guard let row = planning.rows[index].take() else { continue }
      guard planning.gone?.contains(row.slot) == true else {
        planning.kept.append(row)
        continue
      }
      pending.giveBack(row.slot)
      planning.told.append(
        Discarded(
          identifier: row.notification.identifier ?? "", due: planning.nodes[index].due))
      planning.discarded.append(row)
    }
    return true
  }

  private func submit(_ planning: ListPlanning, _ id: RequestID, _ app: SchedulerApp) {
    app.beginAlone()
    ask(
      .replaceAll(
        app: app.number, rows: planning.kept, discarded: planning.discarded, at: clockStamp),
      for: .replaceAll(id, app.number, planning.kept, discarded: planning.told))
  }

  private func giveBack(_ planning: ListPlanning) {
    for row in planning.rows { if let row { pending.giveBack(row.slot) } }
    for row in planning.kept { pending.giveBack(row.slot) }
    (planning.rows, planning.kept, planning.discarded) = ([], [], [])
    (planning.nodes, planning.counted, planning.told) = ([], [], [])
    (planning.seen, planning.gone) = ([], nil)
    (planning.regions, planning.sorted) = (0, 0)
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
      let (node, lost) = enter(scheduled, row)
      if let node { note(row, node, in: swap, &budget) }
      if let lost { swap.warn(row.notification.identifier ?? "", lost.words) }
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
    while swap.told < swap.discarded.count, budget > 0 {
      let one = swap.discarded[swap.told]
      tellLeft(one.identifier, app, .discarded, due: one.due, reason: "limit")
      swap.told += 1
      budget -= Self.rowCost / 4
    }
    guard swap.left == swap.cancelled.rows.count, swap.entered == swap.rows.count,
      swap.told == swap.discarded.count
    else { return false }
    swap.reply.warnings = swap.warnings.map { one in
      one.identifier + (one.count > 1 ? " and \(one.count - 1) more" : "") + ": " + one.text
    }
    if swap.unnamed > 0 {
      swap.reply.warnings[ListSwap.mostWarnings - 1] =
        counted(
          swap.unnamed + 1, "more warning is not told here",
          many: "more warnings are not told here")
    }
    emit(.reply(id, .replacedAll(swap.reply)))
    return true
  }

  /// What whoever sent the list would want to mend.
  private func note(
    _ row: StoredNotification, _ node: HeapNode, in swap: ListSwap, _ budget: inout Int
  ) {
    guard let app = apps[row.app] else { return }
    var one = ScheduleReply(
      identifier: row.notification.identifier ?? "", scheduled: true, unchanged: false,
      replaced: false, occurrence: nil, next: nil, discarded: [])
    var row = row
    row.slot = node.slot
    noteTime(of: row, in: &one)
    note(row, node, in: &one, &budget, suggests: false)
    for text in one.warnings { swap.warn(one.identifier, text) }
    for sound in namedSounds(of: row.notification, app) {
      guard swap.reply.sounds.count < ListSwap.mostWarnings, !swap.reply.sounds.contains(sound)
      else { continue }
      swap.reply.sounds.append(sound)
    }
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
  var told = 0
  var reply: ReplaceAllReply
  /// Each once, with the first that it holds for.
  private(set) var warnings: [(identifier: String, text: String, count: Int)] = []
  /// Those that there is no room for.
  private(set) var unnamed = 0
  static let mostWarnings = 16

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

  func warn(_ identifier: String, _ text: String) {
    if let place = warnings.firstIndex(where: { ByteString($0.text) == ByteString(text) }) {
      warnings[place].count += 1
    } else if warnings.count < Self.mostWarnings {
      warnings.append((identifier, text, 1))
    } else {
      unnamed += 1
    }
  }
}

extension StoredPlan {
  /// About what planning by it costs beside the row, as `SchedulerEngine.sliceBudget` counts.
  fileprivate var planningCost: Int {
    plan.rules.reduce(0) { $0 + ($1.frequency < .daily ? 256 : 64) }
  }
}
