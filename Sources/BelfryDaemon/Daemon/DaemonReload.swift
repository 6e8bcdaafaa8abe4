import BelfryCore
import BelfryServer
import BelfrySystem
import BelfryWire

/// Taking up a changed belfry.conf without a restart.
extension Daemon {
  /// Notices changes of the file from now on.
  func watchConfiguration() {
    do throws(SystemError) {
      let folders = try configurationWatcher.begin()
      _ = try loop.watch(folders.descriptor, .readable) { [unowned(unsafe) self] _ in
        self.configurationWatcher.readEvents(now: SystemClock.elapsed())
      }
    } catch {
      log(.warning, "changes of \(paths.configuration) are not noticed: \(error.text)")
    }
  }

  /// What the helper read.
  func take(_ reading: ConfigurationScanResult) {
    if let sentence = configurationWatcher.note(reading.way) { log(.warning, sentence) }
    guard shutdown == nil else { return }
    switch judged(reading.configuration) {
    case .success(let new): adopt(new, reading.cause)
    case .failure(let failure): refuse(failure.reason, reading.cause)
    }
  }

  /// A file that is gone changes nothing: who removes it by mistake is not to lose all plugins.
  private func judged(
    _ loaded: Result<LoadedConfiguration, StartFailure>
  ) -> Result<DaemonConfiguration, StartFailure> {
    switch loaded {
    case .failure(let failure): return .failure(failure)
    case .success(let loaded):
      let hadFile = !configuration.keys.isEmpty || !configuration.plugins.isEmpty
      guard loaded.isThere || !hadFile else {
        return .failure(StartFailure(.configuration, "\(paths.configuration) is gone"))
      }
      return .success(loaded.configuration)
    }
  }

  private func refuse(_ reason: String, _ cause: ConfigurationScan.Cause) {
    let problem = "\(reason); what was read before still holds"
    if case .change = cause, configurationWatcher.problem == problem { return }
    configurationWatcher.problem = problem
    log(.error, problem)
    guard case .request(let id) = cause else { return }
    server.send(
      id, .refused(.invalidField(FieldError("configuration", .malformed, problem))))
  }

  private func adopt(_ new: DaemonConfiguration, _ cause: ConfigurationScan.Cause) {
    let old = configuration
    let lastAsked = configurationWatcher.lastAsked ?? old
    let changed = new.changedKeys(since: cause.isAsked ? lastAsked : old)
    let needsRestart = new.restartKeys(sinceStart: old)
    tell(changed: changed, needsRestart: needsRestart, cause)
    (configurationWatcher.problem, configurationWatcher.needsRestart) = (nil, needsRestart)
    configuration = new.keeping(startOf: old)
    configurationWatcher.lastAsked = cause.isAsked ? configuration : lastAsked
    apply(since: old)
    if old.sinks.contains(where: { $0.kind == .plugin }) { warnIfNothingShows() }
    warnOfGone(since: old)
    if case .request(let id) = cause {
      server.send(id, .reloaded(changed: changed, needsRestart: needsRestart))
    }
  }

  private func tell(
    changed: [String], needsRestart: [String], _ cause: ConfigurationScan.Cause
  ) {
    let isNews = !changed.isEmpty || configurationWatcher.problem != nil
    if case .change = cause, !isNews {
      // Somebody has saved what was there.
    } else {
      let what = changed.isEmpty ? "nothing has changed" : "changed: \(list(changed))"
      log(.notice, "the configuration was read again; \(what)")
    }
    guard !needsRestart.isEmpty, needsRestart != configurationWatcher.needsRestart else { return }
    log(
      .warning,
      "only a restart of belfryd takes up what changed: \(list(needsRestart))")
  }

  func warnIfNothingShows() {
    guard !configuration.sinks.contains(where: { $0.kind == .plugin }) else { return }
    log(
      .warning,
      "nothing shows alerts: no [plugin:NAME] stands in \(paths.configuration) (belfry help plugins)"
    )
  }

  /// What was scheduled for a plugin alone that stands there no more is shown by nobody.
  private func warnOfGone(since old: DaemonConfiguration) {
    let gone = old.plugins.map { $0.name }.filter { name in
      !configuration.plugins.contains { ByteString($0.name) == ByteString(name) }
    }
    guard !gone.isEmpty else { return }
    log(
      .warning, "no longer configured: \(list(gone)); belfry doctor tells what is scheduled for it")
  }

  private func list(_ keys: [String]) -> String { keys.joined(separator: ", ") }

  /// `configuration` has changed since `old`.
  private func apply(since old: DaemonConfiguration) {
    logRing.most = configuration.logLevel
    loop.early.isWanted = configuration.wakesEarly
    setServerLimits()
    if configuration.zone != old.zone { zones.choose(configuration.zone) }
    if configuration.history.rows != old.history.rows {
      record(.limitHistory(rows: configuration.history.rows))
    }
    if configuration.bytes != old.bytes { record(.limitBytes(configuration.bytes)) }
    feed(.configuration(configuration.scheduler))
    let now = SystemClock.elapsed()
    let inNewZone = configuration.zone != old.zone
    for child in children {
      if isInUse(child) {
        child.reload(settings(of: child.name), inNewZone: inNewZone, now: now)
      } else {
        child.stop(now: now)
      }
    }
    for child in addChildren() { child.begin(now: now) }
    if configuration.sound != old.sound { presumeDevice() }
  }

  /// What the speaker has to play on is known before it has tried, where nobody has named a device.
  func presumeDevice() {
    let isNamed = configuration.sound.contains { $0.key.hasPrefix("device") }
    let absence = isNamed ? nil : SoundCard.absence()
    for child in children where child.isSpeaker { child.presume(degraded: absence) }
  }

  /// Makes the children that the scheduler's sinks need and that are not there yet.
  func addChildren() -> [ChildSupervisor] {
    var added: [ChildSupervisor] = []
    for sink in configuration.sinks {
      guard let index = scheduler.index(ofSink: sink.name), Int(index) >= children.count else {
        continue
      }
      // Two processes of one plugin would not know what the other has shown.
      for old in children where old.name == sink.name { old.kill() }
      added.append(ChildSupervisor(index, sink.kind, settings(of: sink.name), owner: self))
    }
    added.sort { $0.index < $1.index }
    children += added
    return added
  }

  /// Whether the configuration still names it.
  func isInUse(_ child: ChildSupervisor) -> Bool {
    scheduler.index(ofSink: child.name) == child.index
  }

  /// What a child is told of itself.
  func settings(of name: String) -> ChildConfiguration {
    guard let plugin = configuration.plugins.first(where: { $0.name == name }) else {
      return ChildConfiguration(
        name: DaemonConfiguration.speaker, file: "",
        settings: configuration.sound + manifestSounds
          + paths.sounds.map { Setting(key: "folder", value: $0) },
        runDirectory: paths.run)
    }
    return ChildConfiguration(
      name: plugin.name, file: plugin.file, settings: plugin.settings, runDirectory: paths.run)
  }
}
