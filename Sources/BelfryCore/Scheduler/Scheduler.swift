/// The heart of the clock: what is pending, when it is due, who gets it, and what became of it.
///
/// A state machine without I/O. Events go in with the time, commands come out, to be carried out in
/// order; the books (`BookOperation`) and the sinks answer by further events. It never asks for the
/// time, never waits, and gives the same commands for the same events. One thread at a time.
///
/// At start-up the caller tells it what the books hold: every `restore` of apps, then of pending
/// rows, then of open occurrences, and then the first event, a `.clock`.
public final class Scheduler {
  let makeUUID: () -> UUIDBits

  /// The event in hand.
  var turn: Turn
  var storeRequests = StoreRequests()

  var pending = PendingTable()
  /// Content of what stands in `pending.near`.
  var contents: [Slot: NearContent] = [:]
  /// In `near`, and not yet asked for.
  var toLoad: [Slot] = []
  /// Loading failed: not again before this, on the elapsed clock.
  var loadNotBefore = Int64.min
  /// The longest that a sink's process took until it was ready, in nanoseconds.
  var slowestStart: Int64 = 0
  /// What has time to wait until its intent stands in the books: the question that tells (T12, D7).
  var intents: [Slot: BookTicket] = [:]
  /// When the next occurrence is to be prepared, at the earliest.
  var nextPrepare = Instant.distantFuture
  /// A user's next late occurrence is handed over no sooner than this, on the elapsed clock (T10).
  var nextLate: [UInt32: Int64] = [:]
  /// Where repeats have missed occurrences that fold into the next one: the oldest (T10).
  var missedFrom: [Slot: Planned] = [:]
  /// Repeats under a minute: when the books last heard of one, on the elapsed clock.
  var lastRecorded: [Slot: Int64] = [:]
  /// How far the clock can be believed (T9).
  var clock: ClockKeeper
  /// real − elapsed at the last event but for what lies between two readings; nil: none yet.
  var lastOffset: Int64?
  var lastClockState: ClockState?
  /// When the kernel was last asked about its clock, and is to be asked next, on the elapsed clock.
  var lastAsked = Int64.min
  var nextAsk: Int64?
  /// Dues on the elapsed clock, of those that go by it (T9).
  var relatives: [Slot: Int64] = [:]
  /// One-shots whose date a doubtful clock took for past: when they were scheduled, on the elapsed
  /// clock (N2, T9).
  var notBefore: [Slot: Int64] = [:]
  /// Have been held for the clock, and not fired since.
  var wasHeld: Set<Slot> = []
  /// Going through the repeats after a step back (T8): which have run too far ahead, where it goes
  /// on, and how many were planned afresh; nil: nothing to go through.
  var reviewBeyond: Int64?
  /// The review of the start, before which anything may have happened.
  var isFirstReview = true
  /// The least that a review had to go by since the start while there were `unplanned` ones.
  var unplannedBeyond = Scheduler.shortStep
  /// To another zone, since the start.
  var boardHasMoved = false
  var reviewed = 0
  /// Where going through all entries goes on (`continueWalk`).
  var walkFrom: Slot = 1
  /// Every zone that was ever spoken of; the first is the board's.
  var zones = [KnownZone(number: 0, name: "UTC")]
  var zonesByName: [String: KnownZone] = [:]
  /// Zones with stale entries.
  var zonesInChange: [ZoneNumber] = []
  /// Of entries whose zone is not loaded, or the days of whose calendar are not known: through
  /// which k they have fired.
  var unplanned: [Slot: Int64] = [:]
  /// What is known of repeats in plugins' calendars, and which entries go by it (N6).
  var calendars: [CalendarQuestion: KnownDays] = [:]
  var calendarSlots: [Slot: KnownDays] = [:]
  /// Those to ask about as soon as a plugin can answer, and what was asked.
  var wantedCalendars: [CalendarQuestion] = []
  var calendarTokens: [UInt64: CalendarQuestion] = [:]
  /// Calendars of which the log has said that no plugin knows them.
  var toldCalendars: Set<String> = []
  /// When `watchCalendars` has something to do, on the elapsed clock.
  var nextCalendarWake: Int64?
  var isResumingCalendars = false
  /// Requests that wait for a zone or a calendar.
  var waitingRequests: [(id: RequestID, peer: Peer, request: Request)] = []
  /// Dates are to be shown as the board's clocks show them (L2).
  var showsDates = false
  /// What `.watchZones` said last.
  var watched: (board: Bool, named: [String])?
  /// Occurrences that an earlier life may have handed over (D7).
  var suspects: [OccurrenceID: Slot] = [:]
  /// Intents that were written with their rows, until the books have answered.
  var earlyIntents: [Slot: OccurrenceID] = [:]
  /// What an earlier life was to deliver at once: it handed over before an intent could stand in the
  /// books (D7, D8).
  var suspectSlots: Set<Slot> = []

  /// Apps, and what manifests say of them.
  var apps = AppDirectory()
  /// Where the board is, and what waits for it to go elsewhere (R1).
  var regions = RegionTable()

  /// Apps that run, and what waits for them.
  var sessions = SessionRouter()

  /// What was snoozed, and what `restore` was told of that until the first event.
  var snoozes = SnoozeList()
  var restoredSnoozes: [StoredSnooze] = []
  /// Pushes that the books have not answered for.
  var pushes = PushIntake()
  /// What `restore` was told of, until the first event.
  var restoredPushes: [(occurrence: Occurrence, app: AppNumber)] = []

