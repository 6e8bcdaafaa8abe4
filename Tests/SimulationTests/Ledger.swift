import BelfryCore

/// What a simulated life has broken.
struct Fault: Hashable {
  /// The invariant, by its rule.
  var rule: String
  var text: String
}

/// Remembers what was promised and holds everything that happens against it: the rules, told slowly.
final class Ledger {
  struct DeliveryKey: Hashable {
    var id: OccurrenceID
    var sink: SinkIndex
  }

  private(set) var fault: Fault?
  var now = ClockReading(real: .distantPast, elapsed: 0)
  var clock = ClockModel()
  /// Of the board.
  var zone = ZoneRules.utc
  /// As their files have them now.
  var zones: [String: ZoneRules] = [:]
  /// What their files said before they were replaced, and when that was, on the elapsed clock.
  var replacedZones: [String: (rules: ZoneRules, at: Int64)] = [:]
  /// That the elapsed clock counts in.
  var boot: Int64 = 0
  /// The disk takes what it is given.
  var isDiskWell = true
  /// When something last happened that can make things late or move them, on the elapsed clock.
  private(set) var quietSince: Int64 = 0
  var pending: [PromiseName: Promise] = [:]
  /// Promises that have fired for good, dropped or been replaced, by uuid: what a crash may bring back.
  var past: [UUIDBits: Promise] = [:]
  var firings = 0
  var handOvers = 0
  var replans = 0
  var lostNotices = 0
  /// Ended by an answered cancel request for ever.
  var ended: Set<UUIDBits> = []
  /// Every uuid there was, and the newest request that has spoken of it.
  private var known: [PromiseName: [UUIDBits: RequestID]] = [:]
  private var lastOrder = 0
  /// real - elapsed when the scheduler last saw the clocks.
  var lastOffset: Int64?
  var attempts: [DeliveryKey: Int32] = [:]
  /// Of the life of the process in hand.
  var attemptsNow: [DeliveryKey: Int32] = [:]
  var settled: Set<DeliveryKey> = []
  /// Stand in the store.
  var intended: Set<OccurrenceID> = []
  /// Of what goes by instants alone.
  var dues: [OccurrenceID: Instant] = [:]
  /// Of which the scheduler has heard that they are done, in this life of the process.
  var acknowledged: Set<DeliveryKey> = []
  /// Stood in the store when the process started: handed over again, it says so (D7).
  var possiblyDelivered: Set<OccurrenceID> = []
  /// Whether any sink had it in an earlier life of this boot; nil: nobody knows.
  var mayHaveHad: ((OccurrenceID) -> Bool)?
  /// By k 0 of its generation.
  var newestHanded: [DeliveryKey: Int64] = [:]
  /// What fired last when it was due, for N21: by both clocks, since a step back may bring an instant
  /// twice.
  var lastOnTime: [Turn: (at: ClockReading, order: Int)] = [:]

  /// Open ones, as their apps were told.
  var sessions: [SessionID: (app: String, state: AppState)] = [:]
  /// What is with sessions, and what came to be so by the event in hand.
  var offers: [OccurrenceID: PromisedOffer] = [:]
  var freshOffers: [OccurrenceID] = []
  /// What was with sessions, and a newer occurrence has overtaken by the event in hand.
  var freshOvertaken: [OccurrenceID] = []
  /// What a session has taken: for ever, and in this life of the process.
  var taken: Set<OccurrenceID> = []
  var takenNow: Set<OccurrenceID> = []
  /// What was seen of a notification, in this life of the process.
  var met: [PromiseName: Set<OccurrenceID>] = [:]
  /// By k 0 of its generation.
  var contents: [OccurrenceID: Notification] = [:]
  /// Put away by its user.
  var gone: Set<OccurrenceID> = []
  /// What a response that was carried out and has not been answered puts away.
  var responsesDone: [PromiseName: Set<OccurrenceID>] = [:]
  var toldResponses: [OccurrenceID: Int] = [:]
  /// What was sent as which event of a session.
  var responseEvents: [SessionID: [Int64: OccurrenceID]] = [:]
  var completedResponses: Set<OccurrenceID> = []
  var snoozes: [OccurrenceID: PromisedSnooze] = [:]
  var pastSnoozes: [OccurrenceID: PromisedSnooze] = [:]
  /// What plugins have said, and nobody has answered.
  var snoozingAtSinks: [(id: OccurrenceID, duration: Int64)] = []
  /// What waits for an answer (E6), and what of that the store has.
  var ringing: [UUIDBits: PromisedAlert] = [:]
  var keptAlerts: Set<OccurrenceID> = []
  /// What the event in hand has begun to wait for.
  var freshAlerts: [(id: OccurrenceID, name: PromiseName)] = []
  /// What the event in hand waits for no longer, and of what it tells why.
  var forgotten: [(id: OccurrenceID, name: PromiseName)] = []
  var answeredNow: Set<PromiseName> = []
  var restartedSnoozing: Set<UUIDBits> = []
  /// Since the newest request.
  var withdrawnSnoozes: [PromiseName: Int] = [:]
  var isCancelling: (PromiseName) -> Bool = { _ in false }
  var isAnswering: (PromiseName) -> Bool = { _ in false }
  /// Of this life of the process.
  var lastFix: (metres: Double, accuracy: Double?)?
  /// What the fix in hand must fire.
  var crossings: Set<PromiseName> = []
  /// What the event in hand has fired.
  var freshFirings: [OccurrenceID] = []

