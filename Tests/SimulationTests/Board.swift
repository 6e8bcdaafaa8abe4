import SchedulerFixtures

@testable import BelfryCore

/// A board with a scheduler, store, sinks and clocks of which each can go wrong.
final class Board {
  let store: any SimulatedStore
  let ledger: Ledger
  var now: ClockReading
  /// What time it really is.
  var truth: Instant
  var scheduler: SchedulerEngine
  var configuration: EngineConfiguration
  /// Of `LifeShape.zones`.
  var zone = 0
  /// Those whose files have other rules now.
  var otherZones: Set<Int> = []
  /// That the scheduler wants to hear of.
  var watchedZones: [String] = []
  var sinks: [SimulatedSink]
  var disk = DiskState.healthy
  var drift: Int64 = 0
  var isSynchronised: Bool
  let isAlwaysTrusted: Bool
  /// Operations that the disk has not got.
  var queue: [(ticket: StoreTicket, operation: StoreOperation)] = []
  /// The process dies after so many further commands, and so much of the queue is written then.
  var death: (commands: Int, written: Int)?
  var isDead = false
  var coming: [Coming] = []
  /// Requests without an answer, in order.
  var asked: [(id: RequestID, request: Request, at: ClockReading)] = []
  var lastRequest: RequestID = 0
  /// What requests under way were read as.
  /// Edits on their way to the store.
  var edits: [RequestID: EditedRow] = [:]
  var drafts: [RequestID: (relative: RelativeTime?, oracle: DueOracle, side: RegionSide?)] = [:]
  var sessions: [SimulatedSession] = []
  var manners: [SessionID: SessionManner] = [:]
  var lastSession: SessionID = 0
  var launches = 0
  /// How many must fire by a request.
  var crossings: [RequestID: Int64] = [:]
  /// Deeds of which the scheduler has spoken.
  var toldResponses: Set<RequestID> = []
  let hasApps: Bool
  let isShared: Bool
  let isEveryday: Bool
  /// The last time that the store knows, and the end of the last life as it knows it.
  var knownTime: Instant
  var lastLife: (boot: Int64, elapsed: Int64)?
  /// What was handed over in this boot; nil: nobody knows.
  var handedOver: Set<String>?
  /// Lines of what happens, if somebody wants them.
  var trace: [String]?
  var wakes = 0
  /// Those who have asked for what is not theirs, and must be refused (A1).
  var strangers: [RequestID: Peer] = [:]
  /// When apps were used last by those whose they are.
  var lastUses: [String: Instant] = [:]
  /// One of them asks now, and nobody else has.
  var isMeddling = false
  private var lastUUID: UInt64 = 0
  private var isSplit = false
  private var handedOverNow: [(uuid: UUIDBits, sink: SinkIndex, id: OccurrenceID)] = []

  struct Coming {
    var at: Int64
    /// nil: not a sink's.
    var sink: Int?
    var process: Int
    var event: EngineEvent
    /// Of which a sink speaks.
    var delivery: Delivery?
    /// An app completes what it was told.
    var completion: (session: SessionID, event: Int64)?
    /// An app that was started.
    var launched: String?
  }

  init(_ shape: LifeShape, store: any SimulatedStore) {
    self.store = store
    truth = LifeShape.start
    now = ClockReading(real: truth, elapsed: 30 * Nanoseconds.second)
    configuration = shape.configuration
    hasApps = shape.hasApps
    isShared = shape.isShared
    isEveryday = shape.isEveryday
    if hasApps || isShared { configuration.owner = Board.client.uid }
    isAlwaysTrusted = shape.isAlwaysTrusted
    isSynchronised = shape.startsSynchronised
    knownTime = truth.advanced(by: -Nanoseconds.day)
    ledger = Ledger(limit: configuration.notifications ?? 64, configuration: configuration)
    sinks = configuration.sinks.map { SimulatedSink(kind: $0.kind) }
    scheduler = SchedulerEngine(configuration: configuration) { UUIDBits(high: 0, low: 0) }
    for (place, known) in LifeShape.zones.enumerated() {
      ledger.zones[known.name] = rules(of: place)
    }
    let names = Dictionary(
      uniqueKeysWithValues: configuration.sinks.enumerated().map {
        ($0.element.name, SinkIndex($0.offset))
      })
    store.written = { [unowned self] operation in
      ledger.written(operation, sinks: names)
      noteKnown(operation)
    }
    configuration.isClockTrusted = isAlwaysTrusted
    ledger.isCancelling = { [unowned self] in isCancelling($0) }
    ledger.isAnswering = { [unowned self] in isAnswering($0) }
    if isShared { share(shape) }
    start()
    if isShared { settleUsers() }
  }

