/// Skipping occurrences by k, and taking that back (E2).
extension SchedulerEngine {
  func takeSkips(
    _ outcome: StoreOutcome, _ id: RequestID, _ app: AppNumber, _ asked: EverydayRequest
  ) {
    let row: StoredNotification
    switch outcome {
    case .found(let found?) where isListed(found): row = found
    case .failed(let reason): return refuse(id, .storeUnavailable(reason: reason))
    default: return refuse(id, .notFound(identifier: asked.firstIdentifier ?? ""))
    }
    do throws(RequestError) {
      try skip(row, asked, id)
    } catch {
      refuse(id, error)
    }
  }

  private func skip(
    _ row: StoredNotification, _ asked: EverydayRequest, _ id: RequestID
  ) throws(RequestError) {
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
    var meter = StepMeter(limit: RuleBudget.list)
    var coming = Coming(plan, from: node, repeats: pending[row.slot].repeats)
    var skips = pending.details[row.slot].skips?.skips ?? SkipSet()
    var spoken: [PlannedOccurrence] = []
    switch asked {
    case .skip(_, let count):
      while Int64(spoken.count) < count, let next = coming.next(&meter) { spoken.append(next) }
      skips.add(spoken, coming)
    case .skipAt(_, let instant):
      spoken = [try occurrence(at: instant, coming, &meter)]
      skips.add(spoken, coming)
    case .unskip(_, .some(let instant)):
      spoken = [try occurrence(at: instant, coming, &meter)]
      skips = remove(spoken[0], from: skips, coming, &meter)
    case .unskip(_, nil):
      for run in skips.runs { spoken += coming.all(of: run, &meter) }
      skips = SkipSet()
    default: break
    }
    guard !meter.isSpent else {
      throw .invalidField(
        FieldError(
          "count", .outOfRange,
          "finding so many takes more than the budget of \(RuleBudget.list) steps (A2): skip fewer")
      )
    }
    guard skips.count <= SkipSet.most, skips.runs.count <= SkipSet.mostRuns else {
      throw .limitReached(limit: "skips", value: SkipSet.most)
    }
    keep(skips, of: row.slot, row.uuid, generation: Int64(pending[row.slot].generation))
    let next = passedOver(row).map { ringing(row, node, $0).next } ?? node.due
    replyOnceStored(id, .skipped(SkipReply(instants: spoken.map { $0.due }, next: next)))
  }

  /// Sets them, and has the store know.
  private func keep(_ skips: SkipSet, of slot: Slot, _ uuid: UUIDBits, generation: Int64) {
    let stored = StoredSkips(
      app: pending[slot].app, slot: slot, uuid: uuid, generation: generation, skips: skips)
    pending.setSkips(skips.isEmpty ? nil : stored, of: slot)
    record(.setSkips(stored))
  }

  private func occurrence(
    at instant: Instant, _ coming: Coming, _ meter: inout StepMeter
  ) throws(RequestError) -> PlannedOccurrence {
    var coming = coming
    coming.go(to: instant)
    let found = coming.next(&meter)
    if let found, found.due < instant.advanced(by: Nanoseconds.second) { return found }
    let next = found.map { ": the next one after that is at " + RFC3339.text($0.due) } ?? ""
    throw .invalidField(FieldError("at", .unknown, "nothing is due then" + next))
  }

  /// What is left of a run without one of its occurrences.
  private func remove(
    _ one: PlannedOccurrence, from skips: SkipSet, _ coming: Coming, _ meter: inout StepMeter
  ) -> SkipSet {
    var skips = skips
    guard let run = skips.remove(with: one.k) else { return skips }
    let rest = coming.all(of: run, &meter)
    skips.add(rest.filter { $0.due < one.due }, coming)
    skips.add(rest.filter { $0.due > one.due }, coming)
    return skips
  }

  // MARK: Another generation

  /// T8: the same k are to be skipped in the next generation.
  func keepSkips(of slot: Slot, generation: Int64) {
    guard let skips = pending.details[slot].skips else { return }
    keep(skips.skips, of: slot, skips.uuid, generation: generation)
  }

  /// What was skipped of one that is replaced, by its plan; nil: nothing.
  func skipsToCarry(of slot: Slot) -> (skips: StoredSkips, plan: OccurrencePlan)? {
    guard pending.isPending(slot), let skips = pending.details[slot].skips,
      let plan = plan(of: slot)
    else { return nil }
    return (skips, plan)
  }

  /// E7: skips stay where the new plan has an occurrence at the same instant, or the only one of
  /// that day. What is not found again rings.
  func carry(
    _ old: (skips: StoredSkips, plan: OccurrencePlan), to slot: Slot, generation: Int64
  ) {
    guard let node = pending.node(of: slot), node.due != .distantFuture,
      let plan = plan(of: slot)
    else { return record(.setSkips(old.skips.without)) }
    var meter = StepMeter(limit: RuleBudget.list)
    var kept = SkipSet()
    let coming = Coming(plan, from: node, repeats: pending[slot].repeats)
    for run in old.skips.skips.runs {
      guard let first = old.plan.planned(run.first) else { continue }
      var before = Coming(old.plan, from: first)
      var found: [PlannedOccurrence] = []
      for _ in 0..<run.count {
        guard let one = before.next(&meter) else { break }
        if let same = coming.same(as: old.plan.occurrence(of: one), &meter), found.last != same {
          found.append(same)
        } else {
          kept.add(found, coming)
          found = []
        }
      }
      kept.add(found, coming)
    }
    if meter.isSpent || kept.runs.count > SkipSet.mostRuns { kept = SkipSet() }
    keep(kept, of: slot, old.skips.uuid, generation: generation)
  }
}