  /// What waits for each sink, where a board is shared (D9).
  var queues: [SinkQueue] = []
  /// How often the scheduler holds it against a delivery that its sink has failed.
  var failures: (_ sink: Int, OccurrenceID) -> Int32 = { _, _ in 0 }
  var isSpeaker: (_ sink: Int) -> Bool = { _ in false }
  /// Late ones that have fired, by users and levels (T10).
  var lateTurns = TurnCount()
  /// What is late has not been looked at since this was set: when that makes sense, on the elapsed clock.
  var looksForLateAt: Int64?
  var loneWaits = 0
  var maxTurns = 0
  var refused = 0

  /// What is paused (E1), and the skips of each notification (E2), as the store is told.
  var pauses: [PromisedPause] = []
  var skips: [UUIDBits: PromisedSkips] = [:]
  /// What of that was answered, and is to outlive any crash.
  var answeredPauses: [PromisedPause] = []
  /// The newest request about what is paused that was answered.
  var pauseRequests: [PromisedPause.Scope: RequestID] = [:]
  var answeredSkips: [UUIDBits: Set<Int64>] = [:]
  /// Those of which a request was refused that was done all the same.
  var unsureSkips: Set<UUIDBits> = []
  /// Calendars of days (E3).
  var calendars = PromisedCalendars()
  /// Told to be skipped, and not written down yet.
  var unwrittenPasses: [UUIDBits: Int64] = [:]
  var passes = 0

  let limit: Int32
  let grace: Int64
  let policy: LatePolicy
  let stagger: Int64
  /// What may wait for a sink that is down.
  let maxWaiting: Int

  init(limit: Int32, configuration: EngineConfiguration) {
    self.limit = limit
    grace = configuration.grace
    policy = configuration.late
    stagger = configuration.stagger
    maxWaiting = Int(configuration.queue)
  }

  func fail(_ rule: String, _ text: @autoclosure () -> String) {
    if fault == nil { fault = Fault(rule: rule, text: text()) }
  }

  func disturb() { quietSince = now.elapsed }

  func isQuiet(for time: Int64) -> Bool { now.elapsed - quietSince >= time }

  /// Long enough for all that is late to have fired in its turn.
  var timeout: Int64 {
    70 * Nanoseconds.second + Int64(pending.count) * 250 * Nanoseconds.millisecond
  }

  // MARK: Promises

  /// A notification is in the store, and somebody was told so or may find out.
  func enter(
    _ name: PromiseName, uuid: UUIDBits, generation: Int64, _ notification: Notification,
    _ oracle: DueOracle, purpose: RelativeTime.Purpose?, lastK: Int64, request: RequestID = 0
  ) {
    if let old = pending[name] { past[old.uuid] = old }
    lastOrder += 1
    let promise = Promise(
      name, (uuid, generation), notification, oracle, purpose: purpose, lastK: lastK,
      order: lastOrder, at: now.real)
    promise.elapsedDue = notification.fireIn.map { now.elapsed + $0 }
    pending[name] = promise
    promise.request = request
    known[name, default: [:]][uuid] = request
  }

  /// Ends what requests before this one have promised.
  func cancel(_ name: PromiseName, before request: RequestID, forEver: Bool) {
    if forEver {
      for (uuid, last) in known[name] ?? [:] where last < request { ended.insert(uuid) }
    }
    if pending[name]?.request ?? 0 < request { end(name) }
  }

  /// Of all that an app was ever promised.
  func identifiers(of app: String) -> [String] {
    known.keys.filter { $0.app == app }.map { $0.identifier }
  }

  func end(_ name: PromiseName) {
    if let promise = pending.removeValue(forKey: name) { past[promise.uuid] = promise }
  }

  func promise(_ id: OccurrenceID, _ name: PromiseName) -> Promise? {
    guard let promise = pending[name], promise.uuid == id.uuid else { return nil }
    return promise
  }
}
