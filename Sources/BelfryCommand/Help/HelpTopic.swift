/// What `belfry help` knows beside the commands.
enum HelpTopic: String, CaseIterable, Sendable {
  case configuration, manifest, limits, time, plugins, daemon

  var document: HelpDocument {
    switch self {
    case .configuration: .configuration
    case .manifest: .manifest
    case .limits: .limits
    case .time: .time
    case .plugins: .plugins
    case .daemon: .daemon
    }
  }

  /// Those that are man pages, by their names; limits are part of belfry.conf(5).
  static var pages: [HelpDocument] {
    allCases.filter { $0 != .limits }.map { $0.document }
  }
}
