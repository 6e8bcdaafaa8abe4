import SchedulerFixtures
import Testing

@testable import BelfryCore

/// A scheduler with fake store, fake sinks and a clock that only the test moves.
final class World {
  var now = ClockReading(real: World.start, elapsed: 1000 * Nanoseconds.second)
  let store = FakeStore()
  var configuration: EngineConfiguration
  private(set) var scheduler: SchedulerEngine

  var replies: [RequestID: Reply] = [:]
  var events: [WatchEvent] = []
  var deliveries: [Delivery] = []
  var badges: [(sink: SinkIndex, app: String, value: Int64)] = []
  var withdrawals: [(sink: SinkIndex, occurrence: OccurrenceID)] = []
  /// Sinks that are up confirm what they are told to take back.
  var takesBack = true
  private var notTakenBack: [SinkIndex] = []
  var prepared: [(sink: SinkIndex, occurrence: OccurrenceID, at: Instant)] = []
  var unprepared: [OccurrenceID] = []
  var interrupted: [SinkIndex] = []
  var stopped: [String?] = []
  /// What a plugin that knows calendars answers at once; nil: nothing.
  var calendar: (CalendarQuestion) -> CalendarAnswer? = { _ in nil }
  /// What plugins that know calendars were asked.
  var questions: [(sink: SinkIndex, token: UInt64, question: CalendarQuestion)] = []
  /// What plugins heard of pushes that they brought.
  var pushAnswers: [(sink: SinkIndex, token: UInt64, answer: PushAnswer)] = []
  var problems: [String] = []
  /// What the scheduler logs, warnings and below.
  var said: [String] = []
  /// The board's zone at a start, and the zones that can be loaded.
  var boardZone: (name: String, rules: ZoneRules) = ("UTC", .utc) {
    didSet { boardFile = boardZone }
  }
  /// What its file says, which the scheduler has not heard of yet.
  var boardFile: (name: String, rules: ZoneRules) = ("UTC", .utc)
  private(set) var boardReadings = 0
  var zoneFiles: [String: ZoneRules] = [:]
  /// Zones that were asked for and have no file: nobody has answered yet.
  var zonesAsked: [String] = []
  /// Manifests at a start.
  var profiles: [AppProfile] = []
  /// Apps that were to be started.
  var launches: [(app: String, attempt: Int32)] = []
  /// What apps were told in their sessions.
  var told: [(session: SessionID, event: SessionEvent)] = []
  var endedSessions: [SessionID] = []
  var watchedZones: (board: Bool, named: [String]) = (false, [])
  /// What the kernel says of its clock; and how often it was asked.
  var isSynchronised = false
  var asked = 0
  /// Fired before they were due.
  var early: [OccurrenceID] = []
  /// Hand-overs of what had ended in the store.
  var doubled: [OccurrenceID] = []

  /// Operations that the store has not carried out.
  var queue: [(ticket: StoreTicket, operation: StoreOperation)] = []
  /// Sliced work goes on by itself.
  var goesOn = true
  /// The disk does not answer.
  var isBlocked = false
  /// It answers what is read, and takes no records: they wait in memory.
  var holdsRecords = false
  /// The store's answers come a millisecond later, as those of a disk do.
  var answersTakeTime = false
  /// What a sink answers at once; nil: nothing.
  var answer: (Delivery) -> DeliveryAnswer? = { _ in .done(note: nil) }

  /// What was handed over in this boot; nil: nobody knows.
  private var handedOver: Set<String>?
  private var comingAnswers: [EngineEvent] = []
  private(set) var lastRequest: RequestID = 0
  private var lastUUID: UInt64 = 0
  private var isSplit = false

  /// 2026-03-01T12:00:00Z
  static let start = Instant(nanoseconds: 1_772_366_400 * Nanoseconds.second)
  static let alice = Peer(uid: 1000, pid: 1, isOperator: false)
  static let bob = Peer(uid: 1001, pid: 2, isOperator: false)
  static let root = Peer(uid: 0, pid: 3, isOperator: true)

  /// Sinks 0 and 1 show alerts, the second everything and badges too; 2 is the speaker.
  static let sinks = [
    Sink(
      name: "one", kind: .plugin, wantsAlerts: true, wantsBadges: false, wantsEverything: false),
    Sink(
      name: "two", kind: .plugin, wantsAlerts: true, wantsBadges: true, wantsEverything: true),
    Sink(
      name: "speaker", kind: .speaker, wantsAlerts: false, wantsBadges: false,
      wantsEverything: false),
  ]

  init(_ change: (inout EngineConfiguration) -> Void = { _ in }) {
    var configuration = EngineConfiguration()
    configuration.sinks = [Self.sinks[0]]
    configuration.isClockTrusted = true
    // As for apps of BelfryUIKit, since more can happen then.
    configuration.onFull = .discard
    change(&configuration)
    self.configuration = configuration
    scheduler = SchedulerEngine(configuration: configuration) { UUIDBits(high: 0, low: 0) }
    restart()
  }

  // MARK: Life

