import BelfryCore
import BelfryServer
import BelfryStore
import BelfrySystem
import BelfryWire

/// The clock, joined together: the loop, the scheduler, the store, the children.
///
/// One thread, which never waits but in the loop. The scheduler gets every event in the order in
/// which it came; its commands are carried out in order before the next one.
final class Daemon {
  let loop: Loop
  let packets = PacketBuffer()
  var packer = DeliveryPacker()
  let paths: Paths
  let logRing: LogRing
  let blockingWorker: BlockingWorker
  let mailbox: Mailbox<DaemonMessage>
  let notifier: ServiceNotifier
  let failpoints: FailpointSwitch
  let handOvers: HandOverLog
  let uid: UInt32
  /// `NAME=value` for children.
  let childEnvironment: [String]
  var configuration: DaemonConfiguration
  let scheduler: SchedulerEngine
  let server: Server
  var serverIsReadable = false
  /// Reads large messages, and waits for the store at the end. Here before the first child is, like
  /// every thread: a child's filter spares those that it finds.
  let reader: BlockingWorker
  var signals: SignalDescriptor?
  let startedAt: ClockReading
  let zones: ZoneWatcher
  /// While zones are watched.
  var zoneWatch: (loop: Loop.Watch, folders: FolderWatch)?
  let manifests: ManifestWatcher
  let tables: StringsWatcher
  let days: DaysWatcher
  /// Made with the first use, when all else is.
  lazy var sounds = SoundLookup { [unowned(unsafe) self] name in self.lookFor(name) }
  let configurationWatcher: ConfigurationWatcher
  let launchRights: LaunchRights
  let childUsers: ChildUsers
  /// Processes of children that were asked for.
  var lives: Int32 = 0
  var orphans = OrphanWatcher()
  /// `NAME=value` for apps of our own user.
  let appEnvironment: [String]
  /// Set at the end of our making.
  private(set) var launcher: AppLauncher?
  var store: StoreThread?
  var storeCondition = StoreCondition()
  var children: [ChildSupervisor] = []
  /// What is handed over next at an instant that is known, and to whom.
  var coming: (due: Instant, sinks: [SinkIndex])?
  /// The due instant for which these sinks have been woken.
  var wokenFor = Instant.distantPast
  var watchdog: Watchdog?
  var shutdown: Shutdown?

  private var events: [EngineEvent] = []
  private var isFeeding = false
  /// So many operations of a burst go to the store before the burst is over: these write while we
  /// read on. Fewer would be more syncs of the disk, more would have one thread wait for the other.
  private static let submission = 32
  private var commands: [EngineCommand] = []
  /// For the store, not submitted yet.
  var entries: [StoreWriter.Entry] = []
  /// Of the store, not taken in yet.
  var answers: [StoreWriter.Answer] = []
  /// What was handled since memory was given back, in bytes; `server.churn` comes on top.
  var churn = 0
  var isGivingBack = false
  /// real − elapsed, to tell how far a step of the clock went.
  private var clockOffset: Int64
  /// Tickets of the daemon's own questions to the store; the scheduler counts up from 1.
  var ownTicket = StoreTicket.max
  var ownTickets: [StoreTicket: () -> Void] = [:]

  init(_ parts: DaemonDependencies) throws(SystemError) {
    loop = parts.loop
    paths = parts.paths
    logRing = parts.log
    blockingWorker = parts.blockingWorker
    mailbox = parts.mailbox
    notifier = parts.notifier
    failpoints = parts.failpoints
    handOvers = parts.handOvers
    reader = try BlockingWorker.started(name: "reader", stackSize: 1 << 20)
    uid = parts.uid
    childEnvironment = parts.childEnvironment
    appEnvironment = parts.appEnvironment
    manifests = parts.manifests
    tables = parts.tables
    days = parts.days
    configurationWatcher = ConfigurationWatcher(
      parts.paths.configuration, uid: parts.uid, zones: parts.zoneFiles
    ) { [blockingWorker = parts.blockingWorker, mailbox = parts.mailbox] scan in
      blockingWorker.run { mailbox.send(.configuration(scan.run())) }
    }
    launchRights = parts.launchRights
    childUsers = parts.childUsers
    configuration = parts.configuration
    scheduler = parts.scheduler
    startedAt = SystemClock.now()
    zones = ZoneWatcher(parts.zoneFiles, board: parts.boardZone) {
      [blockingWorker = parts.blockingWorker, mailbox = parts.mailbox] scan in
      blockingWorker.run { mailbox.send(.zones(scan.run())) }
    }
    clockOffset = startedAt.real.nanoseconds(since: Instant(nanoseconds: startedAt.elapsed))
    var local = ServerConfiguration()
    local.version = DaemonOptions.version
    local.operatorGroup = parts.operatorGroup
    local.criticalGroup = parts.criticalGroup
    local.owner = configuration.scheduler.owner
    Daemon.setLimits(of: &local, configuration)
    let status = StatusSource()
    server = try Server(
      local, status: { peer in status.daemon.map { StatusReport($0, for: peer).object() } ?? [:] },
      log: { [logRing] in logRing.log($0, $1) })
    status.daemon = self
    launcher = AppLauncher(owner: self)
    server.readElsewhere = { [unowned(unsafe) self] message in self.readElsewhere(message) }
  }

