/// An occurrence that waits for an answer (E6), as the store has it.
public struct WaitingAlert: Hashable, Sendable {
  /// The occurrence itself, step 0, as it was handed over first.
  public var occurrence: Occurrence
  public var app: AppNumber
  /// The newest step that was handed over.
  public var step: Int32
  /// `made`: when the occurrence was handed over first; `due`: when its next step is, or when nobody
  /// has answered.
  public var relative: RelativeTime
  /// What the real clock showed at `made`.
  public var began: Instant

  public init(
    _ occurrence: Occurrence, app: AppNumber, step: Int32, relative: RelativeTime, began: Instant
  ) {
    self.occurrence = occurrence
    self.app = app
    self.step = step
    self.relative = relative
    self.began = began
  }
}

/// Occurrences that wait for an answer, and when their next steps are due (E6): on the elapsed clock,
/// so that a step of the real one neither hurries nor delays them. One of each notification.
struct WaitingAlerts {
  struct Entry {
    /// Counts up in the order of their beginning.
    fileprivate let number: Int64
    var stored: WaitingAlert
    /// An earlier life may have handed over the next step (D7).
    var isSuspect = false
    /// Unless a sink has taken the newest step by then, the next one follows at once; nil: one has.
    fileprivate var takenBy: Int64?
    fileprivate var isPrepared = false

    /// Of its next step.
    var nextID: OccurrenceID { occurrence.id.ofStep(stored.step + 1) }
    /// The intent of its next step is written.
    var hasIntent: Bool { isPrepared || isSuspect }

    var app: AppNumber { stored.app }
    var occurrence: Occurrence { stored.occurrence }
    /// When something is to be done about it, on the elapsed clock.
    var due: Int64 { min(stored.relative.due, takenBy ?? .max) }
    /// No step is left: nobody has answered.
    var isLast: Bool { stored.step >= occurrence.notification.lastStep }
  }

  /// Most of an app at a time (A2).
  static let most = 256
  /// Steps of all users in one event, so that nothing that is due waits for them (A2).
  static let inOneEvent = 32
  /// How long the sinks of a step have to take it.
  static let timeout = 10 * Nanoseconds.second

  private var entries: [UUIDBits: Entry] = [:]
  private var counts: [AppNumber: Int] = [:]
  private var lastNumber: Int64 = 0
  /// Nothing is due before; it may be too early.
  private var soonest = Int64.max

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  func hasAny(of app: AppNumber) -> Bool { counts[app] != nil }

  /// What waits of a notification.
  subscript(uuid: UUIDBits) -> Entry? { entries.isEmpty ? nil : entries[uuid] }

  /// All of an app, in order of their beginning.
  func all(of app: AppNumber) -> [Entry] {
    guard hasAny(of: app) else { return [] }
    return inOrder { $0.app == app }
  }

  private func inOrder(where isMeant: (Entry) -> Bool) -> [Entry] {
    entries.values.filter(isMeant).sorted { $0.number < $1.number }
  }

  // MARK: Entering

  /// An occurrence is handed over that somebody has to answer. Returns what it pushes out: the app's
  /// oldest, where too many wait.
  mutating func begin(
    _ occurrence: Occurrence, of app: AppNumber, isSynchronised: Bool, _ turn: inout Turn
  ) -> Entry? {
    let (start, notification) = (turn.now.elapsed, occurrence.notification)
    var stored = WaitingAlert(
      occurrence, app: app, step: 0,
      relative: RelativeTime(
        made: start, due: start + notification.pause(after: 0, at: 0),
        boot: turn.configuration.boot, isSynchronised: isSynchronised),
      began: turn.now.real)
    // A badge or what it stands for is the first hand-over's alone.
    stored.occurrence.missed = 0
    stored.occurrence.missedSince = nil
    stored.occurrence.isForApp = false
    remove(occurrence.id.uuid)
    let over = counts[app, default: 0] >= Self.most ? all(of: app).first : nil
    if let over { remove(over.occurrence.id.uuid) }
    put(stored, isSuspect: false, takenBy: deadline(of: stored, turn))
    turn.record(.keepWaitingAlert(stored))
    return over
  }

