/// When an entry that goes by the elapsed clock is due by it, in nanoseconds since the boot (T9).
enum ElapsedDue: Hashable {
  /// It is due then, whatever the real clock shows.
  case at(Int64)
  /// A one-shot whose date a doubtful clock took for past. It was scheduled then, and is due at its
  /// date, but not before (N2).
  case notBefore(Int64)
}

extension RelativeTime {
  /// What it says of a pending entry.
  var elapsedDue: ElapsedDue {
    purpose == .notBefore ? .notBefore(due) : .at(due)
  }
}

/// What is known of the notification of an entry that is due soon.
enum NearContent {
  case loading(StoreTicket)
  /// `preparedAs`: the occurrence that the sinks were made ready for; nil: none yet.
  indirect case loaded(StoredNotification, preparedAs: OccurrenceID?)
}

/// What is known of a slot beside its entry. Most slots have nothing of this, so what many may have
/// at a time is kept small, and the rest takes memory only where it is set.
struct SlotDetails {
  /// Set where the entry goes by the elapsed clock.
  var elapsedDue: ElapsedDue?
  /// It has been held for the clock, and has not fired since.
  var wasHeld = false
  /// An earlier life was to deliver it at once: it handed over before an intent could stand in the
  /// store (D7, D8).
  var wasDueAtOnce = false
  /// Through which k it has fired, while its zone or the days of its calendar are not known.
  var firedThrough: Int64?
  /// What is known of the calendar that it goes by (N6).
  var calendar: KnownDays?
  private var rare: [Rare] = []

  private struct Rare {
    var content: NearContent?
    var intentTicket: StoreTicket?
    var missedFrom: PlannedOccurrence?
    var lastRecorded: Int64?
    var earlyIntent: OccurrenceID?
    var possiblyDelivered: [OccurrenceID] = []
    var skips: StoredSkips?
    var unwritten: PassedOver.Run?

    var isEmpty: Bool {
      content == nil && intentTicket == nil && missedFrom == nil && lastRecorded == nil
        && earlyIntent == nil && possiblyDelivered.isEmpty && skips == nil && unwritten == nil
    }
  }

  /// Nothing is known.
  var isEmpty: Bool {
    elapsedDue == nil && !wasHeld && !wasDueAtOnce && firedThrough == nil && calendar == nil
      && rare.isEmpty
  }

  /// Its notification, while it stands in `near`.
  var content: NearContent? {
    get { rare.first?.content }
    set { changeRare(isSaid: newValue != nil) { $0.content = newValue } }
  }

  /// The question by which its intent stands in the store, where it has time to wait for that
  /// (T12, D7).
  var intentTicket: StoreTicket? {
    get { rare.first?.intentTicket }
    set { changeRare(isSaid: newValue != nil) { $0.intentTicket = newValue } }
  }

  /// The oldest of the missed occurrences that fold into the next one (T10).
  var missedFrom: PlannedOccurrence? {
    get { rare.first?.missedFrom }
    set { changeRare(isSaid: newValue != nil) { $0.missedFrom = newValue } }
  }

  /// When the store heard of one of its occurrences last, on the elapsed clock; only of repeats
  /// under a minute.
  var lastRecorded: Int64? {
    get { rare.first?.lastRecorded }
    set { changeRare(isSaid: newValue != nil) { $0.lastRecorded = newValue } }
  }

  /// The intent that was written with its row, until the store has answered.
  var earlyIntent: OccurrenceID? {
    get { rare.first?.earlyIntent }
    set { changeRare(isSaid: newValue != nil) { $0.earlyIntent = newValue } }
  }

  /// Its occurrences that an earlier life may have handed over (D7).
  var possiblyDelivered: [OccurrenceID] {
    get { rare.first?.possiblyDelivered ?? [] }
    set { changeRare(isSaid: !newValue.isEmpty) { $0.possiblyDelivered = newValue } }
  }

  /// Its occurrences that are to be skipped (E2).
  var skips: StoredSkips? {
    get { rare.first?.skips }
    set { changeRare(isSaid: newValue != nil) { $0.skips = newValue } }
  }

  /// What was passed over and the store has not heard of; only of repeats under a minute.
  var unwritten: PassedOver.Run? {
    get { rare.first?.unwritten }
    set { changeRare(isSaid: newValue != nil) { $0.unwritten = newValue } }
  }

  mutating func removeSuspect(_ id: OccurrenceID) {
    possiblyDelivered.removeAll { $0 == id }
  }

  /// `isSaid`: something is set by the change, so that it needs memory.
  private mutating func changeRare(isSaid: Bool, _ change: (inout Rare) -> Void) {
    if rare.isEmpty {
      guard isSaid else { return }
      rare.append(Rare())
    }
    change(&rare[0])
    if rare[0].isEmpty { rare = [] }
  }
}

/// The details of all slots that have some.
struct SlotDetailTable {
  private var details: [Slot: SlotDetails] = [:]
  /// How many have a `firedThrough`.
  private(set) var unplannedCount = 0

  /// How many slots have some.
  var count: Int { details.count }

  /// Everything that is known of a slot; what is set so that nothing is left takes no memory.
  subscript(slot: Slot) -> SlotDetails {
    get { details[slot] ?? SlotDetails() }
    _modify {
      var one = details.removeValue(forKey: slot) ?? SlotDetails()
      if one.firedThrough != nil { unplannedCount -= 1 }
      yield &one
      if one.firedThrough != nil { unplannedCount += 1 }
      if !one.isEmpty { details[slot] = one }
    }
  }

  // MARK: What goes together

  /// A slot is free: all that was known of it goes. Returns the calendar that it went by.
  mutating func free(_ slot: Slot) -> KnownDays? {
    guard let gone = details.removeValue(forKey: slot) else { return nil }
    if gone.firedThrough != nil { unplannedCount -= 1 }
    return gone.calendar
  }

  /// Its content is not needed any more, and with it goes the question for its intent.
  mutating func dropContent(of slot: Slot) -> NearContent? {
    guard let content = details[slot]?.content else { return nil }
    self[slot].content = nil
    self[slot].intentTicket = nil
    return content
  }

  /// After a step back of the clock: all that was missed and folded into a next one, which counts
  /// as missed no more (T8, T10).
  mutating func takeMissed() -> [(slot: Slot, oldest: PlannedOccurrence)] {
    var missed: [(slot: Slot, oldest: PlannedOccurrence)] = []
    for (slot, one) in details {
      if let oldest = one.missedFrom { missed.append((slot, oldest)) }
    }
    for (slot, _) in missed { self[slot].missedFrom = nil }
    return missed
  }

  /// Those that go by the elapsed clock.
  var elapsedDues: [(slot: Slot, due: ElapsedDue)] {
    details.compactMap { slot, one in one.elapsedDue.map { (slot, $0) } }
  }

  // MARK: For tests

  /// How many occurrences are suspects.
  var suspectCount: Int { details.values.reduce(0) { $0 + $1.possiblyDelivered.count } }

  /// How many intents were written with their rows and are not answered.
  var earlyIntentCount: Int { details.values.count { $0.earlyIntent != nil } }

  /// How many entries go by a plugin's calendar.
  var calendarCount: Int { details.values.count { $0.calendar != nil } }
}