  func rules(of place: Int) -> ZoneRules {
    let known = LifeShape.zones[place]
    return otherZones.contains(place) ? known.other : known.rules
  }

  func oracle(_ row: StoredNotification) -> DueOracle {
    // N2: a past one is due at once, which no zone changes.
    guard let date = row.notification.fireDate, row.relative?.purpose != .atOnce else {
      return DueOracle(
        RepeatPlan(row.notification.pattern), anchor: row.anchor, zone: nil)
    }
    let oracle = ledger.oracle(row.notification, from: date)
    if oracle.anchor != row.anchor {
      // Its zone was read before the file was replaced, just now: T2 has it read once.
      if let earlier = ledger.oracle(row.notification, from: date, readBefore: now),
        earlier.anchor == row.anchor
      {
        return earlier
      }
      ledger.fail("T2 anchor", "\(RFC3339.text(row.anchor)), not \(RFC3339.text(oracle.anchor))")
    }
    return oracle
  }

  private func noteKnown(_ operation: StoreOperation) {
    switch operation {
    case .record(.noteClock(let boot, let noted)):
      knownTime = noted.real
      lastLife = (boot, noted.elapsed)
    case .record(.settle(let row, _, _, _, _)):
      // The newest row decides: a clock that ran ahead was corrected since.
      if row.clock != .untrusted { knownTime = row.acknowledged ?? row.handedOver ?? row.due }
    default: break
    }
  }

  func note(_ line: @autoclosure () -> String) {
    if trace != nil { trace!.append("    " + line()) }
  }

  // MARK: Life and death

  /// A process starts from what the store holds.
  func start() {
    queue = []
    coming = []
    asked = []
    drafts = [:]
    edits = [:]
    sessions = []
    toldResponses = []
    strangers = [:]
    watchedZones = []
    death = nil
    isDead = false
    scheduler = SchedulerEngine(configuration: configuration) { [unowned self] in
      lastUUID += 1
      return UUIDBits(high: 0, low: lastUUID)
    }
    let state = store.read()
    scheduler.reserve(state.rows.count)
    scheduler.restore(lastTime: knownTime, boot: lastLife?.boot, elapsed: lastLife?.elapsed ?? 0)
    scheduler.restore(boardZone: LifeShape.zones[zone].name, rules(of: zone))
    for app in state.apps { scheduler.restore(app) }
    for row in state.summaries where !scheduler.restore(row) {
      ledger.fail("restore", "row \(row.slot) is refused")
    }
    knowHandOvers()
    for open in state.open { scheduler.restore(open) }
    for queuedEvent in state.queuedEvents { scheduler.restore(queuedEvent) }
    for snooze in state.snoozes { scheduler.restore(snooze) }
    for alert in state.waiting { scheduler.restore(alert) }
    for pause in state.pauses { scheduler.restore(pause) }
    for skips in state.skips { scheduler.restore(skips) }
    for days in state.days { scheduler.restore(days) }
    ledger.calendars.restore(state.days)
    for owed in state.owed { scheduler.restore(owed: owed.occurrence, by: owed.sink) }
    if let fix = state.lastFix { scheduler.restore(fix) }
    ledger.now = now
    ledger.boot = configuration.boot
    ledger.clock = ClockModel(
      known: knownTime, trustAfter: configuration.trustAfter,
      isTrusted: configuration.isClockTrusted)
    ledger.disturb()
    for index in sinks.indices {
      sinks[index].isUp = false
      sinks[index].process += 1
      sinks[index].supervisor = SimulatedSupervisor()
      sinks[index].busyUntil = 0
    }
    if isShared { ledger.resumeQueues(state.open, sinks: configuration.sinks.map { $0.name }) }
    if !ledger.calendars.isEmpty { readDays() }
    handle(.clock)
    ledger.review()
    for index in sinks.indices where !sinks[index].isBroken {
      startSink(index, after: 50 * Nanoseconds.millisecond)
    }
  }

