/// Pausing and resuming (E1): the list itself is `PauseList`.
extension SchedulerEngine {
  /// Pauses or resumes an app, or everything.
  func carryOut(_ asked: EverydayRequest, _ id: RequestID, scope: StoredPause.Scope) {
    switch asked {
    case .pause(_, let from, let until):
      let from = max(from ?? now.real, now.real)
      do throws(RequestError) {
        let holds = try pauses.pause(scope, from: from, until: until, &turn)
        nameEnding(PauseReply(from: from, until: holds.until), scope, id)
      } catch {
        refuse(id, error)
      }
    case .resume:
      let resumed = pauses.resume(scope, &turn)
      var still: String?
      if case .app(let app) = scope {
        still = pauses.pause(of: app, at: now.real)?.reason
      } else {
        still = pauses.ownPauses(at: now.real)
      }
      replyOnceStored(
        id, .resumed(ResumeReply(resumed: resumed, stillPaused: still)), of: scope.app)
    default: refuse(id, .notPermitted)
    }
  }

  /// Pauses by name: all of them, or none.
  func pause(
    _ id: RequestID, _ app: AppNumber, _ rows: [StoredNotification], from: Instant,
    until: Instant?
  ) {
    for row in rows where !pauses.canPause(row.pauseScope, from: from, until: until) {
      return refuse(id, .limitReached(limit: "pauses", value: Int64(PauseList.most)))
    }
    var reply = PauseReply(from: from, until: until)
    for row in rows {
      // It fits, as was judged before.
      guard let span = try? pauses.pause(row.pauseScope, from: from, until: until, &turn) else {
        continue
      }
      // Of several the longest.
      if let end = reply.until { reply.until = span.until.map { max($0, end) } }
      guard let node = pending.node(of: row.slot), !pending[row.slot].repeats,
        span.contains(node.due)
      else { continue }
      reply.ending.append(
        PauseReply.Ending(
          app: apps[app]?.name ?? "", identifier: row.notification.identifier ?? "",
          due: node.due))
    }
    reply.ending.sort { $0.due < $1.due }
    reply.more = Int64(max(0, reply.ending.count - PauseReply.most))
    reply.ending = Array(reply.ending.prefix(PauseReply.most))
    replyOnceStored(id, .paused(reply), of: app)
  }

  func resume(_ id: RequestID, _ app: AppNumber, _ rows: [StoredNotification]) {
    var reply = ResumeReply(resumed: 0, stillPaused: nil)
    for row in rows { reply.resumed += pauses.resume(row.pauseScope, &turn) }
    for row in rows where reply.stillPaused == nil {
      reply.stillPaused = pause(of: row.notification, app, slot: row.slot)?.reason
    }
    replyOnceStored(id, .resumed(reply), of: app)
  }

  // MARK: What ends in a pause

  /// Finds the one-shots that are due in it, in slices (A2), and answers.
  private func nameEnding(_ reply: PauseReply, _ scope: StoredPause.Scope, _ id: RequestID) {
    let naming = PauseNaming(reply, scope)
    let work = SlicedWork(id, ticket: nil) { [unowned(unsafe) self] budget in
      guard look(naming, &budget) else { return false }
      let found = naming.soonest
      guard !found.isEmpty else {
        replyOnceStored(id, .paused(naming.reply), of: scope.app)
        return true
      }
      naming.reply.more = naming.count - Int64(found.count)
      ask(
        .load(found.map { $0.slot }), for: .everyday(.ending(id, naming.reply, found)))
      return true
    }
    start(work, of: 0)
  }

  /// True: every slot has been looked at.
  private func look(_ naming: PauseNaming, _ budget: inout Int) -> Bool {
    while naming.next <= pending.table.lastSlot {
      guard budget > 0 else { return false }
      let slot = naming.next
      naming.next += 1
      budget -= 1
      guard pending.isPending(slot), naming.concerns(pending[slot].app) else { continue }
      let entry = pending[slot]
      if entry.traits.contains(.critical), apps[entry.app].map({ mayBeCritical($0) }) ?? false {
        naming.reply.critical += 1
      } else if !entry.repeats, let node = pending.node(of: slot) {
        budget -= 4
        naming.add(node)
      }
    }
    return true
  }

  /// The store tells their names.
  func name(
    _ found: [PauseNaming.Found], by outcome: StoreOutcome, _ reply: PauseReply, _ id: RequestID
  ) {
    var reply = reply
    var names: [StoredNotification] = []
    switch outcome {
    case .loaded(let rows), .loadedPartly(let rows, _): names = rows
    default: break
    }
    for one in found {
      guard let row = names.first(where: { $0.slot == one.slot && isListed($0) }) else {
        continue
      }
      reply.ending.append(
        PauseReply.Ending(
          app: apps[row.app]?.name ?? "", identifier: row.notification.identifier ?? "",
          due: one.due))
    }
    replyOnceStored(id, .paused(reply), of: nil)
  }

  // MARK: Start and end

  /// Takes in a pause of the store, after the rows of the list.
  public func restore(_ pause: StoredPause) {
    switch pause.scope {
    case .everything: break
    case .app(let app): guard apps[app] != nil else { return }
    case .notification(_, let slot, _): guard pending.isPending(slot) else { return }
    }
    pauses.restore(pause)
  }

  /// Takes in skips of the store, after the rows of the list.
  public func restore(_ skips: StoredSkips) {
    guard pending.isPending(skips.slot),
      pending[skips.slot].generation == Int32(truncatingIfNeeded: skips.generation)
    else { return }
    pending.setSkips(skips, of: skips.slot)
  }

  /// For `status`: what is paused for whom. Of those that a peer may not see there are none.
  public func pauses(for peer: Peer) -> PauseStatus {
    var status = PauseStatus()
    for pause in pauses.all where pause.until ?? .distantFuture > now.real {
      switch pause.scope {
      case .everything: break
      case .app(let app), .notification(let app, _, _):
        guard seesAll(peer) || apps[app]?.owner == peer.uid else { continue }
        if case .notification = pause.scope {
          status.notifications += 1
          if pause.until == nil { status.openNotifications += 1 }
          continue
        }
      }
      guard status.spans.count < PauseStatus.most else { continue }
      var app: String?
      if case .app(let number) = pause.scope { app = apps[number]?.name }
      status.spans.append(
        PauseStatus.Span(app: app, from: pause.from, until: pause.until))
    }
    return status
  }
}
