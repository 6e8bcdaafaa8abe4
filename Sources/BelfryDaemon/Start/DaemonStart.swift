import BelfryCore
import BelfryServer
import BelfryStore
import BelfrySystem

/// Puts the daemon together, in the order in which something can be wrong: places and rights, the
/// configuration, a second daemon, the socket, the store.
struct DaemonStart {
  private let options: DaemonOptions
  private let uid = Process.uid
  private let pid = Process.pid

  init(_ options: DaemonOptions) {
    self.options = options
  }

  /// Returns when the daemon has stopped.
  func run() throws(StartFailure) -> Int32 {
    let variable = { (name: String) in Environment.value(of: name) }
    let signals = try system { () throws(SystemError) -> SignalDescriptor in
      SignalDescriptor.ignoreBrokenPipes()
      return try SignalDescriptor([.terminate, .interrupt, .hangup, .child])
    }
    Sandbox.guardClock()
    let paths = try findPlaces(variable)
    let warning = try paths.make()
    let loaded = try LoadedConfiguration.load(paths.configuration, uid: uid)
    let lock = try takeLock(paths)
    let socket = try Activation.socket(pid: pid, variable: variable)
    let isActivated = socket != nil
    let listener: FileDescriptor?
    if let socket { listener = consume socket } else { listener = try listen(paths) }
    let log = try system { () throws(SystemError) -> LogRing in
      let log = try LogRing(
        output: Output.error, prefixes: Output.isJournal(Output.error),
        most: loaded.configuration.logLevel)
      try log.start()
      return log
    }
    if let warning { log.log(.warning, warning) }
    report(loaded, log)
    let daemon = try assemble(paths, knowingTheClock(loaded.configuration, paths), log, variable)
    do throws(SystemError) {
      if let listener {
        try daemon.server.listen(on: listener)
      } else {
        log.log(
          .error, "no socket at \(paths.socket) on a read-only disk: what is scheduled still rings"
        )
      }
      try daemon.watch(signals)
    } catch {
      throw StartFailure(.failed, "belfryd: \(error.text)")
    }
    daemon.begin(watchdog: ServiceNotifier.interval(pid: pid, variable: variable))
    setRealtime(loaded.configuration, log)
    log.log(.notice, readiness(paths, loaded.configuration))
    daemon.warnIfNothingShows()
    let status = daemon.run()
    _ = Orphans.sweep(living: [], newest: Int32.max)
    if !isActivated { try? Files.remove(paths.socket) }
    withExtendedLifetime(lock) { log.stop(milliseconds: 100) }
    // Whatever still hangs on a disk is left behind.
    Process.exit(status)
  }

  /// One line by which a person sees that it runs, and where.
  private func readiness(_ paths: Paths, _ configuration: DaemonConfiguration) -> String {
    let sinks = configuration.sinks.map { $0.name }
    let runs = sinks.isEmpty ? "no plugin is configured" : "with " + sinks.joined(separator: ", ")
    return
      "belfryd \(DaemonOptions.version) is ready: socket \(paths.socket), books \(paths.store), "
      + runs
  }

  private func system<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(StartFailure) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw StartFailure(.failed, "belfryd: \(error.text)")
    }
  }

  private func findPlaces(_ variable: (String) -> String?) throws(StartFailure) -> Paths {
    let program = try system { () throws(SystemError) in try Process.folder() }
    let home = options.home ?? (uid == 0 ? .system : .user)
    return try Paths.find(home, uid: uid, program: program, variable: variable)
  }

  /// A clock that is killed while it starts a child leaves its lock and its socket to that until the
  /// exec, which takes a while on a busy board.
  private static let patience = Nanoseconds.second
  private static let pause = 20 * Nanoseconds.millisecond

  private func takeLock(_ paths: Paths) throws(StartFailure) -> FileDescriptor {
    let timeout = SystemClock.elapsed() + Self.patience
    do throws(SystemError) {
      while true {
        if let lock = try Files.lock(paths.lock) { return lock }
        if SystemClock.elapsed() >= timeout { break }
        Process.sleep(Self.pause)
      }
    } catch {
      throw StartFailure(.noRights, "belfryd: \(error.text)")
    }
    throw StartFailure(
      .secondDaemon, "belfryd: another belfryd runs here (it holds \(paths.lock))")
  }

  /// nil: on a read-only disk, where alerts ring all the same (D8).
  private func listen(_ paths: Paths) throws(StartFailure) -> FileDescriptor? {
    let timeout = SystemClock.elapsed() + Self.patience
    while true {
      do throws(SystemError) {
        return try UnixSocket.listen(paths.socket, mode: paths.socketMode)
      } catch {
        switch error.code {
        case SystemError.addressInUse where SystemClock.elapsed() < timeout:
          Process.sleep(Self.pause)
        case SystemError.addressInUse:
          throw StartFailure(
            .socketInUse, "belfryd: the socket \(paths.socket) is in use by another program")
        case SystemError.readOnly: return nil
        case SystemError.noAccess, SystemError.notPermitted:
          throw StartFailure(.noRights, "belfryd: \(error.text)")
        default: throw StartFailure(.failed, "belfryd: \(error.text)")
        }
      }
    }
  }

  private func report(_ loaded: LoadedConfiguration, _ log: LogRing) {
    if let distrust = loaded.distrust { log.log(.error, distrust) }
  }

  /// What is known of the clock before the loop begins (T9).
  private func knowingTheClock(
    _ configuration: DaemonConfiguration, _ paths: Paths
  ) -> DaemonConfiguration {
    var configuration = configuration
    let boot = KnownTime.boot()
    configuration.scheduler.boot = boot
    configuration.scheduler.knownTime = KnownTime.newest()
    configuration.scheduler.owner = uid
    let trusted = try? Files.read(paths.trust, limit: 64)
    configuration.scheduler.isClockTrusted =
      configuration.trustsAlways || trusted == Array("\(boot)\n".utf8)
    return configuration
  }

  private func setRealtime(_ configuration: DaemonConfiguration, _ log: LogRing) {
    guard let priority = configuration.realtime else {
      // Shorter than the workers': a hand-over to the second is not held up by the first.
      try? Process.setSlice(Nanoseconds.millisecond / 10)
      return
    }
    do throws(SystemError) {
      try Process.setRealtime(priority: priority)
      log.log(.info, "the clock runs at realtime priority \(priority)")
    } catch {
      log.log(.warning, "[clock] realtime = \(priority) is not possible: \(error.text)")
    }
    do throws(SystemError) {
      // Under a small limit locking would succeed now and a later allocation fail.
      let limit = try Process.limit(.lockedMemory).soft
      guard uid == 0 || limit >= 1 << 30 else {
        throw SystemError(code: SystemError.noMemory, operation: "RLIMIT_MEMLOCK is \(limit)")
      }
      try Process.lockMemory()
    } catch {
      log.log(.warning, "[clock] realtime: memory is not locked: \(error.text)")
    }
  }
}

