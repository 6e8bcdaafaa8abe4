import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// Words that only this machine knows, for shells that complete: `belfry completion zones` and the
/// like, which the scripts ask and nobody else needs.
enum CompletionWords: String, CaseIterable, Sendable {
  case identifiers, shown, apps, sinks, zones, sounds, calendars

  /// One a line; none where nobody answers soon, for a person is waiting at a prompt.
  func list(_ context: CommandContext) -> [String] {
    switch self {
    case .identifiers: identifiers(context)
    case .shown: answerable(context)
    case .apps: apps(context)
    case .sinks: sinks(context)
    case .zones: context.zoneFiles.names()
    case .sounds: sounds(context)
    case .calendars: calendars(context)
    }
  }

  private static let patience: Int32 = 500

  private func client(_ context: CommandContext) -> Client? {
    try? Client(path: SocketPlace.find(context.given), milliseconds: Self.patience)
  }

  private func identifiers(
    _ context: CommandContext, delivered: Bool = false, snoozed: Bool = false
  ) -> [String] {
    var found: [String] = []
    try? client(context)?.list(
      app: context.app, delivered: delivered, snoozed: snoozed, milliseconds: Self.patience
    ) { row in
      if let identifier = row.notification.identifier { found.append(identifier) }
    }
    return found.filter { Self.isOneWord($0) }
  }

  /// What is shown, and what waits as a snooze.
  private func answerable(_ context: CommandContext) -> [String] {
    let names = identifiers(context, delivered: true) + identifiers(context, snoozed: true)
    return Set<ByteString>(names.map { ByteString($0) }).sorted().map { $0.text }
  }

  private func apps(_ context: CommandContext) -> [String] {
    var found: [String] = []
    try? client(context)?.apps(app: nil) { found.append($0.app) }
    return found
  }

  private func sinks(_ context: CommandContext) -> [String] {
    let plugins = context.status(within: Self.patience)?["plugins"]?.array ?? []
    return plugins.compactMap { $0["name"]?.string } + ["speaker"]
  }

  /// Of days.
  private func calendars(_ context: CommandContext) -> [String] {
    let found = try? client(context)?.days(app: nil)
    let names = Set<ByteString>((found ?? []).map { ByteString($0.name) })
    return names.sorted().map { $0.text }.filter { Self.isOneWord($0) }
  }

  private func sounds(_ context: CommandContext) -> [String] {
    let socket = SocketPlace.find(context.given)
    let folders = [
      Files.parent(of: SocketPlace.files(of: socket).plugins) + "/sounds",
      "/usr/local/share/belfry/sounds", "/usr/share/belfry/sounds", "/usr/share/sounds",
    ]
    let files = folders.flatMap { (try? Files.list($0)) ?? [] }
    return ["default"] + files.filter { $0.utf8.contains(UInt8(ascii: ".")) && Self.isOneWord($0) }
  }

  /// Control characters would be lines of their own, or worse.
  private static func isOneWord(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