  private func deadline(of stored: WaitingAlert, _ turn: Turn) -> Int64? {
    stored.step < stored.occurrence.notification.lastOfLadder
      ? turn.now.elapsed + Self.timeout : nil
  }

  private mutating func put(_ stored: WaitingAlert, isSuspect: Bool, takenBy: Int64?) {
    lastNumber += 1
    var entry = Entry(number: lastNumber, stored: stored)
    entry.isSuspect = isSuspect
    entry.takenBy = takenBy
    if entries.updateValue(entry, forKey: stored.occurrence.id.uuid) == nil {
      counts[stored.app, default: 0] += 1
    }
    soonest = min(soonest, entry.due)
  }

  /// Takes in one of an earlier life: in the same boot it goes on to the instant; in a later one by the
  /// real clock, where that was synchronised and can be believed again, else by the time that remained
  /// when the earlier boot was last heard of, at `lastHeard` on its elapsed clock.
  ///
  /// `isOpen`: no sink is known to have taken its newest step. `isSuspect`: its next one was prepared.
  mutating func resume(
    _ stored: WaitingAlert, lastHeard: Int64?, isClockWrong: Bool, isOpen: Bool, isSuspect: Bool,
    _ turn: inout Turn
  ) {
    var stored = stored
    let relative = stored.relative
    if relative.boot != turn.configuration.boot {
      let passed =
        relative.isSynchronised && !isClockWrong
        ? max(0, turn.now.real.nanoseconds(since: stored.began))
        : max(0, (lastHeard ?? relative.made) - relative.made)
      let start = turn.now.elapsed.subtractingReportingOverflow(passed).partialValue
      stored.relative = RelativeTime(
        made: start, due: start + (relative.due - relative.made), boot: turn.configuration.boot,
        isSynchronised: relative.isSynchronised)
      turn.record(.keepWaitingAlert(stored))
    }
    put(stored, isSuspect: isSuspect, takenBy: isOpen ? deadline(of: stored, turn) : nil)
  }

  /// Whether an earlier life may have handed over this step.
  func isSuspect(_ id: OccurrenceID) -> Bool {
    self[id.uuid].map { $0.isSuspect && $0.nextID == id } ?? false
  }

  /// What was prepared in this life and has not come: the store need not take it for shown.
  var onlyPrepared: [(OccurrenceID, app: AppNumber)] {
    entries.values.filter { $0.isPrepared && !$0.isSuspect }.map { ($0.nextID, app: $0.app) }
  }

  // MARK: Time

  /// What is due, in order; it may be a great many.
  mutating func due(at now: Int64) -> [Entry] {
    guard soonest <= now else { return [] }
    soonest = entries.values.reduce(.max) { min($0, $1.due) }
    guard soonest <= now else { return [] }
    return entries.values.filter { $0.due <= now }
      .sorted { ($0.due, $0.number) < ($1.due, $1.number) }
  }

  /// The step that a due entry is to take now: the newest that has come (E6).
  static func step(of entry: Entry, at now: Int64) -> (number: Int32, due: Int64) {
    let notification = entry.occurrence.notification
    let start = entry.stored.relative.made
    var (number, due) = (entry.stored.step + 1, entry.due)
    while number < notification.lastStep {
      let next = due + notification.pause(after: number, at: due - start)
      guard next <= now else { break }
      (number, due) = (number + 1, next)
    }
    return (number, due)
  }

