/// Regions: where the board is, and what fires when it goes elsewhere (R1 to R6).
extension SchedulerEngine {
  // MARK: Fixes

  /// R5: who may has been judged.
  func takeFix(_ id: RequestID, _ fix: LocationFix) throws(RequestError) {
    do throws(FieldError) {
      try fix.check()
      try fix.time.checkUnit("time", at: now.real)
    } catch {
      throw .invalidField(error)
    }
    guard regions.isLoaded, !regions.isFollowing else { return regions.wait(id, fix) }
    try take(fix, id)
  }

  private func take(_ fix: LocationFix, _ id: RequestID) throws(RequestError) {
    if let last = regions.lastFix, fix.isBehind(last, now: now.real) {
      throw .invalidField(
        FieldError(
          "time", .conflict,
          "it goes back in time: the last fix was taken at \(RFC3339.text(last.time))"))
    }
    let before = turn.commandCount
    let crossings = regions.locate(fix)
    guard crossings.count <= Self.sliceBudget / Self.crossingCost else {
      return follow(crossings, fix, id)
    }
    let reply = Reply.located(crossings: follow(crossings, fix))
    // What changes nothing is written nowhere.
    if turn.commandCount == before { return emit(.reply(id, reply)) }
    replyAfterCommit(id, reply, of: nil)
  }

  /// What one crossing costs, as `sliceBudget` counts.
  private static let crossingCost = rowCost / 2

  /// Many are followed in slices (A2); other fixes wait until all are.
  private func follow(_ crossings: [RegionTable.Crossing], _ fix: LocationFix, _ id: RequestID) {
    record(.noteFix(fix))
    regions.isFollowing = true
    var left = crossings[...]
    var fired: Int64 = 0
    let work = SlicedWork(id, ticket: nil) { [unowned(unsafe) self] budget in
      while budget > 0, let crossing = left.popFirst() {
        budget -= Self.crossingCost
        // It may have left the list since, or been replaced.
        if let row = regions.row(of: crossing), cross(crossing.change, row) { fired += 1 }
      }
      guard left.isEmpty else { return false }
      regions.isFollowing = false
      replyAfterCommit(id, .located(crossings: fired), of: nil)
      takeWaitingFixes()
      return true
    }
    // Only root and belfryd's own user say where the board is.
    start(work, of: 0)
  }

  /// How many of the crossings fire.
  private func follow(_ crossings: [RegionTable.Crossing], _ fix: LocationFix) -> Int64 {
    guard !crossings.isEmpty else { return 0 }
    record(.noteFix(fix))
    return crossings.reduce(0) { $0 + (cross($1.change, $1.row) ? 1 : 0) }
  }

  /// Follows what a fix has changed; true: it fires.
  private func cross(_ change: Geofence.Change, _ row: StoredNotification) -> Bool {
    var row = row
    row.side = change.to
    guard let app = apps[row.app], row.isCrossing(change), mayLocate(app) else {
      regions.update(row)
      record(.setSide(row.slot, app: row.app, generation: row.generation, change.to))
      return false
    }
    row.firedThrough += 1
    var crossing = occurrence(of: row, app: row.app, k: row.firedThrough, due: now.real)
    crossing.side = change.to
    if let expires = row.notification.expires, expires < now.real {
      expire(crossing, row)
      return false
    }
    if let cause = pause(of: row.notification, row.app, slot: row.slot) {
      return passOver(crossing, cause, row)
    }
    let shown = row.shown
    row.shown = []
    if row.notification.firesOnce {
      removeEntry(row.slot)
    } else {
      regions.update(row)
    }
    deliver(
      crossing, app: row.app, slot: row.slot, shown: shown, attempt: 0, isRecorded: true,
      only: nil)
    dropSnoozes(before: crossing.id)
    return true
  }

