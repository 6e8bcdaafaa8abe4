/// An occurrence that has fired, until its last delivery has ended.
final class FiredOccurrence {
  var occurrence: Occurrence
  let app: AppNumber
  let name: NotificationName
  /// The app's badge after it; nil: unchanged, or not yet.
  var badge: Int64?
  /// False: the store does not hear of it (repeats under a minute, most of the time).
  let isRecorded: Bool
  /// How far the clock could be believed when it fired (T8).
  var clock: ClockState?
  /// It had to wait for a better clock (T9).
  var wasHeld = false
  /// Deliveries that have not ended.
  var open: Int32 = 0
  /// The sinks that show it; and whether its app has taken it itself.
  private var shownAt: [SinkIndex] = []
  private var isTaken = false

  init(_ occurrence: Occurrence, app: AppNumber, isRecorded: Bool) {
    self.occurrence = occurrence
    self.app = app
    name = NotificationName(app, occurrence.notification.identifier ?? "")
    self.isRecorded = isRecorded
  }

  func noteShown(at sink: SinkIndex) { shownAt.append(sink) }
  func noteTaken() { isTaken = true }
  /// What it replaces on that sink is to go.
  func isShown(at sink: SinkIndex) -> Bool { isTaken || shownAt.contains(sink) }

  /// Whether this, which came later, goes out in place of an older one.
  func overtakes(_ older: FiredOccurrence) -> Bool {
    older.name == name && occurrence.id.overtakes(older.occurrence.id)
  }

  /// Whether what an older one has left on a sink goes when this is shown.
  func replaces(_ older: OpenDelivery) -> Bool {
    older.name == name && older.id.isReplaced(by: occurrence.id)
  }

  func replaces(_ older: ShownDelivery) -> Bool {
    older.app == app && older.identifier == name.identifier
      && older.occurrence.isReplaced(by: occurrence.id)
  }
}

/// What an app calls a notification by.
struct NotificationName: Hashable {
  let app: AppNumber
  @Bytewise var identifier: String

  init(_ app: AppNumber, _ identifier: String) {
    self.app = app
    self.identifier = identifier
  }
}

/// What has fired, as it was judged at its due instant: what of it goes to which sinks (D1, D9).
struct Presentation {
  let firing: FiredOccurrence
  let parts: DeliveryParts
  let sinks: [SchedulerSink]
  /// What sinks show that it replaces (N1, N15), as the store has told.
  var shown: [ShownDelivery]
  /// Earlier hand-overs under this id.
  let attempt: Int32
  /// Why its sound reaches no speaker; nil: it does, or there is none.
  var silence: String?
}

/// One occurrence for one sink, waiting or handed over.
final class OpenDelivery {
  let firing: FiredOccurrence
  /// The occurrence's, which queues of thousands are searched for: taking it out of the occurrence
  /// each time would copy all of that.
  let id: OccurrenceID
  private let expires: Instant?
  /// About how much memory its content takes, which deliveries to other sinks share.
  let weight: Int
  let sink: SinkIndex
  let parts: DeliveryParts
  /// Whose it is, how urgent, and after which others of his it stands (N21): its place in queues (D9).
  let owner: UInt32
  let urgency: Urgency
  var order: Int64
  /// When it began to wait for its sink, on the elapsed clock.
  let since: Int64
  /// Names the newest hand-over; 0: none in this life.
  var token: UInt64 = 0
  /// Hand-overs so far.
  var attempt: Int32
  /// Those that are held against it: it was what the sink had in hand when it failed.
  var failures: Int32 = 0
  var handedOver: Instant?
  /// The sink answered `pending`: until when it may take, on the elapsed clock.
  var pendingUntil: Int64?
  /// Not to be handed over before this, on the elapsed clock.
  var notBefore: Int64 = .min
  /// Speaker: how often it is to sound again, and has sounded (D11).
  var soundsLeft: Int64
  /// Speaker: for how long it sounds again, in nanoseconds (E11), and since when, on the elapsed clock.
  var ringsFor: Int64
  var ringsSince: Int64?
  var repetition: Int32 = 0
  /// How often it was silenced instead.
  var silences: Int32 = 0
  /// What goes from the sink when this is shown, the newest last (N1).
  private(set) var replaces: [OccurrenceID]
  /// The one of them that the sink was told to replace by it.
  private(set) var replacedBySink: OccurrenceID?

  init(
    _ firing: FiredOccurrence, owner: UInt32, urgency: Urgency, order: Int64, sink: SinkIndex,
    parts: DeliveryParts, since: Int64, attempt: Int32, replaces: [OccurrenceID]
  ) {
    self.firing = firing
    self.owner = owner
    self.order = order
    self.urgency = urgency
    id = firing.occurrence.id
    expires = firing.occurrence.notification.expires
    weight = firing.occurrence.notification.weight
    self.sink = sink
    soundsLeft = parts == .sound ? firing.occurrence.notification.repeatSound : 0
    ringsFor = parts == .sound ? firing.occurrence.notification.ringFor : 0
    self.parts = parts
    self.since = since
    self.attempt = attempt
    self.replaces = replaces
  }

  var occurrence: Occurrence { firing.occurrence }
  var name: NotificationName { firing.name }

  /// As of what has fired; of two notifications of one identifier the one that fired first.
  func isOvertaken(by other: OpenDelivery) -> Bool {
    name == other.name && other.id.overtakes(id)
      && (id.uuid == other.id.uuid || order < other.order)
  }

  /// It goes in place of an older one, which has not gone out.
  func takeOver(_ older: OpenDelivery) {
    replaces = older.replaces + replaces.filter { !older.replaces.contains($0) }
  }