  /// A new scheduler from what the store holds; what was under way is lost. Sinks come up.
  func restart(sinksUp: Bool = true) {
    scheduler = SchedulerEngine(configuration: configuration) { [unowned self] in
      lastUUID += 1
      return UUIDBits(high: 0, low: lastUUID)
    }
    queue = []
    comingAnswers = []
    notTakenBack = []
    for profile in profiles { scheduler.restore(profile) }
    scheduler.restore(boardZone: boardZone.name, boardZone.rules)
    scheduler.reserve(store.rows.count)
    if let last = store.lastClock {
      scheduler.restore(lastTime: last.now.real, boot: last.boot, elapsed: last.now.elapsed)
    }
    if let fix = store.lastFix { scheduler.restore(fix) }
    for app in store.apps.values.sorted(by: { $0.number < $1.number }) { scheduler.restore(app) }
    for row in store.rows.values.sorted(by: { $0.slot < $1.slot }) {
      #expect(scheduler.restore(store.summary(row)))
    }
    if let handedOver { scheduler.restore { handedOver.contains($0.deliveryID(sink: $1)) } }
    handedOver = handedOver ?? []
    for open in store.open.values.sorted(by: {
      $0.occurrence.id.text < $1.occurrence.id.text
    }) {
      scheduler.restore(open)
    }
    for owed in store.owed { scheduler.restore(owed: owed.occurrence, by: owed.sink) }
    for snooze in store.snoozed.values.sorted(by: { $0.relative.due < $1.relative.due }) {
      scheduler.restore(snooze)
    }
    for alert in store.waiting.values.sorted(by: { $0.began < $1.began }) {
      scheduler.restore(alert)
    }
    store.restorePauses(into: scheduler)
    for queuedEvent in store.queuedEvents.values.sorted(by: { $0.number < $1.number }) {
      scheduler.restore(queuedEvent)
    }
    send(.clock)
    for index in configuration.sinks.indices where sinksUp { send(.sink(SinkIndex(index), .up)) }
  }

  func send(_ event: EngineEvent) {
    handle(event)
    if takesBack, case .sink(let index, .up) = event {
      comingAnswers += notTakenBack.filter { $0 == index }.map { .sink($0, .withdrawalConfirmed) }
      notTakenBack.removeAll { $0 == index }
    }
    run()
  }

  /// Lets store and sinks answer until nothing is left to say.
  func run() {
    while true {
      if !isBlocked, !queue.isEmpty {
        commitOne()
      } else if !comingAnswers.isEmpty {
        handle(comingAnswers.removeFirst())
      } else if goesOn, scheduler.hasSlicedWork {
        handle(.clock)
      } else {
        return
      }
    }
  }

  func commitOne() {
    let (ticket, operation) = queue.removeFirst()
    if ticket == 0, holdsRecords { return }
    if answersTakeTime { move(Nanoseconds.millisecond) }
    if let outcome = store.perform(operation) { handle(.store(ticket, outcome)) }
  }

  func handle(_ event: EngineEvent) {
    if case .boardZone(let name, let rules) = event { boardZone = (name, rules) }
    var commands: [EngineCommand] = []
    // Like the daemon's, every other time, so that both ways are held to the same.
    isSplit.toggle()
    if isSplit, case .clock = event {
      scheduler.tick(now: { now }, into: &commands) { _ in }
    } else {
      scheduler.handle(event, now: now, into: &commands)
    }
    for command in commands {
      if case .handOver(let delivery) = command { examine(delivery) }
      if case .store(_, .record(.fired(let fired, _, _, _))) = command, fired.due > now.real {
        early.append(fired.id)
      }
      carryOut(command)
    }
  }

  private func examine(_ delivery: Delivery) {
    let key = FakeStore.DeliveryKey(
      occurrence: delivery.occurrence.id,
      sink: scheduler.sinkQueues[delivery.sink].sink.name)
    if store.history[key] != nil { doubled.append(key.occurrence) }
  }

