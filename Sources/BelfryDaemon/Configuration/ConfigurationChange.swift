import BelfryCore
import BelfryWire

extension DaemonConfiguration {
  /// What differs from an older one and is only taken up by a restart, as it stands in the file, each once:
  /// `[clock] grace`, `[plugin:door]`.
  func restartKeys(since old: DaemonConfiguration) -> [String] {
    var names: [String] = []
    func note(_ name: String) {
      if !names.contains(name) { names.append(name) }
    }
    for setting in fixed + old.fixed {
      let own = fixed.filter { $0.key == setting.key }
      if own != old.fixed.filter({ $0.key == setting.key }) { note(setting.key) }
    }
    let (sections, before) = (plugins.map { $0.name }, old.plugins.map { $0.name })
    for name in sections + before where !sections.contains(name) || !before.contains(name) {
      note("[plugin:\(name)]")
    }
    if names.isEmpty, sections != before { names = ["the order of the plugins"] }
    if names.isEmpty, fixed != old.fixed { names = ["the order of keys"] }
    return names
  }
}
