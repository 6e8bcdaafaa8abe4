/// Skipping occurrences by k, and taking that back (E2).
extension SchedulerEngine {
  /// In slices of its user; no other request of the app begins meanwhile.
  func takeSkips(
    _ outcome: StoreOutcome, _ id: RequestID, _ number: AppNumber, _ asked: EverydayRequest
  ) {
    guard let app = apps[number] else {
      return refuse(id, .notFound(identifier: asked.firstIdentifier ?? ""))
    }
    app.endAlone()
    do throws(RequestError) {
      switch outcome {
      case .found(let row?) where isListed(row): begin(try skipping(row, asked, id), for: app)
      case .failed(let reason): throw .storeUnavailable(reason: reason)
      default: throw .notFound(identifier: asked.firstIdentifier ?? "")
      }
    } catch {
      refuse(id, error)
      serve(app)
    }
  }

  private func skipping(
    _ row: StoredNotification, _ asked: EverydayRequest, _ id: RequestID
  ) throws(RequestError) -> SlicedWork {
    guard row.side == nil else {
      throw .invalidField(
        FieldError("identifier", .conflict, "it goes by a region, and nobody knows when: pause it"))
    }
    guard let node = pending.node(of: row.slot), node.due != .distantFuture,
      let plan = plan(of: row.slot)
    else {
      throw .invalidField(
        FieldError("identifier", .conflict, "it is not due at any time that is known now"))
    }
    let coming = Coming(plan, from: node, repeats: pending[row.slot].repeats)
    let skips = pending.details[row.slot].skips?.skips ?? SkipSet()
    var one: PlannedOccurrence?
    var walk: SkipWalk
    switch asked {
    case .skip(_, let count): walk = SkipWalk(coming, next: count)
    case .skipAt(_, let instant):
      one = try occurrence(at: instant, coming)
      walk = SkipWalk(coming, all: [])
    case .unskip(_, .some(let instant)):
      let found = try occurrence(at: instant, coming)
      one = found
      // What is left of its run without it.
      walk = SkipWalk(coming, all: skips.run(with: found.k).map { [$0] } ?? [])
    default: walk = SkipWalk(coming, all: skips.runs)
    }
    var change: SkipChange?
    return SlicedWork(id, ticket: nil) { [unowned(unsafe) self] budget in
      do throws(RequestError) {
        if change == nil {
          guard walk.advance(&budget) else { return false }
          guard !walk.isSpent else { throw Self.skipsTooMany }
          let skips = pending.details[row.slot].skips?.skips ?? SkipSet()
          change = SkipChange(asked, one, walk.found, of: skips, coming)
        }
        guard change?.advance(&budget) ?? true else { return false }
        if let change { try skip(row, asked, change, id) }
      } catch {
        refuse(id, error)
      }
      return true
    }
  }

  private static let skipsTooMany = RequestError.invalidField(
    FieldError(
      "count", .outOfRange,
      "finding so many takes more than \(RuleBudget.list) steps: skip fewer"))

  /// It becomes what is skipped of the row.
  private func skip(
    _ row: StoredNotification, _ asked: EverydayRequest, _ change: SkipChange, _ id: RequestID
  ) throws(RequestError) {
    guard isListed(row), let node = pending.node(of: row.slot) else {
      throw .notFound(identifier: asked.firstIdentifier ?? "")
    }
    let skips = change.skips
    guard skips.count <= SkipSet.most, skips.runs.count <= SkipSet.mostRuns else {
      throw .limitReached(limit: "skips", value: SkipSet.most)
    }
    keep(skips, of: row.slot, row.uuid, generation: Int64(pending[row.slot].generation))
    let next = passedOver(row).map { ringing(row, node, $0).next } ?? node.due
    let shown = next.flatMap { row.notification.shown(at: $0) }
    replyOnceStored(
      id, .skipped(SkipReply(instants: change.spoken.map { $0.due }, next: shown)), of: row.app)
  }

  /// Sets them, and has the store know.
  private func keep(_ skips: SkipSet, of slot: Slot, _ uuid: UUIDBits, generation: Int64) {
    let stored = StoredSkips(
      app: pending[slot].app, slot: slot, uuid: uuid, generation: generation, skips: skips)
    pending.setSkips(skips.isEmpty ? nil : stored, of: slot)
    record(.setSkips(stored))
  }

  private func occurrence(
    at instant: Instant, _ coming: Coming
  ) throws(RequestError) -> PlannedOccurrence {
    var meter = StepMeter(limit: RuleBudget.list)
    var coming = coming
    coming.go(to: instant)
    let found = coming.next(&meter)
    if let found, found.due < instant.advanced(by: Nanoseconds.second) { return found }
    // By its own time, from which an offset (E4) takes what rings away.
    if let own = coming.within(second: instant, &meter) { return own }
    let next = found.map { ": the next one after that is at " + RFC3339.text($0.due) } ?? ""
    throw .invalidField(FieldError("at", .unknown, "nothing is due then" + next))
  }

  // MARK: Another generation

  /// T8: the same k are to be skipped in the next generation.
  func keepSkips(of slot: Slot, generation: Int64) {
    guard let skips = pending.details[slot].skips else { return }
    keep(skips.skips, of: slot, skips.uuid, generation: generation)
  }

  /// What was skipped of one that is replaced, by its plan; nil: nothing.
  func skipsToCarry(of slot: Slot) -> CarriedSkips? {
    guard pending.isPending(slot), let skips = pending.details[slot].skips,
      let plan = plan(of: slot)
    else { return nil }
    let entry = pending[slot]
    return CarriedSkips(
      skips: skips, plan: plan, anchor: entry.anchor, unit: entry.unit,
      shape: pending.shape(of: entry))
  }