  /// A step was handed over. What follows it is due so long after it was due itself; where it came
  /// late, after now.
  mutating func advance(
    _ uuid: UUIDBits, to step: Int32, due: Int64, isLate: Bool, _ turn: inout Turn
  ) {
    guard let entry = entries[uuid] else { return }
    var stored = entry.stored
    if entry.hasIntent, step != entry.nextID.step {
      turn.record(.withdrawIntent(entry.nextID, app: stored.app))
    }
    let start = stored.relative.made
    let from = isLate || due > turn.now.elapsed ? turn.now.elapsed : due
    stored.step = step
    stored.relative.due =
      from + stored.occurrence.notification.pause(after: step, at: from - start)
    put(stored, isSuspect: false, takenBy: deadline(of: stored, turn))
    turn.record(.keepWaitingAlert(stored))
  }

  /// A sink has taken a step: the next one comes in its time.
  mutating func noteTaken(_ id: OccurrenceID) {
    guard let entry = self[id.uuid], entry.takenBy != nil,
      entry.occurrence.id.ofStep(entry.stored.step) == id
    else { return }
    entries[id.uuid]?.takenBy = nil
  }

  /// Marks what is due within `lead` as prepared; what was not before, as its next step.
  mutating func prepare(within lead: Int64, _ turn: Turn) -> [(app: AppNumber, Occurrence)] {
    let now = turn.now.elapsed
    guard soonest.subtractingReportingOverflow(lead).partialValue <= now else { return [] }
    var prepared: [(app: AppNumber, Occurrence)] = []
    for entry in inOrder(where: { !$0.isPrepared && !$0.isLast && $0.due - lead <= now }) {
      entries[entry.occurrence.id.uuid]?.isPrepared = true
      var next = entry.occurrence
      next.id = entry.nextID
      next.due = turn.realDue(elapsed: entry.due)
      prepared.append((entry.app, next))
    }
    return prepared
  }

  /// When the next is due, or to be prepared, on the elapsed clock; `turnOf`: when the next late one of
  /// an app may go out (T10).
  func nextWake(at now: Int64, lead: Int64, turnOf: (AppNumber) -> Int64) -> Int64? {
    guard !entries.isEmpty else { return nil }
    var wake = Int64.max
    for entry in entries.values {
      let due = entry.due - (entry.isPrepared || entry.isLast ? 0 : lead)
      wake = min(wake, due <= now ? max(entry.due <= now ? turnOf(entry.app) : due, now) : due)
    }
    return wake
  }

  /// When a sleeping board is to be awake for one (T11); `wakes`: whether it is for such a step.
  func nextAlarm(at now: ClockReading, lead: Int64, wakes: (Occurrence) -> Bool) -> Instant? {
    var alarm: Instant?
    for entry in entries.values where !entry.isLast {
      var next = entry.occurrence
      next.id.step = entry.stored.step + 1
      let left = entry.due - now.elapsed - lead
      guard left > 0, wakes(next) else { continue }
      alarm = min(alarm ?? .distantFuture, now.real.advanced(by: left))
    }
    return alarm
  }

  // MARK: Leaving

  @discardableResult
  mutating func remove(_ uuid: UUIDBits) -> Entry? {
    guard !entries.isEmpty, let gone = entries.removeValue(forKey: uuid) else { return nil }
    let count = counts[gone.app, default: 1] - 1
    counts[gone.app] = count == 0 ? nil : count
    if entries.isEmpty { soonest = .max }
    return gone
  }

  /// Removes those that a cancel request means (N15).
  mutating func removeAll(_ selection: Selection, of app: AppNumber) -> [Entry] {
    let gone = all(of: app).filter { selection.contains($0.occurrence.notification) }
    for entry in gone { remove(entry.occurrence.id.uuid) }
    return gone
  }

  mutating func removeAll(of app: AppNumber) {
    for entry in all(of: app) { remove(entry.occurrence.id.uuid) }
  }
}

extension Turn {
  /// Has the store forget what waits for an answer no longer, and that its next step was to come.
  mutating func forget(_ entry: WaitingAlerts.Entry) {
    if entry.hasIntent { record(.withdrawIntent(entry.nextID, app: entry.app)) }
    record(.forgetWaitingAlert(entry.occurrence.id, app: entry.app))
  }
}