  /// The process is gone; what it had told nobody is lost. `meanwhile` happens before the next.
  func die(written: Int, meanwhile: () -> Void = {}) {
    for (ticket, operation) in queue.prefix(written) { _ = store.perform(ticket, operation) }
    store.crash()
    note("died, \(min(written, queue.count)) of \(queue.count) operations written")
    let touched = Touched(asked.filter { strangers[$0.id] == nil }.map { $0.request })
    let responses = asked
    ledger.now = now
    ledger.restarted(
      store.read(), touched: { touched.contains($0) }, discards: touched.discards
    ) { name in
      responses.contains {
        switch $0.request {
        case .user(let app, .response(_, let identifier)): ledger.name(app, identifier) == name
        case .cancel(let app, let named): named.contains { ledger.name(app, $0) == name }
        default: false
        }
      }
    }
    readEveryday(responses.map { $0.request }, touched)
    meanwhile()
    ledger.starts()
    start()
  }

  // MARK: Events

  /// `isSurprise`: the clocks are not what they have become by running.
  func handle(_ event: EngineEvent, isSurprise: Bool = false) {
    ledger.now = now
    if !isSurprise { ledger.clockRan() }
    let wasTrusted = ledger.clock.isTrusted
    if case .clockState(let synchronised) = event { ledger.clock.isSynchronised = synchronised }
    ledger.clock.look(now)
    if ledger.clock.isTrusted != wasTrusted {
      ledger.disturb()
      ledger.review()
    }
    var commands: [EngineCommand] = []
    // As the daemon does it when its timer runs out, and every other time as it may.
    isSplit.toggle()
    if isSplit, case .clock = event {
      scheduler.tick(now: { now }, into: &commands) { _ in }
    } else {
      scheduler.handle(event, now: now, into: &commands)
    }
    handedOverNow = []
    for command in commands {
      carryOut(command)
      if let left = death {
        death!.commands = left.commands - 1
        if left.commands <= 0 {
          isDead = true
          return
        }
      }
    }
    noteQueued()
    ledger.checkOffers()
    ledger.checkForgotten { mayReplace($0) }
    if isShared {
      ledger.checkQueues(isStopped: { [scheduler] in scheduler.sinks[$0].isInterrupted })
    }
  }

  /// What repeats by the second may have fired though nobody heard of it: it waits for its sink.
  private func noteQueued() {
    for sink in scheduler.sinks {
      for delivery in sink.queue.all
      where delivery.attempt == 0 && delivery.occurrence.notification.repeatInterval == .second {
        ledger.meet(delivery.occurrence)
        ledger.fired(Firing(delivery.occurrence))
      }
    }
  }

  /// Lets disk and sinks answer until nothing is left to say now.
  func run() {
    while true {
      if isDead {
        die(written: death?.written ?? 0)
      } else if disk != .blocked, !queue.isEmpty {
        writeOne()
      } else if let next = coming.first, next.at <= now.elapsed {
        coming.removeFirst()
        come(next)
      } else if scheduler.hasSlicedWork {
        handle(.clock)
      } else {
        return
      }
    }
  }

  func writeOne() {
    let (ticket, operation) = queue.removeFirst()
    if let outcome = store.perform(ticket, operation) { handle(.store(ticket, outcome)) }
  }

  private func come(_ next: Coming) {
    if let app = next.launched { return come(app) }
    if let (session, event) = next.completion { return complete(session, event) }
    guard let sink = next.sink else { return handle(next.event) }
    guard sinks[sink].process == next.process else { return }
    if isShared, !hear(next, from: sink) { return }
    switch next.event {
    case .sink(_, .up): sinks[sink].isUp = true
    case .sink(_, .down): sinks[sink].isUp = false
    default: break
    }
    if case .sink(_, .answered(_, .done)) = next.event, let delivery = next.delivery {
      ledger.acknowledged(delivery)
      show(delivery, at: sink)
    }
    handle(next.event)
  }