  /// What was put away last, of which the books' answers may tell all the same.
  var handled = HandledOccurrences()

  /// What goes on in slices, the next one first.
  var slicedWork: [SlicedWork] = []
  /// How often the clock was set.
  var clockSteps: Int64 = 0
  var lastSequence: Int64 = 0

  /// The boot of an earlier life, and how far its elapsed clock is known to have come (T9).
  var lastLife: (boot: Int64, elapsed: Int64)?
  /// What `restore` was told of relative ones, until the first event.
  var restoredRelatives: [(slot: Slot, generation: Int64, relative: RelativeTime)] = []
  /// What `restore` was told of deliveries, until the first event.
  var restored: [(firing: OpenFiring, sinks: [String])] = []

  /// The sinks with what each has to do.
  var sinkQueues: SinkQueues
  private(set) var isStarted = false

  /// `makeUUID` gives random bits, different at every call.
  public init(configuration: SchedulerConfiguration, makeUUID: @escaping () -> UUIDBits) {
    turn = Turn(configuration: configuration)
    self.makeUUID = makeUUID
    clock = ClockKeeper(
      known: configuration.knownTime, trustAfter: configuration.trustAfter,
      isTrusted: configuration.isClockTrusted)
    sinkQueues = SinkQueues(configuration.sinks)
    zones[0].rules = .utc
  }

  /// Takes in what happened and appends what is to be done about it.
  public func handle(
    _ event: SchedulerEvent, now: Now, into commands: inout [SchedulerCommand]
  ) {
    turn.begin(now: now, lending: &commands)
    if !isStarted { start() }
    keepClock()
    fireDue()
    switch event {
    case .clock: continueSlicedWork()
    case .request(let id, let peer, let request): accept(id, peer, request)
    case .abandoned(let id): abandon(id)
    case .book(let ticket, let outcome): take(outcome, for: ticket)
    case .sink(let index, let event):
      // T10: what no session took goes before what has waited for the sink.
      giveUpOffers()
      take(event, from: index)
    case .boardZone(let name, let rules): takeBoardZone(name, rules)
    case .zone(let name, let answer): takeZone(name, answer)
    case .clockState(let synchronised): takeClock(synchronised: synchronised)
    case .app(let profile): takeProfile(profile)
    case .appGone(let id): forgetProfile(id)
    case .launched(let app, let failure): takeLaunched(app, failure: failure)
    case .sessionClosed(let session, let isUnread, let readThrough):
      closeSession(session, readThrough: isUnread ? readThrough : .max)
    }
    runClock()
    turn.end(returning: &commands)
  }

  /// Only hands over what is due; the `.clock` event that does all the rest must follow.
  ///
  /// For the instant when the timer runs out: nothing is prepared, loaded or looked after before
  /// these commands are carried out.
  public func fire(now: Now, into commands: inout [SchedulerCommand]) {
    guard isStarted else { return }
    turn.begin(now: now, lending: &commands)
    keepClock()
    fireDue()
    turn.end(returning: &commands)
  }

  /// All that depends on the time alone. What the event itself made due goes out first.
  private func runClock() {
    fireDue()
    serveWaiting()
    continueWalk()
    watchSessions()
    watchSinks()
    watchPushes()
    watchCalendars()
    prepareNear()
    prepareSnoozes()
    refillNear()
    loadNear()
    loadRegions()
    askWhileHeld()
    tellZonesInUse()
  }

  private func start() {
    isStarted = true
    for app in apps.values { tellBadge(of: app) }
    pending.collectFreeSlots()
    resumeRelatives()
    resumeSnoozes()
    sinkQueues.forgiveGone(&turn)
    dropStaleIntents()
    resumeDeliveries()
    resumePushes()
    settleOwners()
    noteUnknownUses()
    resumeHappenings()
    loadRestoredZones()
    askCalendars()
    askClock()
    // T8: the clock may have been corrected while nobody looked.
    reviewBeyond = Self.shortStep
    tellDemoted()
  }

  // MARK: The event in hand

  var configuration: SchedulerConfiguration { turn.configuration }
  var now: Now { turn.now }
  var sinks: [SchedulerSink] { sinkQueues.all }

  func emit(_ command: SchedulerCommand) {
    if case .reply(let id, let reply) = command, id > PushIntake.firstPluginRequest {
      return answerPlugin(id, reply)
    }
    turn.emit(command)
  }

  /// An operation that is not answered.
  func record(_ operation: BookOperation) {
    turn.record(operation)
  }

  /// An operation whose outcome comes back with what is remembered of it here.
  @discardableResult
  func ask(_ operation: BookOperation, for awaited: Awaited) -> BookTicket {
    storeRequests.ask(operation, for: awaited, &turn)
  }

  /// Answers when all that has been recorded so far stands in the books, or at least was offered to
  /// a disk that takes nothing.
  func replyAfterCommit(_ id: RequestID, _ reply: Reply) {
    ask(.load([]), for: .barrier(id, reply))
  }

  /// Answers when all that has been recorded so far stands in the books; to a disk that takes nothing
  /// the answer is that it does not, though it goes on in memory.
  func replyOnceStored(_ id: RequestID, _ reply: Reply) {
    ask(.commit, for: .stored(id, reply))
  }

  func refuse(_ id: RequestID, _ error: RequestError) {
    emit(.reply(id, .refused(error)))
  }
}