  private func carryOut(_ command: EngineCommand) {
    switch command {
    case .reply(let id, let reply): replies[id] = reply
    case .store(let ticket, let operation): queue.append((ticket, operation))
    case .prepare(let sink, let occurrence):
      prepared.append((sink, occurrence.id, now.real))
    case .handOver(let delivery):
      deliveries.append(delivery)
      let sink = scheduler.sinkQueues[delivery.sink].sink.name
      handedOver?.insert(delivery.occurrence.id.deliveryID(sink: sink))
      if let answer = answer(delivery) {
        comingAnswers.append(.sink(delivery.sink, .answered(token: delivery.token, answer)))
      }
    case .handOverBadge(let sink, let token, let app, let value):
      badges.append((sink, app, value))
      comingAnswers.append(.sink(sink, .answered(token: token, .done(note: nil))))
    case .withdraw(let sink, _, let occurrence):
      withdrawals.append((sink, occurrence))
      if takesBack, scheduler.sinkQueues[sink].isUp {
        comingAnswers.append(.sink(sink, .withdrawalConfirmed))
      } else {
        notTakenBack.append(sink)
      }
    case .stopSounds(let app): stopped.append(app)
    case .unprepare(let occurrence): unprepared.append(occurrence)
    case .interrupt(let sink, _): interrupted.append(sink)
    case .event(let event): events.append(event)
    case .log(let level, let text):
      if level == .error { problems.append(text) } else { said.append(text) }
    case .askCalendar(let sink, let token, let question):
      questions.append((sink, token, question))
      if let answer = calendar(question) {
        comingAnswers.append(.sink(sink, .calendar(token: token, answer)))
      }
    case .pushAnswered(let sink, let token, let answer):
      pushAnswers.append((sink, token, answer))
    case .askClock:
      asked += 1
      comingAnswers.append(.clockState(synchronised: isSynchronised))
    case .trusted: configuration.isClockTrusted = true
    case .loadZone(let name):
      if let rules = zoneFiles[name] {
        comingAnswers.append(.zone(name, .rules(rules)))
      } else {
        zonesAsked.append(name)
      }
    case .loadBoardZone:
      boardReadings += 1
      comingAnswers.append(.boardZone(boardFile.name, boardFile.rules))
    case .watchZones(let board, let named): watchedZones = (board, named)
    case .launch(let app, let attempt): launches.append((app, attempt))
    case .session(let session, let event):
      told.append((session, event))
      if event.kind == .received {
        handedOver?.insert(event.occurrence.id.deliveryID(sink: Sink.app))
      }
    case .endSession(let session, _): endedSessions.append(session)
    case .reload: break
    }
  }

  /// As if this came of an event.
  func during(_ queuedEvent: (SchedulerEngine) -> Void) {
    queuedEvent(scheduler)
    var commands: [EngineCommand] = []
    scheduler.turn.end(returning: &commands)
    for command in commands { carryOut(command) }
    run()
  }

  /// Passes time as a daemon does: by the wakes that the scheduler asks for.
  func advance(seconds: Double) {
    let end = now.elapsed + Int64(seconds * 1e9)
    while true {
      let wake = scheduler.nextWake
      var next = wake.elapsed ?? .max
      if let real = wake.real {
        let ahead = real.nanoseconds(since: now.real)
        next = min(next, ahead > end - now.elapsed ? .max : now.elapsed + ahead)
      }
      let step = max(0, min(next, end) - now.elapsed)
      move(step)
      handle(.clock)
      run()
      if now.elapsed >= end && (next > end || step == 0) { return }
    }
  }

  private func move(_ duration: Int64) {
    now.real = now.real.advanced(by: duration)
    now.elapsed += duration
  }

  /// The board was off or asleep: time passes and the scheduler is not asked.
  func sleep(seconds: Double) {
    move(Int64(seconds * 1e9))
  }

  /// Somebody sets the clock.
  func stepClock(seconds: Double) {
    now.real = now.real.advanced(by: Int64(seconds * 1e9))
    send(.clock)
  }

  /// The board starts anew: the elapsed clock from nothing, the real one as `real` says.
  func reboot(real: Instant, elapsed: Double = 1, orderly: Bool = false) {
    if orderly { store.lastClock = (configuration.boot, now) }
    configuration.boot += 1
    handedOver = nil
    now = ClockReading(real: real, elapsed: Int64(elapsed * 1e9))
    restart()
  }

  // MARK: Requests

  @discardableResult
  func request(_ request: Request, by peer: Peer = World.alice) -> Reply? {
    lastRequest += 1
    send(.request(lastRequest, peer, request))
    return replies[lastRequest]
  }

  /// Schedules an alert so many seconds from now.
  @discardableResult
  func schedule(
    _ identifier: String, in seconds: Double? = nil, repeats unit: RepeatUnit? = nil,
    app: String = "app", _ change: (inout Notification) -> Void = { _ in }
  ) -> ScheduleReply? {
    let reply = request(
      .schedule(app: app, alert(identifier, in: seconds, repeats: unit, change)))
    guard case .scheduled(let scheduled) = reply else { return nil }
    return scheduled
  }

  func alert(
    _ identifier: String, in seconds: Double? = nil, repeats unit: RepeatUnit? = nil,
    _ change: (inout Notification) -> Void = { _ in }
  ) -> Notification {
    var notification = Notification()
    notification.identifier = identifier
    notification.alertBody = identifier
    notification.fireDate = seconds.map { now.real.advanced(by: Int64($0 * 1e9)) }
    notification.repeatInterval = unit
    change(&notification)
    return notification
  }

  // MARK: What was seen

  /// Identifiers in the order of their hand-overs, since the last call.
  func takeDelivered() -> [String] {
    defer { deliveries = [] }
    return deliveries.map { $0.occurrence.notification.identifier ?? "" }
  }

  func listed(app: String? = "app", by peer: Peer = World.alice) -> [String] {
    let reply = request(.list(app: app, delivered: false, cursor: 0, limit: 100), by: peer)
    guard case .listed(let rows, _) = reply else { return ["?"] }
    return rows.map { $0.notification.identifier ?? "" }
  }

  func kinds(_ identifier: String? = nil) -> [WatchEvent.Kind] {
    events.filter { identifier == nil || $0.identifier == identifier }.map { $0.kind }
  }
}