  /// The limits of `[limits]` have changed.
  func setServerLimits() { Daemon.setLimits(of: &server.configuration, configuration) }

  private static func setLimits(
    of server: inout ServerConfiguration, _ configuration: DaemonConfiguration
  ) {
    let usual = ServerConfiguration()
    server.requestsPerSecond =
      configuration.requestsPerSecond.map { Int32($0) } ?? usual.requestsPerSecond
    // Each session is a connection, and its app needs others.
    server.connectionsOfUser = configuration.scheduler.sessions + 64
    server.connections = configuration.connections ?? usual.connections
    server.descriptors = descriptorsForClients(
      server.connections, children: configuration.sinks.count)
  }

  /// The number from which on descriptors are kept from clients: each child has a socket and a
  /// pidfd, and as many again while it starts; the store, SQLite's journal and files take a few.
  ///
  /// Where these, the operator's own beside them, are more than that, the soft limit is raised as far
  /// as it goes.
  private static func descriptorsForClients(_ connections: Int32, children: Int) -> Int32 {
    let kept = 8 + 4 * Int32(clamping: children)
    let wanted = UInt64(connections) + UInt64(kept) + 256
    if let limit = try? Process.limit(.descriptors), limit.soft < wanted {
      try? Process.setLimit(.descriptors, min(wanted, limit.hard))
    }
    let soft = (try? Process.limit(.descriptors).soft) ?? 1024
    return max(24, Int32(clamping: soft) - kept)
  }

  // MARK: The scheduler

  /// Gives the scheduler an event, or queues it while another is being carried out.
  func feed(_ event: EngineEvent) {
    if isFeeding { return events.append(event) }
    isFeeding = true
    handle(event)
    var next = 0
    while next < events.count {
      let event = events[next]
      next += 1
      handle(event)
    }
    if next > 0 { events.removeAll(keepingCapacity: next < 256) }
    isFeeding = false
  }

  private func handle(_ event: EngineEvent) {
    churn += Daemon.eventWeight
    var batch: [EngineCommand] = []
    swap(&batch, &commands)
    if case .clock = event {
      scheduler.tick(now: SystemClock.now, into: &batch) { carryOut(&$0) }
    } else {
      scheduler.handle(event, now: SystemClock.now(), into: &batch)
    }
    carryOut(&batch)
    // Its room serves again.
    swap(&batch, &commands)
    if entries.count >= Daemon.submission { submitEntries() }
  }

  /// Carries all of them out, and leaves none.
  private func carryOut(_ batch: inout [EngineCommand]) {
    for command in batch { carryOut(command) }
    batch.removeAll(keepingCapacity: batch.count < 256)
  }

  private func carryOut(_ command: EngineCommand) {
    switch command {
    case .reply(let id, let reply): answer(id, reply)
    case .store(let ticket, let operation): store(ticket, operation)
    case .prepare(let sink, let occurrence): prepare(sink, occurrence)
    case .handOver(let delivery): handOver(delivery)
    case .handOverBadge(let sink, let token, let app, let value):
      send(.badge(token: token, app: app, value: value), to: sink)
    case .askCalendar(let sink, let token, let question):
      send(.calendar(token: token, question), to: sink)
    case .pushAnswered(let sink, let token, let answer):
      child(sink)?.answer(token, PluginPushAnswer(answer), now: SystemClock.elapsed())
    case .withdraw(let sink, let token, let id): send(.withdraw(token: token, id), to: sink)
    case .stopSounds(let app): tellSpeakers(.stopSounds(app: app))
    case .unprepare(let id): if wakesOutputs { tellSpeakers(.rest(id)) }
    case .interrupt(let sink, let reason):
      child(sink)?.interrupt(reason)
    case .event(let event): publish(event)
    case .log(let level, let text): log(level, text)
    case .askClock: askClock()
    case .trusted: rememberTrust()
    case .loadZone(let name): zones.load(name)
    case .loadBoardZone: zones.loadBoard()
    case .watchZones(let board, let named): watchZones(board: board, named: named)
    case .session(let session, let event): tell(event, in: session)
    case .endSession(let session, let reason): server.end(session, because: reason)
    case .launch(let app, let attempt): launch(app, attempt: attempt)
    case .reload(let id): configurationWatcher.read(.request(id))
    }
  }