  private func show(_ delivery: Delivery, at sink: Int) {
    guard sinks[sink].kind == .plugin, delivery.parts.contains(.alert) else { return }
    let name = PromiseName(
      app: delivery.occurrence.app,
      identifier: delivery.occurrence.notification.identifier ?? "")
    sinks[sink].showing[delivery.occurrence.id] = name
  }

  func expect(completion: (session: SessionID, event: Int64), after: Int64) {
    let at = now.elapsed + after
    let place = coming.firstIndex { $0.at > at } ?? coming.count
    coming.insert(
      Coming(at: at, process: 0, event: .clock, completion: completion), at: place)
  }

  func expect(
    _ event: EngineEvent, sink: Int? = nil, after: Int64 = 0, of delivery: Delivery? = nil
  ) {
    let next = Coming(
      at: now.elapsed + after, sink: sink, process: sink.map { sinks[$0].process } ?? 0,
      event: event, delivery: delivery)
    let place = coming.firstIndex { $0.at > next.at } ?? coming.count
    coming.insert(next, at: place)
  }

  // MARK: Commands

  private func carryOut(_ command: EngineCommand) {
    switch command {
    case .reply(let id, let reply): take(reply, to: id)
    case .store(let ticket, let operation):
      if case .record(.fired(let occurrence, _, let slot, _)) = operation {
        ledger.meet(occurrence)
        if slot != nil { ledger.fired(Firing(occurrence)) }
      }
      switch operation {
      case .record(.keepWaitingAlert(let alert)): ledger.waits(alert)
      case .record(.forgetWaitingAlert(let id, _)): ledger.stopsWaiting(id)
      default: break
      }
      noteEveryday(operation, ticket)
      noteInQueues(operation)
      checkMeddling(operation)
      if case .schedule(let id, let row, _, _) = scheduler.storeRequests.awaited[ticket] {
        drafts[id] = (row.relative, oracle(row), row.side)
        ledger.checkSide(row)
        ledger.checkRelative(row.notification, row.relative)
      }
      queue.append((ticket, operation))
    case .prepare(let sink, _):
      let sink = Int(sink)
      if isShared {
        prepareShared(sink)
      } else if !sinks[sink].isUp, !sinks[sink].isBroken,
        !coming.contains(where: { $0.sink == sink && $0.process == sinks[sink].process })
      {
        startSink(sink, after: 100 * Nanoseconds.millisecond)
      }
    case .handOver(let delivery): take(delivery)
    case .handOverBadge(let sink, let token, _, _):
      if sinks[Int(sink)].manner != .hung {
        expect(.sink(sink, .answered(token: token, .done(note: nil))), sink: Int(sink))
      }
    case .withdraw(let sink, _, let id):
      sinks[Int(sink)].showing[id] = nil
      if sinks[Int(sink)].isUp { expect(.sink(sink, .withdrawalConfirmed), sink: Int(sink)) }
    case .interrupt(let sink, _): endSink(Int(sink))
    case .event(let event): take(event)
    case .askClock: expect(.clockState(synchronised: isSynchronised))
    case .trusted: configuration.isClockTrusted = true
    case .log(let level, let text):
      note("says: \(text)")
      if level == .error { ledger.fail("error", text) }
    case .loadZone(let name):
      if let rules = ledger.zones[name] { expect(.zone(name, .rules(rules))) }
    case .loadBoardZone: expect(.boardZone(LifeShape.zones[zone].name, rules(of: zone)))
    case .watchZones(let isBoard, let named): watch(isBoard, named)
    case .launch(let app, let attempt): launch(app, attempt: attempt)
    case .session(let session, let event): tell(session, event)
    case .endSession(_, let reason): ledger.fail("A1 session", reason)
    case .reload: break
    case .stopSounds, .unprepare, .askCalendar, .pushAnswered: break
    }
  }

