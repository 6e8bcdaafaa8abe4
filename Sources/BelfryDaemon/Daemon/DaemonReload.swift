import BelfryCore
import BelfrySystem
import BelfryWire

/// Stopping, and reading the configuration again.
extension Daemon {
  func take(_ signal: Signal) {
    switch signal {
    case .terminate, .interrupt: stop()
    case .hangup:
      guard shutdown == nil else { return }
      let path = paths.configuration
      blockingWorker.run { [mailbox, uid] in
        do throws(StartFailure) {
          mailbox.send(.configuration(.success(try LoadedConfiguration.load(path, uid: uid))))
        } catch {
          mailbox.send(.configuration(.failure(error)))
        }
      }
    case .child: noteEnd()
    case .kill: break
    }
  }

  func stop() {
    guard shutdown == nil else { return }
    notifier.shutdown()
    log(.info, "stopping")
    let now = SystemClock.elapsed()
    shutdown = Shutdown(now: now)
    for child in children { child.stop(now: now) }
  }

  /// SIGHUP: plugins whose settings changed start anew, and those in quarantine are tried again;
  /// everything else needs a restart, and the log says so.
  func reload(_ loaded: Result<LoadedConfiguration, StartFailure>) {
    guard shutdown == nil else { return }
    switch loaded {
    case .failure(let failure): log(.error, "\(failure.line); what was read before still holds")
    case .success(let loaded):
      if let distrust = loaded.distrust {
        return log(.error, "\(distrust); what was read before still holds")
      }
      apply(loaded.configuration)
    }
  }

  private func apply(_ new: DaemonConfiguration) {
    let outdated = new.restartKeys(since: configuration)
    guard outdated.isEmpty else {
      log(
        .warning,
        "only a restart of belfryd takes up what changed: \(outdated.joined(separator: ", ")); what was "
          + "read before still holds")
      return
    }
    // What the scheduler goes by was completed at the start (wake, language), and has not changed.
    let scheduler = configuration.scheduler
    configuration = new
    configuration.scheduler = scheduler
    let now = SystemClock.elapsed()
    for child in children { child.reload(settings(of: child.index), now: now) }
    log(.notice, "the configuration was read again")
  }

  /// What a child is told of itself.
  func settings(of sink: SinkIndex) -> ChildConfiguration {
    let index = Int(sink)
    guard index < configuration.plugins.count else {
      return ChildConfiguration(
        name: DaemonConfiguration.speaker, file: "",
        settings: configuration.sound + manifestSounds
          + paths.sounds.map { Setting(key: "folder", value: $0) },
        runDirectory: paths.run)
    }
    let plugin = configuration.plugins[index]
    return ChildConfiguration(
      name: plugin.name, file: plugin.file, settings: plugin.settings, runDirectory: paths.run)
  }
}
