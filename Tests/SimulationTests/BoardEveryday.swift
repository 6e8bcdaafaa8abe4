@testable import BelfryCore

/// What people do every day, and what they are told (E1, E2, E7).
extension Board {
  func act(_ everyday: Everyday, app place: Int) {
    let app = LifeShape.apps[place]
    ledger.disturb()
    func name(_ number: Int) -> String { "n\(number)" }
    func promise(_ number: Int) -> Promise? {
      ledger.pending[PromiseName(app: app, identifier: name(number))]
    }
    switch everyday {
    case .pause(let scope, let from, let until):
      let from = from.map { now.real.advanced(by: $0) }
      let until = until.map { (from ?? now.real).advanced(by: $0 + 1000) }
      ask(scope, app) { .pause(identifiers: $0, from: from, until: until) }
    case .resume(let scope): ask(scope, app) { .resume(identifiers: $0) }
    case .skip(let number, let count):
      request(.everyday(app: app, .skip(identifier: name(number), count: count)))
    case .skipOne(let number, let index):
      guard let due = promise(number).flatMap({ coming($0, index) }) else { return }
      request(.everyday(app: app, .skipAt(identifier: name(number), due)))
    case .unskip(let number):
      request(.everyday(app: app, .unskip(identifier: name(number), at: nil)))
    case .unskipOne(let number, let index):
      guard let due = promise(number).flatMap({ coming($0, index) }) else { return }
      request(.everyday(app: app, .unskip(identifier: name(number), at: due)))
    case .edit(let number, let edit):
      let now = now.real
      request(
        .everyday(app: app, .edit(identifier: name(number)) { edit.change($0, now: now) }))
    }
  }

  private func ask(
    _ scope: Everyday.Scope, _ app: String, _ asked: ([String]) -> EverydayRequest
  ) {
    switch scope {
    case .everything: request(.everyday(app: nil, asked([])), by: Board.root)
    case .app: request(.everyday(app: app, asked([])))
    case .name(let number): request(.everyday(app: app, asked(["n\(number)"])))
    }
  }

  /// Its so manieth occurrence from now on.
  private func coming(_ promise: Promise, _ index: Int) -> Instant? {
    guard promise.notification.fireIn == nil, promise.purpose == nil else { return nil }
    var next = promise.next(at: now.real)
    for _ in 0..<index { next = next.flatMap { promise.oracle.next(after: $0.k) } }
    return next?.due
  }

  // MARK: What the store is told

  func noteEveryday(_ operation: StoreOperation, _ ticket: StoreTicket) {
    switch operation {
    case .record(.pause(let pause)):
      ledger.pauses.removeAll { $0.number == pause.number }
      if let promised = promised(pause) { ledger.pauses.append(promised) }
    case .record(.resume(let number, _)): ledger.pauses.removeAll { $0.number == number }
    case .record(.setSkips(let stored)): ledger.set(stored.skips.runs, of: stored.uuid)
    case .record(.passOver(let row, _, _, _, _, _, _)): ledger.recordsPass(row)
    default: break
    }
    if case .everyday(.edited(let id, let edited)) = scheduler.storeRequests.awaited[ticket] {
      edits[id] = edited
      if !edited.keepsTime {
        drafts[id] = (edited.row.relative, oracle(edited.row), edited.row.side)
        ledger.checkRelative(edited.row.notification, edited.row.relative)
      }
    }
  }

  private func promised(_ pause: StoredPause) -> PromisedPause? {
    let scope: PromisedPause.Scope
    switch pause.scope {
    case .everything: scope = .everything
    case .app(let number):
      guard let name = store.read().apps.first(where: { $0.number == number })?.name else {
        return nil
      }
      scope = .app(name)
    case .notification(_, _, let uuid): scope = .one(uuid)
    }
    return PromisedPause(
      number: pause.number, scope: scope, from: pause.from, until: pause.until)
  }