// The parts.
extension DaemonStart {
  private func assemble(
    _ paths: Paths, _ configuration: DaemonConfiguration, _ log: LogRing,
    _ variable: (String) -> String?
  ) throws(StartFailure) -> Daemon {
    let loop = try system { () throws(SystemError) in try Loop() }
    loop.early = EarlyWake(isWanted: configuration.wakesEarly)
    var configuration = configuration
    let wake = configuration.scheduler.wake
    if loop.alarmRefusal != nil { configuration.scheduler.wake = .never }
    configuration.scheduler.language = variable("LANG").flatMap { LanguageTag.ofLocale($0) }
    let operatorGroup = group(configuration.operatorGroup, "group", log)
    let criticalGroup = group(configuration.criticalGroup, "critical", log)
    configuration.scheduler.criticalGroups = [criticalGroup, operatorGroup].compactMap { $0 }
    TestDeadlines.apply(to: &configuration.scheduler, variable)
    // Worse than a clock that goes by UTC is one that does not start.
    if let problem = options.zoneProblem { log.log(.error, problem) }
    let zoneFiles = ZoneFiles(
      folder: options.zoneinfo, localtime: options.localtime, chosen: configuration.zone,
      variable: variable("TZ"))
    let boardZone = try ZoneStart.board(zoneFiles, log)
    let blockingWorker = try system { () throws(SystemError) in
      let blockingWorker = try BlockingWorker()
      try blockingWorker.start()
      return blockingWorker
    }
    let mailbox = try system { () throws(SystemError) in try Mailbox<DaemonMessage>() }
    let manifests = ManifestStart.keeper(paths.manifests, uid: uid, log) { scan in
      blockingWorker.run { mailbox.send(.manifests(scan.run())) }
    }
    let language = configuration.scheduler.language
    let tables = StringsStart.keeper(
      TableSource.all(of: manifests.manifests, language: language), uid: uid, log
    ) { scan in
      blockingWorker.run { mailbox.send(.tables(scan.run())) }
    }
    let days = DaysStart.watcher(
      DaysFolder.all(paths, manifests.manifests), uid: uid, zone: boardZone?.rules ?? .utc, log
    ) { scan in
      blockingWorker.run { mailbox.send(.days(scan.run())) }
    }
    let handOvers = HandOverLog(in: paths.run, boot: configuration.scheduler.boot)
    let isNew = handOvers.isNew
    let (scheduler, opened) = try openStore(
      paths, configuration, boardZone, manifests.profiles.values.map { tables.completed($0) },
      handOvers.takeEarlier(), log)
    if isNew { note(opened.occurrences, scheduler, in: handOvers) }
    if let refusal = loop.alarmRefusal, wake != .never {
      // T11: said once here, and by `doctor`.
      let level: LogLevel = wake == .all ? .warning : .info
      log.log(level, "a sleeping board is not woken: \(refusal.text)")
    }
    let rights = LaunchRights.find(uid: uid, isUsers: isUsers, variable: variable)
    let users = ChildUsers.find(
      configuration, isSystem: isSystem, mayChange: rights.changesUser)
    for problem in users.problems { log.log(.warning, problem) }
    let parts = DaemonDependencies(
      loop: loop, paths: paths, log: log, blockingWorker: blockingWorker, mailbox: mailbox,
      notifier: ServiceNotifier(address: variable("NOTIFY_SOCKET")),
      failpoints: FailpointSwitch(variable: variable), handOvers: handOvers, uid: uid,
      childEnvironment: ChildEnvironment.filter(Environment.all), configuration: configuration,
      zoneFiles: zoneFiles, boardZone: boardZone, scheduler: scheduler, manifests: manifests,
      tables: tables, days: days, launchRights: rights, childUsers: users,
      appEnvironment: ChildEnvironment.filter(Environment.all, forApps: true),
      operatorGroup: operatorGroup, criticalGroup: criticalGroup)
    return try system { () throws(SystemError) -> Daemon in
      let daemon = try Daemon(parts)
      for warning in opened.warnings { daemon.storeCondition.note(warning) }
      daemon.store = try StoreThread.start(
        opened.store, notice: { mailbox.send(.store($0)) },
        log: { log.log($0, $1) },
        answer: { mailbox.send(.answers($0)) })
      return daemon
    }
  }

