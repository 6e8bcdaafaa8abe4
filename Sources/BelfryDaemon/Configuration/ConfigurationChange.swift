import BelfryCore
import BelfryWire

/// What differs between two configurations, by names as they stand in the file, each once:
/// `[clock] grace`, `[plugin:door]`.
extension DaemonConfiguration {
  /// What differs from the one before and counts at once.
  func changedKeys(since old: DaemonConfiguration) -> [String] {
    var names = Self.changed(keys, old.keys)
    let ofStart = Set<ByteString>((keysOfStart + old.keysOfStart).map { ByteString($0.key) })
    names.removeAll { ofStart.contains($0) }
    for name in (plugins + old.plugins).map({ $0.name }) where section(name) != old.section(name) {
      let header = "[plugin:\(name)]"
      if !names.contains(header) { names.append(header) }
    }
    return names
  }

  /// What differs from the one that belfryd was started with and counts from the next start.
  func restartKeys(sinceStart started: DaemonConfiguration) -> [String] {
    Self.changed(keysOfStart, started.keysOfStart)
  }

  /// A plugin's section, wherever in the file it stands.
  private func section(_ name: String) -> Plugin? {
    var section = plugins.first { $0.name == name }
    section?.line = 0
    return section
  }

  private static func changed(_ keys: [Setting], _ old: [Setting]) -> [String] {
    var names: [String] = []
    for name in (keys + old).map({ $0.key }) where !names.contains(name) {
      if keys.filter({ $0.key == name }) != old.filter({ $0.key == name }) { names.append(name) }
    }
    return names
  }

  /// What counts from the next start stays as it was.
  func keeping(startOf old: DaemonConfiguration) -> DaemonConfiguration {
    var kept = self
    kept.scheduler = old.scheduler
    kept.scheduler.adopt(scheduler)
    (kept.realtime, kept.trustsAlways) = (old.realtime, old.trustsAlways)
    (kept.operatorGroup, kept.criticalGroup) = (old.operatorGroup, old.criticalGroup)
    (kept.workerUser, kept.speakerUser) = (old.workerUser, old.speakerUser)
    kept.keysOfStart = old.keysOfStart
    return kept
  }
}