  /// A new process finds them in the store.
  func readEveryday(_ asked: [Request], _ touched: Touched) {
    let state = store.read()
    let uuids = Set(state.rows.map { $0.uuid })
    ledger.pauses = state.pauses.compactMap { promised($0) }.filter {
      if case .one(let uuid) = $0.scope { return uuids.contains(uuid) }
      return true
    }
    ledger.skips = [:]
    for stored in state.skips {
      let row = state.rows.first { $0.slot == stored.slot }
      guard row?.generation == stored.generation else { continue }
      ledger.set(stored.skips.runs, of: stored.uuid)
    }
    var open: Set<PromisedPause.Scope> = []
    for case .everyday(let app, let everyday) in asked {
      guard let app, let identifier = everyday.firstIdentifier else {
        open.insert(app.map { .app($0) } ?? .everything)
        continue
      }
      if let promise = ledger.pending[PromiseName(app: app, identifier: identifier)] {
        open.insert(.one(promise.uuid))
      }
    }
    ledger.checkKept(isOpen: { open.contains($0) }, isTouched: { touched.contains($0) })
  }

  // MARK: Answers

  func takeEveryday(
    _ reply: Reply, _ app: String?, _ everyday: EverydayRequest, _ id: RequestID,
    asked: ClockReading
  ) {
    note("reply: \(reply)".prefix(160).description)
    switch (everyday, reply) {
    case (.pause(let identifiers, _, _), .paused(let paused)):
      for scope in scopes(app, identifiers) where ledger.isNewest(id, of: scope) {
        let pause = PromisedPause(
          number: 0, scope: scope, from: paused.from, until: paused.until)
        ledger.answeredPauses.append(pause)
        // It may have ended since, or begun to be over.
        guard self.asked.isEmpty, pause.until ?? .distantFuture > now.real else { continue }
        if !ledger.pauses.contains(where: { $0.covers(pause) }) {
          ledger.fail("E1 pause", "\(pause) was answered, and is not paused")
        }
      }
    case (.resume(let identifiers), .resumed):
      for scope in scopes(app, identifiers) where ledger.isNewest(id, of: scope) {
        ledger.answeredPauses.removeAll { $0.scope == scope }
        if self.asked.isEmpty, ledger.pauses.contains(where: { $0.scope == scope }) {
          ledger.fail("E1 resume", "\(scope) was resumed, and is paused")
        }
      }
    case (_, .skipped(let skipped)): takeSkipped(app ?? "", everyday, skipped, id)
    case (.edit(let identifier, _), .scheduled(let reply)):
      takeEdited(reply, PromiseName(app: app ?? "", identifier: identifier), id, asked: asked)
    case (_, .refused(let error)):
      takeRefused(error)
      if case .storeUnavailable = error { forgetPromises(of: everyday, app, id) }
    default: ledger.fail("reply", "\(everyday) is answered by \(reply)")
    }
  }

  /// A refusal says that it is done all the same, and that a restart may forget it.
  private func forgetPromises(of everyday: EverydayRequest, _ app: String?, _ id: RequestID) {
    switch everyday {
    case .pause(let identifiers, _, _), .resume(let identifiers):
      for scope in scopes(app, identifiers) where ledger.isNewest(id, of: scope) {
        ledger.answeredPauses.removeAll { $0.scope == scope }
      }
    default:
      let name = PromiseName(app: app ?? "", identifier: everyday.firstIdentifier ?? "")
      guard let promise = ledger.pending[name] else { return }
      ledger.answeredSkips[promise.uuid] = nil
      ledger.unsureSkips.insert(promise.uuid)
    }
  }

  private func scopes(_ app: String?, _ identifiers: [String]) -> [PromisedPause.Scope] {
    guard let app else { return [.everything] }
    if identifiers.isEmpty { return [.app(app)] }
    return identifiers.compactMap {
      ledger.pending[PromiseName(app: app, identifier: $0)].map { .one($0.uuid) }
    }
  }

  private func takeSkipped(
    _ app: String, _ everyday: EverydayRequest, _ reply: SkipReply, _ id: RequestID
  ) {
    let name = PromiseName(app: app, identifier: everyday.firstIdentifier ?? "")
    guard let promise = ledger.pending[name], promise.notification.fireIn == nil,
      promise.purpose == nil, promise.request < id
    else { return }
    let ks = reply.instants.map { promise.oracle.newest(from: promise.lastK, notAfter: $0) }
    for (instant, k) in zip(reply.instants, ks) where promise.oracle.due(k) != instant {
      ledger.fail("E2 skip", "\(name.identifier) has nothing at \(RFC3339.text(instant))")
    }
    var answered = ledger.answeredSkips[promise.uuid] ?? []
    if case .unskip = everyday { answered.subtract(ks) } else { answered.formUnion(ks) }
    answered = answered.filter { $0 > promise.lastK }
    ledger.answeredSkips[promise.uuid] = answered
    guard asked.isEmpty else { return }
    let known = ledger.skips[promise.uuid]?.ahead ?? []
    let isAsAnswered =
      ledger.unsureSkips.contains(promise.uuid) ? answered.isSubset(of: known) : known == answered
    if !isAsAnswered, promise.mayReplanAt == nil, promise.mustReplanAt == nil {
      ledger.fail(
        "E2 skip",
        "\(name.identifier) skips \(known.sorted().prefix(9)), not \(answered.sorted().prefix(9))")
    }
    if case .skip(_, let count) = everyday, Int64(ks.count) != count,
      let last = ks.last, promise.oracle.next(after: last) != nil
    {
      ledger.fail("E2 skip", "\(name.identifier) skips \(ks.count) of \(count)")
    }
  }

