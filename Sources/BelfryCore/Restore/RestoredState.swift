/// What the store told before the first event; the start consumes it, and nobody needs it later.
struct RestoredState {
  /// An occurrence that goes by the elapsed clock (T9).
  struct Relative {
    var slot: Slot
    var generation: Int64
    var time: RelativeTime
  }

  /// An occurrence that was handed over and has not ended, with the sinks that have not settled.
  struct Delivery {
    var firing: FiredOccurrence
    var sinks: [String]
    /// Those of them that may have been handed it.
    var handedOver: [String]
    /// Some sink has settled.
    var hasSettled = false

    /// Hand-overs to a sink in earlier lives: those that may have been count as one.
    func attempts(_ sink: String) -> Int32 { handedOver.contains(sink) ? 1 : 0 }
  }

  /// An occurrence of a pending row that an earlier life prepared, and may have handed over (D7).
  struct Intent {
    var id: OccurrenceID
    var slot: Slot
  }

  /// A push that was stored and perhaps not shown (D7).
  struct Push {
    var occurrence: Occurrence
    var app: AppNumber
    var isSuspect: Bool
  }

  private(set) var relatives: [Relative] = []
  private(set) var snoozes: [StoredSnooze] = []
  private(set) var waiting: [WaitingAlert] = []
  private(set) var intents: [Intent] = []
  private(set) var deliveries: [Delivery] = []
  private(set) var pushes: [Push] = []
  /// Some row was due at once.
  var hasAtOnce = false
  /// Snoozes and steps that an earlier life prepared, and may have handed over (D7).
  private(set) var preparedAgain: Set<OccurrenceID> = []
  /// How often it was snoozed at last, of what was shown first; and which of these have fired.
  private var snoozeCounts: [OccurrenceID: Int32] = [:]
  private var firedAgain: Set<OccurrenceID> = []
  /// The boot of the earlier life, and how far its elapsed clock is known to have come (T9).
  private var lastLife: (boot: Int64, elapsed: Int64)?

  mutating func setLastLife(boot: Int64?, elapsed: Int64) {
    lastLife = boot.map { ($0, elapsed) }
  }

  mutating func add(_ relative: RelativeTime, slot: Slot, generation: Int64) {
    relatives.append(Relative(slot: slot, generation: generation, time: relative))
  }

  mutating func add(_ snooze: StoredSnooze) {
    snoozes.append(snooze)
    noteSnooze(snooze.occurrence.id)
  }

  mutating func add(_ alert: WaitingAlert) {
    waiting.append(alert)
  }

  /// What was only prepared is still pending by its row; what was handed over is handed over again,
  /// under the same id, to the sinks that have not settled (D7).
  /// `handedOver`: those of its sinks that may have been handed it; `isSuspect`: some sink may.
  mutating func add(_ open: OpenOccurrence, handedOver: [String], isSuspect: Bool) {
    let id = open.occurrence.id
    if let sinks = open.sinks {
      noteSnooze(open.occurrence.id)
      firedAgain.insert(open.occurrence.id)
      let firing = FiredOccurrence(open.occurrence, app: open.app, isRecorded: true)
      deliveries.append(
        Delivery(
          firing: firing, sinks: sinks.filter { !open.settled.contains($0) },
          handedOver: handedOver,
          hasSettled: !open.settled.isEmpty))
    } else if id.comesAgain {
      preparedAgain.insert(id)
    } else if open.slot == nil, open.occurrence.notification.push != nil {
      pushes.append(
        Push(occurrence: open.occurrence, app: open.app, isSuspect: isSuspect))
    } else {
      intents.append(Intent(id: id, slot: open.slot ?? 0))
    }
  }

  private mutating func noteSnooze(_ id: OccurrenceID) {
    guard id.snooze > 0 else { return }
    snoozeCounts[id.unsnoozed] = max(id.snooze, snoozeCounts[id.unsnoozed] ?? 0)
  }

  /// Killed between the records of a snooze (D7): it was snoozed, and what is known of it from before
  /// is over; or it would come again, and could be snoozed under an id that has been used.
  func isPutOff(_ id: OccurrenceID) -> Bool { id.snooze < snoozeCounts[id.unsnoozed] ?? 0 }

  /// Killed between the records as it came again: it is on its way by the first.
  func isOver(_ snooze: StoredSnooze) -> Bool {
    isPutOff(snooze.occurrence.id) || firedAgain.contains(snooze.occurrence.id)
  }

  /// How far the elapsed clock of the boot in which this was scheduled is known to have come (T9).
  func reached(_ relative: RelativeTime) -> Int64 {
    guard let last = lastLife, last.boot == relative.boot else { return relative.made }
    return max(relative.made, last.elapsed)
  }
}