  /// E7: skips stay where the new plan has an occurrence at the same instant, or as many on that day,
  /// then at the same place of it. What is not found again, or only in more steps than an edit may take
  /// (A2), rings: the first of these, and how many they are, is returned.
  func carry(_ old: CarriedSkips, to slot: Slot, generation: Int64) -> LostSkips? {
    let entry = pending[slot]
    if old.isSame(as: entry, pending.shape(of: entry)) {
      keep(old.skips.skips, of: slot, old.skips.uuid, generation: generation)
      return nil
    }
    var lost = LostSkips(of: old)
    guard let node = pending.node(of: slot), node.due != .distantFuture,
      let plan = plan(of: slot)
    else {
      record(.setSkips(old.skips.without))
      return lost.told
    }
    var meter = StepMeter(limit: Self.mostCarrying)
    var kept = SkipSet()
    let coming = Coming(plan, from: node, repeats: pending[slot].repeats)
    var days = SameDays(coming)
    for run in old.skips.skips.runs {
      guard let first = old.plan.planned(run.first) else { continue }
      var before = Coming(old.plan, from: first)
      var found: [PlannedOccurrence] = []
      for _ in 0..<run.count {
        guard meter.take(Int64(coming.lookCost)), let one = before.next(&meter) else { break }
        let same =
          coming.same(as: old.plan.occurrence(of: one), &meter)
          ?? days.counterpart(of: one, before, &meter)
        if let same {
          lost.count -= 1
          if found.last != same { found.append(same) }
        } else {
          if one.due > now.real {
            lost.first = lost.first ?? one.due
          } else {
            // It has been skipped.
            lost.count -= 1
          }
          kept.add(found, coming)
          found = []
        }
      }
      kept.add(found, coming)
    }
    if kept.runs.count > SkipSet.mostRuns {
      kept = SkipSet()
      lost = LostSkips(of: old)
    }
    keep(kept, of: slot, old.skips.uuid, generation: generation)
    return lost.told
  }

  /// Of a thousand skips of a daily repeat it takes some 5,000.
  private static let mostCarrying: Int64 = 16_384
}

/// Skips that another plan has no occurrences for.
struct LostSkips {
  /// When the first was due.
  var first: Instant?
  var count: Int64
  private let firstOfAll: Instant?

  /// All of them, until it is known better.
  init(of old: CarriedSkips) {
    count = old.skips.skips.count
    firstOfAll = old.skips.skips.runs.first.flatMap { old.plan.planned($0.first)?.due }
  }

  /// nil: nothing is lost.
  var told: LostSkips? { count > 0 ? self : nil }

  /// A sentence for whoever has changed the plan.
  var words: String {
    let from = (first ?? firstOfAll).map { RFC3339.text($0) } ?? "later"
    return count == 1
      ? "the skip of \(from) is gone: nothing stands in its place"
      : "\(count) skips are gone, from \(from) on: nothing stands in their place"
  }
}

/// The days of an old plan beside those of a new one; it remembers the last, for skips follow each other.
private struct SameDays {
  private let coming: Coming
  private var day: Int64?
  private var old: [PlannedOccurrence] = []
  private var new: [PlannedOccurrence] = []

  init(_ coming: Coming) {
    self.coming = coming
  }

  /// What stands at the same place of the same day; nil: that day has not as many, or it is past.
  mutating func counterpart(
    of one: PlannedOccurrence, _ before: Coming, _ meter: inout StepMeter
  ) -> PlannedOccurrence? {
    let day = before.day(of: one)
    if day != self.day {
      self.day = day
      old = before.all(on: day, &meter) ?? []
      new = coming.all(on: day, &meter) ?? []
    }
    guard old.count == new.count, let place = old.firstIndex(of: one), coming.isAhead(new[place])
    else { return nil }
    return new[place]
  }
}

/// What was skipped of a notification that is replaced, and when its occurrences were.
struct CarriedSkips {
  let skips: StoredSkips
  let plan: OccurrencePlan
  let anchor: Instant
  let unit: RepeatUnit?
  let shape: SharedPlan?

  /// Nothing of when it is due has changed, so that the same k name the same.
  func isSame(as entry: PendingTable.Entry, _ shape: SharedPlan?) -> Bool {
    entry.anchor == anchor && entry.unit == unit && shape?.plan == self.shape?.plan
      && shape?.mode == self.shape?.mode && shape?.zone == self.shape?.zone
  }
}

/// What a request makes of the skips of a notification, in slices (A2).
private struct SkipChange {
  /// What the answer names.
  let spoken: [PlannedOccurrence]
  /// Those that follow each other, still to be added.
  private var left: [[PlannedOccurrence]] = []
  private var addition: SkipAddition

  init(
    _ asked: EverydayRequest, _ one: PlannedOccurrence?, _ found: [PlannedOccurrence],
    of skips: SkipSet, _ coming: Coming
  ) {
    var skips = skips
    switch asked {
    case .skip, .skipAt:
      spoken = one.map { [$0] } ?? found
      left = [spoken]
    case .unskip(_, .some):
      spoken = one.map { [$0] } ?? found
      if let one, skips.remove(with: one.k) != nil {
        left = [found.filter { $0.due < one.due }, found.filter { $0.due > one.due }]
      }
    default:
      spoken = found
      skips = SkipSet()
    }
    addition = SkipAddition(skips, coming)
  }

  var skips: SkipSet { addition.whole }

  /// True: to the end.
  mutating func advance(_ budget: inout Int) -> Bool {
    while let next = left.first {
      guard addition.add(next, &budget) else { return false }
      left.removeFirst()
    }
    return true
  }
}