  /// What may have been handed over before the log began may have been for the next life, too.
  private func note(
    _ open: [OpenOccurrence], _ scheduler: SchedulerEngine, in handOvers: HandOverLog
  ) {
    let names = [Sink.app] + scheduler.sinkNames
    guard !scheduler.hasRestoredAtOnce, open.count * names.count < HandOverLog.capacity else {
      return handOvers.giveUp()
    }
    for occurrence in open {
      for name in names { handOvers.insert(occurrence.occurrence.id, name) }
    }
  }

  private var isSystem: Bool { (options.home ?? (uid == 0 ? .system : .user)) == .system }

  /// Whether the service manager to ask is this user's own.
  private var isUsers: Bool {
    switch options.home {
    case .user: true
    case .system: false
    case .directory, nil: uid != 0
    }
  }

  /// The number of the group that `[access] key` names.
  private func group(_ name: String?, _ key: String, _ log: LogRing) -> UInt32? {
    guard let name else { return nil }
    let number = Group.number(of: name)
    if number == nil { log.log(.warning, "[access] \(key) = \(name): there is no such group") }
    return number
  }

  /// A scheduler that knows what the store holds.
  private func openStore(
    _ paths: Paths, _ configuration: DaemonConfiguration, _ boardZone: ZoneFile?,
    _ profiles: [AppProfile], _ handOvers: @escaping (OccurrenceID, String) -> Bool,
    _ log: LogRing
  ) throws(StartFailure) -> (SchedulerEngine, OpenedStore) {
    var options = StoreOptions(now: SystemClock.real())
    options.history = HistoryLimits(rows: configuration.history.rows)
    options.share = UserShare(bytes: configuration.bytes, exempt: configuration.scheduler.owner)
    options.note = paths.note
    let chosen = configuration.scheduler
    let fresh = {
      let scheduler = SchedulerEngine(configuration: chosen, makeUUID: Random.uuid)
      for profile in profiles { scheduler.restore(profile) }
      if let boardZone { scheduler.restore(boardZone: boardZone.name, boardZone.rules) }
      return scheduler
    }
    var scheduler = fresh()
    var strange = 0
    do throws(StoreError) {
      let opened = try Store.open(
        path: paths.store, options: options, forget: { scheduler = fresh() },
        app: { scheduler.restore($0) },
        pending: { if !scheduler.restore($0) { strange += 1 } })
      scheduler.restore(handOvers: handOvers)
      for occurrence in opened.occurrences { scheduler.restore(occurrence) }
      for queuedEvent in opened.queuedEvents { scheduler.restore(queuedEvent) }
      for snooze in opened.snoozes { scheduler.restore(snooze) }
      for alert in opened.waiting { scheduler.restore(alert) }
      for pause in opened.pauses { scheduler.restore(pause) }
      for skips in opened.skips { scheduler.restore(skips) }
      for days in opened.days { scheduler.restore(days) }
      for owed in opened.owed { scheduler.restore(owed: owed.occurrence, by: owed.sink) }
      let last = opened.lastTime
      scheduler.restore(lastTime: last.real, boot: last.boot, elapsed: last.elapsed)
      if let fix = opened.lastFix { scheduler.restore(fix) }
      for warning in opened.warnings { log.log(.error, warning) }
      if strange > 0 {
        log.log(
          .error,
          counted(
            strange, "row of the books is left out: it makes no sense",
            many: "rows of the books are left out: they make no sense"))
      }
      return (scheduler, opened)
    } catch {
      throw StartFailure(Self.status(of: error), "belfryd: \(error.reason): \(paths.store)")
    }
  }

  private static func status(of error: StoreError) -> StartFailure.Status {
    switch error.code {
    case .newerVersion: .newerStore
    case .inUse: .secondDaemon
    case .noRights, .readOnly, .foreign: .noRights
    default: .failed
    }
  }
}