  /// E1: a crossing in a pause is skipped; the notification stays for the next one, also where the
  /// first is to unschedule it, since nobody could say that this one would come.
  private func passOver(
    _ crossing: Occurrence, _ cause: PassedOver.Cause, _ row: StoredNotification
  ) -> Bool {
    var row = row
    row.firedThrough -= 1
    regions.update(row)
    record(.setSide(row.slot, app: row.app, generation: row.generation, row.side ?? .unknown))
    passOver(crossing, cause, app: row.app)
    return false
  }

  /// N19: nothing of it will be shown any more.
  private func expire(_ crossing: Occurrence, _ row: StoredNotification) {
    // Before its row goes, or a crash between the two would leave no trace of it.
    let told = FiredOccurrence(crossing, app: row.app, isRecorded: true)
    told.open = 1
    end(told, sink: "", .expired, reason: "expired before it could be shown")
    removeEntry(row.slot)
    record(.finish(row.slot, app: row.app, generation: row.generation))
  }

  // MARK: Entering and leaving the list

  /// What replaces a notification of the same circle knows as much of the board as that did.
  func keepSide(of row: inout StoredNotification, from previous: PendingSummary) {
    guard let side = regions.sideKept(by: row, from: previous) else { return }
    row.side = side
    record(.setSide(row.slot, app: row.app, generation: row.generation, side))
  }

  /// Why a region is not judged.
  func reasonUnlocated(_ app: SchedulerApp) -> String? {
    guard !mayLocate(app) else { return nil }
    return "the operator does not allow \(app.name) to know where the board is"
  }

  var location: SchedulerStatus.LocationStatus {
    var count: Int64 = 0
    var denied: [String] = []
    for (number, regions) in pending.regionCounts {
      count += Int64(regions)
      if let app = apps[number], !mayLocate(app) { denied.append(app.name) }
    }
    return SchedulerStatus.LocationStatus(
      fix: regions.lastFix, regions: count, denied: denied.sorted())
  }

  // MARK: After the start

  func loadRegions() {
    guard regions.wantsLoad, pending.lookAhead.mayLoad(turn) else { return }
    let slots = regions.beginLoad()
    ask(.load(slots), for: .regions(slots))
  }

  func takeRegions(_ outcome: StoreOutcome, asked slots: [Slot]) {
    let rows: [StoredNotification]
    var unread: [Slot] = []
    switch outcome {
    case .loaded(let all): rows = all
    case .loadedPartly(let some, let rest): (rows, unread) = (some, rest)
    default:
      regions.failLoad()
      pending.lookAhead.delay(turn)
      return takeWaitingFixes()
    }
    regions.endLoad(slots, unread: unread)
    if !unread.isEmpty {
      pending.lookAhead.delay(turn)
    }
    for row in rows where isMissing(row.slot) {
      // Another may have its slot by now, whose own reply is on its way.
      if pending.node(of: row.slot, sequence: row.sequence) != nil { regions.enter(row) }
    }
    for slot in slots where isMissing(slot) && !unread.contains(slot) {
      lose(slot)
    }
    // Those that could not be read the first time were not judged by what came meanwhile.
    if let (fix, crossings) = regions.judgeAgain() { _ = follow(crossings, fix) }
    if regions.isLoaded { takeWaitingFixes() }
  }

  private func takeWaitingFixes() {
    while let (id, fix) = regions.nextWaiting() {
      do {
        try take(fix, id)
      } catch {
        refuse(id, error)
      }
    }
  }

  private func isMissing(_ slot: Slot) -> Bool {
    pending.isPending(slot) && pending[slot].traits.contains(.region)
      && !regions.contains(slot)
  }
}

extension StoredNotification {
  /// R1, R3: from one side to the other, and one that it is to fire at.
  fileprivate func isCrossing(_ change: Geofence.Change) -> Bool {
    guard change.from != .unknown, let region = notification.region else { return false }
    return change.to == .inside ? region.notifyOnEntry : region.notifyOnExit
  }
}
