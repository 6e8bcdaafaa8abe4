/// Loading what is due soon, and preparing it: the store, the sinks and the pending set meet here.
extension SchedulerEngine {
  /// How long before its due an occurrence is prepared.
  var prepareLead: Int64 { pending.preparation.lead(configuration) }

  func loadNear() {
    // A few of one user at a time, so that those of others need not wait for all of his (A2).
    var asked: [(owner: UInt32, slots: [Slot])] = []
    for slot in pending.takeToLoad(turn) {
      let owner = apps[pending[slot].app]?.owner ?? 0
      if let place = asked.lastIndex(where: { $0.owner == owner }),
        asked[place].slots.count < Self.loadedAtOnce
      {
        asked[place].slots.append(slot)
      } else {
        asked.append((owner, [slot]))
      }
    }
    for (_, slots) in asked {
      pending.noteLoading(slots, ask(.load(slots), for: .load(slots)))
    }
  }

  private static let loadedAtOnce = 16

  func takeLoaded(_ rows: [StoredNotification], asked slots: [Slot], ticket: StoreTicket) {
    for row in rows { noteDates(in: row.notification) }
    for slot in pending.takeLoaded(rows, asked: slots, ticket, turn) { lose(slot) }
  }

  /// Writes the intents of what is due within the lead, and has its sinks made ready.
  func prepareNear() {
    let slice = pending.takeToPrepare(turn) { clock.holds($0, at: now) }
    if slice.isAnyDue { clock.refresh(&turn) }
    var patient: [Slot] = []
    for (row, node) in slice.entries {
      let coming = occurrence(
        of: row, app: pending[node.slot].app, k: index(of: node), due: node.due)
      pending.notePrepared(row, as: coming.id)
      let one = PlannedOccurrence(k: coming.id.k, due: node.due)
      if passedOver(row)?.cause(of: one) != nil { continue }
      guard pending.writesIntent(row, node, turn) else { continue }
      prepare(coming, node)
      let tolerance = pending.table.tolerance(of: node.slot)
      if tolerance > 0, now.real < node.due.advanced(by: tolerance) { patient.append(node.slot) }
    }
    guard !patient.isEmpty else { return }
    pending.noteIntentsAsked(patient, ask(.barrier(app: nil), for: .intents(patient)))
  }

  private func prepare(_ coming: Occurrence, _ node: HeapNode) {
    let app = pending[node.slot].app
    record(.intend(coming, app: app, slot: node.slot))
    let parts = parts(of: coming, app)
    for sink in sinks where gets(sink.sink, parts, of: coming) {
      // A plugin that is up is as ready as it can be.
      if sink.sink.kind == .speaker || !sink.isUp { emit(.prepare(sink.index, coming)) }
    }
  }

  /// What will be handed over next, once it is prepared and unless something happens before.
  public var coming: ComingOccurrence? {
    @export(interface) get {
      guard let node = pending.table.near.first,
        case .loaded(let row, preparedAs: .some) = pending.details[node.slot].content
      else { return nil }
      let occurrence = occurrence(of: row, app: row.app, k: index(of: node), due: node.due)
      var coming = ComingOccurrence(
        occurrence: occurrence, text: text(of: row.notification, row.app))
      let isTimed =
        pending.table.tolerance(of: node.slot) == 0 && row.pace >= Nanoseconds.second
        && !clock.holds(pending[node.slot], at: now)
      if isTimed, node.due > now.real {
        let parts = parts(of: occurrence, row.app)
        coming.sinks = sinks.filter { $0.isUp && gets($0.sink, parts, of: occurrence) }.map {
          $0.index
        }
      }
      return coming
    }
  }

  func occurrence(
    of row: StoredNotification, app: AppNumber, k: Int64, due: Instant
  ) -> Occurrence {
    Occurrence(
      id: OccurrenceID(uuid: row.uuid, generation: row.generation, k: k),
      app: apps[app]?.name ?? "", notification: row.notification, due: due)
  }
}