  /// What comes to be watched is read once more (T7): until then nobody saw it change.
  private func watch(_ isBoard: Bool, _ named: [String]) {
    for name in named where !watchedZones.contains(name) {
      if let rules = ledger.zones[name] { expect(.zone(name, .rules(rules))) }
    }
    watchedZones = named
    if isBoard { expect(.boardZone(LifeShape.zones[zone].name, rules(of: zone))) }
  }

  private func take(_ event: WatchEvent) {
    note("event \(event.kind) \(event.identifier) \(event.occurrence?.text ?? "")")
    ledger.noteAnswer(event)
    ledger.carriedOut(event)
    noteSnooze(event)
    if isShared { leaveQueue(event) }
    if event.sink == Sink.app {
      if let id = event.occurrence { ledger.endedInApp(event, id) }
      return
    }
    guard event.sink == nil else {
      // The store hears of few of those that repeat by the second.
      if let firing = Firing(event) { ledger.fired(firing) }
      return
    }
    if let id = event.occurrence, id.snooze > 0 {
      if [.missed, .expired, .withdrawn].contains(event.kind) || ledger.isPutAway(event, id) {
        ledger.snoozeEnds(event, id)
      }
      return
    }
    switch event.kind {
    case .missed, .expired: if let id = event.occurrence { ledger.dropped(event, id) }
    case .skipped: if let id = event.occurrence { ledger.passedOver(event, id) }
    case .discarded:
      // N17: one with a region does not count, so it is never one of these that goes.
      let name = PromiseName(app: event.app, identifier: event.identifier)
      if ledger.pending[name]?.notification.region == nil { ledger.end(name) }
    default: break
    }
  }

  private func take(_ delivery: Delivery) {
    let index = Int(delivery.sink)
    let occurrence = delivery.occurrence
    note(
      "fires \(occurrence.notification.identifier ?? "") \(occurrence.id.text) due "
        + "\(RFC3339.text(occurrence.due)) at sink \(index), attempt \(delivery.attempt)")
    ledger.handedOver(delivery)
    noteHandOver(occurrence.id, configuration.sinks[index].name)
    for other in handedOverNow
    where other.uuid == occurrence.id.uuid && other.sink == delivery.sink
      && other.id != occurrence.id
      // What was snoozed has an hour of its own (D11).
      && other.id.snooze == 0 && occurrence.id.snooze == 0
    {
      ledger.fail("T10 burst", "\(other.id.text) and \(occurrence.id.text) go out at once")
    }
    handedOverNow.append((occurrence.id.uuid, delivery.sink, occurrence.id))
    // What is sent to a process that has just ended is never answered.
    guard sinks[index].isUp else { return }
    let answers = sinks[index].answers(to: delivery, at: now.elapsed)
    for said in answers {
      expect(
        .sink(delivery.sink, .answered(token: delivery.token, said.answer)), sink: index,
        after: said.after, of: delivery)
    }
    if sinks[index].manner == .confused {
      for token in [delivery.token &- 1, delivery.token &+ 1] {
        expect(.sink(delivery.sink, .answered(token: token, .done(note: nil))), sink: index)
      }
    }
    if sinks[index].crashesNow { endSink(index) }
  }
}

/// What requests that a dead process has not answered may have done to the store.
struct Touched {
  private var names: Set<PromiseName> = []
  private var apps: Set<String> = []
  /// How many additions there may have been to an app's list.
  private(set) var discards: [String: Int] = [:]

  init(_ requests: [Request]) {
    for request in requests {
      switch request {
      case .schedule(let app, let notification, _):
        names.insert(PromiseName(app: app, identifier: notification.identifier ?? ""))
        discards[app, default: 0] += 1
      case .cancel(let app, let identifiers):
        for name in identifiers { names.insert(PromiseName(app: app, identifier: name)) }
      case .cancelAll(let app), .replaceAll(let app, _, _): apps.insert(app)
      case .everyday(.some(let app), .edit(let identifier, _)):
        names.insert(PromiseName(app: app, identifier: identifier))
      default: break
      }
    }
  }

  func contains(_ name: PromiseName) -> Bool { names.contains(name) || apps.contains(name.app) }
}