  private func takeEdited(
    _ reply: ScheduleReply, _ name: PromiseName, _ id: RequestID, asked: ClockReading
  ) {
    guard let edited = edits.removeValue(forKey: id) else {
      if !reply.unchanged { ledger.fail("E7 edit", "\(name.identifier) was never in the books") }
      return
    }
    guard !reply.unchanged, let occurrence = reply.occurrence else { return }
    guard let promise = ledger.pending[name], promise.uuid == occurrence.uuid else {
      return ledger.fail("E7 edit", "\(name.identifier) was edited, and was not promised")
    }
    let order = promise.order
    if edited.keepsTime {
      promise.notification = edited.row.notification
      promise.generation = occurrence.generation
      promise.request = id
      if promise.mayReplanAt != nil {
        // T8: as which it goes on after a step back, the answer says.
        promise.lastK = occurrence.k - 1
        (promise.mayReplanAt, promise.mustReplanAt) = (nil, nil)
      }
      // E7: it is due as before, and skips what it skipped.
      let kept: Set<Int64> =
        ledger.answeredSkips[promise.uuid]?.filter { $0 > promise.lastK } ?? []
      if self.asked.isEmpty, !kept.isSubset(of: ledger.skips[promise.uuid]?.all ?? []) {
        ledger.fail("E7 skips", "\(name.identifier) skips less than before")
      }
      return
    }
    takeScheduled(reply, name.app, edited.row.notification, id, asked: asked)
    ledger.pending[name]?.order = order
  }

  /// Skips are where they make sense still, in terms of the new plan (E7).
  func readSkips(of uuid: UUIDBits) {
    guard ledger.skips[uuid] != nil || ledger.answeredSkips[uuid] != nil else { return }
    if let stored = scheduler.pending.details[scheduledSlot(uuid) ?? 0].skips {
      ledger.set(stored.skips.runs, of: uuid)
    } else {
      ledger.skips[uuid] = nil
    }
    ledger.answeredSkips[uuid] = ledger.skips[uuid]?.ahead
  }

  private func scheduledSlot(_ uuid: UUIDBits) -> Slot? {
    store.read().rows.first { $0.uuid == uuid }?.slot
  }
}

extension Edit {
  func change(_ notification: Notification, now: Instant) -> Notification {
    var edited = notification
    switch self {
    case .body(let variant): edited.alertBody = "edited \(variant)"
    case .fireDate(let offset):
      edited.fireDate = Plan.asOnTheWire(now.advanced(by: offset))
      (edited.fireIn, edited.expires, edited.until) = (nil, nil, nil)
    case .offset(let offset):
      edited.offset = offset
      edited.expires = nil
      if !edited.isByDay { edited.offset.days = 0 }
    case .days(let except, let only):
      edited.exceptOn = except.map { PromisedCalendars.name($0) }
      edited.onlyOn = only.map { PromisedCalendars.name($0) }
    case .repeats(let unit):
      edited.repeatInterval = unit
      (edited.rrule, edited.rrules, edited.exdate, edited.rdate) = (nil, [], [], [])
      (edited.every, edited.count, edited.until, edited.monthEnd) = (1, nil, nil, .clamp)
      edited.overlap = .first
      edited.asOn = []
      if !edited.isByDay { edited.offset.days = 0 }
    }
    return edited
  }
}

extension Notification {
  /// At most one a day, so that days on the wall leave the order as it is.
  fileprivate var isByDay: Bool {
    if timeZone == nil { return true }
    if !rdate.isEmpty || rules.contains(where: { $0.frequency < .daily || $0.hours != 0 }) {
      return false
    }
    return ![.second, .minute, .hour].contains(repeatInterval)
  }
}