  /// It is handed over.
  func tellReplaced() -> OccurrenceID? {
    replacedBySink = replaces.last
    return replacedBySink
  }

  /// What turns out to be shown under its identifier goes when it is shown.
  func replace(_ older: OccurrenceID) {
    if !replaces.contains(older) { replaces.insert(older, at: 0) }
  }

  /// It has had its turn; whether it sounds once more, `pause` later (D11, E11). What begins within
  /// `ringsFor` plays to its end.
  func soundsAgain(at now: ClockReading, after pause: Int64) -> Bool {
    if soundsLeft > 0 { return true }
    noteRinging(at: now)
    return now.elapsed + pause - (ringsSince ?? now.elapsed) < ringsFor
  }

  /// The same, once the speaker has said what became of it. What rings goes on ringing where it could
  /// not be heard this time: another sound took too long, or its device is away for a moment.
  func soundsAgain(
    _ answer: DeliveryAnswer, at now: ClockReading, after pause: Int64
  ) -> Bool {
    switch answer {
    case .done: return soundsAgain(at: now, after: pause)
    case .failed where ringsFor > 0: return isSilenced(at: now, pause: pause)
    default: return false
    }
  }

  /// Speaker: it has been heard, or may have been in an earlier life.
  var hasBegun: Bool { repetition > silences || attempt > 0 }

  /// It is not heard this time; whether it sounds `pause` later.
  func isSilenced(at now: ClockReading, pause: Int64) -> Bool {
    silences += 1
    return soundsAgain(at: now, after: pause)
  }

  /// It is handed over: an earlier life may have begun to ring.
  func noteRinging(at now: ClockReading) {
    guard parts == .sound, ringsSince == nil else { return }
    let passed = attempt > 0 ? now.real.nanoseconds(since: occurrence.due) : 0
    ringsSince = now.elapsed - min(max(0, passed), Nanoseconds.hour)
  }

  /// Its newest hand-over never reached the sink: it may be handed over as often as before.
  func takeBackAttempt() {
    attempt -= 1
    if attempt == 0 { handedOver = nil }
  }

  func hasExpired(at now: Instant) -> Bool {
    guard let expires else { return false }
    return expires < now
  }

  /// When it is too late to hand it over; nil: never.
  var overAt: Instant? { expires?.advanced(by: 1) }
}

/// A sink and all that it has to do.
final class SchedulerSink {
  /// The newest badge of an app, on its way to the sink.
  struct BadgeChange {
    var value: Int64
    /// 0: waiting.
    var token: UInt64 = 0
    var attempt: Int32 = 0
    var notBefore: Int64 = .min
  }

  let index: SinkIndex
  var sink: Sink
  /// It has left the configuration.
  var isRemoved = false
  var isUp = false
  /// The store has something that it has yet to take back; `owed` is what an earlier life left, of
  /// which it has not been told yet.
  var isOwed = false
  var owed: [OccurrenceID] = []
  /// It was told to take back so much that it has not confirmed.
  var takingBack: Int32 = 0
  /// Its end was asked for; nothing more is handed over to this process.
  var isInterrupted = false
  var queue = DeliveryQueue()
  /// So many deliveries it works on at a time, as it says; 0: it does not say.
  var concurrency: Int32 = 0
  /// In order of hand-over.
  var handedOver: [OpenDelivery] = []
  var badges: [AppNumber: BadgeChange] = [:]
  /// The app whose badge was handed over last.
  var lastBadge: AppNumber = 0
  /// The calendars that it knows (N6); nil: it has not said yet.
  var calendars: [String]?
  /// Questions about them that it has not answered.
  var openQuestions = 0
  /// Its process has ended, or could not be started, at least once; why it is down since, nil: it is
  /// up, or has not ended yet.
  private(set) var hasEnded = false
  private(set) var downReason: String?
  /// Why it did not show what it answered last, in this life of its; nil: it did.
  private(set) var failure: String?
  /// What the speaker lacks to be heard, in words; nil: nothing as far as it knows.
  var missingDevice: String?
  /// It ended with something in hand, and has not answered anything since.
  var isDoubted = false
  /// When it last showed a sign of life, or got work while it had none, on the elapsed clock.
  var progress: Int64 = 0

  init(index: SinkIndex, sink: Sink) {
    self.index = index
    self.sink = sink
  }

  func goUp() {
    isUp = true
    isInterrupted = false
    (downReason, failure) = (nil, nil)
  }

  func noteEnd(failure: String?) { self.failure = failure }

  func goDown(_ reason: String) {
    isUp = false
    hasEnded = true
    downReason = reason
  }

  /// What may come to be shown yet that goes when this is shown (N1).
  func unanswered(before firing: FiredOccurrence) -> [OccurrenceID] {
    handedOver.filter { firing.replaces($0) }.map { $0.id }
  }

  /// What it has in hand, or waits for it, under this id.
  func open(_ id: OccurrenceID) -> OpenDelivery? {
    handedOver.first { $0.id == id } ?? queue.delivery(id)
  }

  /// Whether it can be given anything now, its window aside.
  var canTake: Bool { isUp && !isInterrupted }

  /// Something waits for it, or is with it and not answered.
  var isAwaited: Bool { !queue.isEmpty || !handedOver.isEmpty || !badges.isEmpty }

  /// It may yet say that it knows a calendar.
  var mayKnowCalendars: Bool { sink.kind == .plugin && calendars == nil && !hasEnded }

  /// Whether a hand-over or a question waits for its first answer.
  var isBusy: Bool {
    openQuestions > 0 || handedOver.contains { $0.pendingUntil == nil }
      || badges.values.contains { $0.token != 0 }
  }
}