  func child(_ sink: SinkIndex) -> ChildSupervisor? {
    children.indices.contains(Int(sink)) ? children[Int(sink)] : nil
  }

  func send(_ message: MessageToChild, to sink: SinkIndex) {
    child(sink)?.send(message, now: SystemClock.elapsed())
  }

  // MARK: Other threads

  func readMailbox() {
    for message in mailbox.drain() {
      let now = SystemClock.elapsed()
      switch message {
      case .answers(let more): answers += more
      case .store(let notice):
        storeCondition.take(notice)
        lookForDamagedFiles()
      case .setAside(let files): storeCondition.setAside = files
      case .started(let child, let attempt, let start):
        children[child].started(start, attempt: attempt, now: now)
      case .notStarted(let child, let attempt, let reason, let isRefusal):
        children[child].failedToStart(reason, isRefusal, attempt: attempt, now: now)
      case .configuration(let reading): take(reading)
      case .zones(let reading): take(reading, now: now)
      case .manifests(let reading): take(reading)
      case .tables(let reading): take(reading)
      case .days(let result): take(result)
      case .sound(let finding): answer(sounds.take(finding, now: now))
      case .app(let app, let start): launcher?.take(start, of: app)
      case .orphans(let killed): noteOrphans(killed)
      case .message(let message): take(message)
      case .storeClosed:
        _ = takeAnswers(wholly: true)
        shutdown?.storeAreClosed = true
      }
    }
  }

  // MARK: The clock

  /// A timer ran out, or the real clock was set.
  func clock(stepped: Bool) {
    let now = SystemClock.now()
    if stepped { noteStep(now) }
    wakeSinks(now)
    if shutdown == nil {
      server.lastAnswered = nil
      feed(.clock)
      if let request = scheduler.slicedRequest {
        server.charge(request, SystemClock.elapsed() - now.elapsed)
      }
    }
    for child in children {
      child.tick(now: now.elapsed)
      child.output?.tick(loop, now: now.elapsed)
    }
    zones.tick(now: now.elapsed)
    manifests.tick(now: now.elapsed)
    tables.tick(now: now.elapsed)
    days.tick(now: now.elapsed)
    configurationWatcher.tick(now: now.elapsed)
    answer(sounds.tick(now: now.elapsed))
    watchdog?.tick(self, now: now.elapsed)
  }

  private func noteStep(_ now: ClockReading) {
    let offset = now.real.nanoseconds(since: Instant(nanoseconds: now.elapsed))
    let step = offset.subtractingReportingOverflow(clockOffset).partialValue
    clockOffset = offset
    if abs(step) < Nanoseconds.millisecond { return }
    log(
      .notice, "the clock was set \(Nanoseconds.text(abs(step))) \(step < 0 ? "back" : "forward")")
  }

  /// After each burst: what was queued goes out, the timers are set for what comes next.
  func settle() -> Loop.Pace {
    let hasAnswers = takeAnswers()
    let hasMore = serve() || hasAnswers
    submitEntries()
    lookForOrphans()
    if let shutdown {
      shutdown.proceed(self)
      return hasMore ? .again : .wait
    }
    let next = nextWake
    if hasMore {
      wake(next)
      return .again
    }
    return wait(until: next)
  }
}

extension Daemon: ChildOwner {
  func log(_ level: LogLevel, _ text: String) {
    logRing.log(level, text)
  }

  func isAwaited(_ child: ChildSupervisor) -> Bool {
    scheduler.isAwaited(child.index)
  }

  func child(_ child: ChildSupervisor, did event: SinkEvent) {
    feed(.sink(child.index, event))
  }

  func start(_ child: ChildSupervisor, attempt: UInt64) {
    lives += 1
    let launch = ChildLaunch(
      index: Int(child.index), attempt: attempt, isSpeaker: child.isSpeaker,
      file: child.configuration.file, programs: paths.programs, plugins: paths.plugins,
      environment: ChildEnvironment.adding(configuration.zone, to: childEnvironment), uid: uid,
      name: child.name, runDirectory: paths.run, life: lives,
      identity: childUsers.identity(of: child.configuration, isSpeaker: child.isSpeaker))
    blockingWorker.run { [mailbox] in mailbox.send(launch.run()) }
  }

  func discard(_ start: ChildStart) {
    blockingWorker.run {
      start.child.killGroup()
      _ = try? start.child.reap(wait: true)
    }
  }
}

/// Where the server's questions about us go, which exists before we do.
private final class StatusSource {
  unowned(unsafe) var daemon: Daemon?
}
