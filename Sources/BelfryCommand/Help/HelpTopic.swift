import BelfryCore

/// What `belfry help` knows beside the commands.
enum HelpTopic: String, CaseIterable, Sendable {
  case configuration, manifest, limits, time, sound, plugins, exec, daemon, exit

  var document: HelpDocument {
    switch self {
    case .configuration: .configuration
    case .manifest: .manifest
    case .limits: .limits
    case .time: .time
    case .sound: .sound
    case .plugins: .plugins
    case .exec: .exec
    case .daemon: .daemon
    case .exit: .exit
    }
  }

  /// Those that are man pages, by their names; the others are parts of them.
  static var pages: [HelpDocument] {
    allCases.filter { ![.limits, .sound, .exec, .exit].contains($0) }.map { $0.document }
  }
}

extension CommandTable {
  /// What `belfry help` takes.
  static var helpWords: [String] {
    families + HelpTopic.allCases.map { $0.rawValue }.filter { !families.contains($0) }
  }
}
