/// The heart of the clock: what is pending, when it is due, who gets it, and what became of it.
///
/// A state machine without I/O. Events go in with the time, commands come out, to be carried out in
/// order; the store (`StoreOperation`) and the sinks answer by further events. It never asks for the
/// time, never waits, and gives the same commands for the same events. One thread at a time.
///
/// At start-up the caller tells it what the store holds: every `restore` of apps, then of pending
/// rows, then of open occurrences, and then the first event, a `.clock`.
public final class SchedulerEngine {
  let makeUUID: () -> UUIDBits

  /// The event in hand.
  var turn: Turn
  var storeRequests = StoreRequests()
  /// What `restore` was told, until the first event.
  var restoredState: RestoredState? = RestoredState()
  /// What earlier lives may have handed over (D7).
  var handOvers = EarlierHandOvers()

  var pending = PendingSet()
  var lateTurns = LateTurns()
  /// More is due than one event hands over.
  var isFiring = false
  var clock: ClockMonitor
  var sweep = ReplanSweep()
  var zones = ZoneDirectory()
  var calendars = CalendarCache()

  /// Apps, and what manifests say of them.
  var apps = AppDirectory()
  /// Where the board is, and what waits for it to go elsewhere (R1).
  var regions = RegionTable()

  /// Apps that run, and what waits for them.
  var sessions = SessionRouter()

  /// What was snoozed.
  var snoozes = SnoozeList()
  /// What waits for an answer.
  var waiting = WaitingAlerts()
  /// What is paused.
  var pauses = PauseList()
  /// Calendars of days.
  var days = DaysDirectory()
  /// Pushes that the store has not answered for.
  var pushes = PushIntake()

  /// What was put away last, of which the store's answers may tell all the same.
  var handled = HandledOccurrences()

  /// What goes on in slices, and requests that wait.
  var slices = SliceTurns()
  var lastSequence: Int64 = 0

  /// The sinks with what each has to do.
  var sinkQueues: SinkQueues
  /// The first event has come.
  var isStarted: Bool { restoredState == nil }

  /// `makeUUID` gives random bits, different at every call.
  @export(interface)
  public init(configuration: EngineConfiguration, makeUUID: @escaping () -> UUIDBits) {
    turn = Turn(configuration: configuration)
    self.makeUUID = makeUUID
    clock = ClockMonitor(configuration)
    sinkQueues = SinkQueues(configuration.sinks)
  }

  /// Takes in what happened and appends what is to be done about it. When a timer runs out, `tick`
  /// does this in the right order.
  @export(interface)
  public func handle(
    _ event: EngineEvent, now: ClockReading, into commands: inout [EngineCommand]
  ) {
    turn.begin(now: now, lending: &commands)
    if !isStarted { start() }
    keepClock()
    fireDue()
    switch event {
    case .clock: continueSlicedWork()
    case .request(let id, let peer, let request): accept(id, peer, request)
    case .abandoned(let id): abandon(id)
    case .store(let ticket, let outcome): take(outcome, for: ticket)
    case .sink(let index, let event):
      // T10: what no session took goes before what has waited for the sink.
      giveUpOffers()
      take(event, from: index)
    case .boardZone(let name, let rules): takeBoardZone(name, rules)
    case .zone(let name, let answer): takeZone(name, answer)
    case .clockState(let synchronised): takeClock(synchronised: synchronised)
    case .app(let profile): takeProfile(profile)
    case .appGone(let id): forgetProfile(id)
    case .launched(let app, let failure): if let failure { takeLaunched(app, failure: failure) }
    case .nothingToLaunch(let app): takeLaunched(app, failure: nil)
    case .configuration(let configuration): adopt(configuration)
    case .days(let files): take(files)
    case .sessionClosed(let session, let isUnread, let readThrough):
      closeSession(session, readThrough: isUnread ? readThrough : .max)
    }
    runClock()
    turn.end(returning: &commands)
  }

  /// The timer has run out, or the real clock was set. What is due is handed over first: nothing is
  /// prepared, loaded or looked after before `carryOut` has these commands. All else comes after.
  ///
  /// `now` is read for each of the two. `carryOut` gets the commands of the first, and takes them out
  /// of the list or leaves them there for the caller, before those of the second.
  @export(interface)
  public func tick(
    now: () -> ClockReading, into commands: inout [EngineCommand],
    carryOut: (inout [EngineCommand]) -> Void
  ) {
    if isStarted {
      turn.begin(now: now(), lending: &commands)
      keepClock()
      fireDue()
      turn.end(returning: &commands)
      if !commands.isEmpty { carryOut(&commands) }
    }
    handle(.clock, now: now(), into: &commands)
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
    prepareSteps()
    pending.refillNear(&turn) { [apps] in apps[$0]?.owner ?? 0 }
    loadNear()
    loadRegions()
    clock.ask(whileHeld: heldCount, &turn)
    tellZonesInUse()
  }

  private func start() {
    guard let restored = restoredState.take() else { return }
    for app in apps.values { tellBadge(of: app) }
    pending.collectFreeSlots()
    resumeRelatives(restored)
    resumeSnoozes(restored)
    sinkQueues.forgiveGone(&turn)
    resumeWaiting(restored)
    resumeIntents(restored)
    resumeDeliveries(restored)
    resumePushes(restored.pushes)
    if !restored.hasAtOnce { handOvers.forget() }
    settleOwners()
    noteUnknownUses()
    resumeQueuedEvents()
    zones.loadUsed(&turn) { pending.users(of: $0) }
    askCalendars()
    clock.ask(&turn)
    sweep.begin()
    pauses.prune(&turn)
    tellDemoted()
  }

  // MARK: The event in hand

  var configuration: EngineConfiguration { _read { yield turn.configuration } }
  var now: ClockReading { turn.now }
  /// In use.
  var sinks: [SchedulerSink] { sinkQueues.all }

  func emit(_ command: EngineCommand) {
    if case .reply(let id, let reply) = command, id > PushIntake.firstPluginRequest {
      return answerPlugin(id, reply)
    }
    turn.emit(command)
  }

  /// Has the store write what has happened; it does not answer.
  func record(_ record: StoreRecord) {
    turn.record(record)
  }

  /// A question whose outcome comes back with what is remembered of it here.
  @discardableResult
  func ask(_ question: StoreQuestion, for awaited: Awaited) -> StoreTicket {
    storeRequests.ask(question, for: awaited, &turn)
  }

  /// A change, whose outcome comes back in the same way.
  @discardableResult
  func ask(_ change: StoreChange, for awaited: Awaited) -> StoreTicket {
    storeRequests.ask(change, for: awaited, &turn)
  }

  /// Answers when all that has been recorded so far of the app's user, nil: of everybody, is in the
  /// store, or at least was offered to a disk that takes nothing.
  func replyAfterCommit(_ id: RequestID, _ reply: Reply, of app: AppNumber?) {
    ask(.barrier(app: app), for: .barrier(id, reply))
  }

  /// The same; to a disk that takes nothing the answer is that it does not, though it goes on in
  /// memory.
  func replyOnceStored(_ id: RequestID, _ reply: Reply, of app: AppNumber?) {
    ask(.commit(app: app), for: .stored(id, reply))
  }

  func refuse(_ id: RequestID, _ error: RequestError) {
    emit(.reply(id, .refused(error)))
  }
}
