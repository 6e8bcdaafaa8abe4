import BelfryClient
import BelfryCore
import BelfrySystem

/// What to say of an ID that the app in question does not have: other apps' are out of reach
/// without their name, also for root, who sees them.
enum MissingNotification {
  private struct Place {
    var identifier: String
    var app: String
  }

  /// Of what is scheduled, with the nearest that is.
  static func scheduled(
    _ identifier: String, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> CommandError {
    let mine = context.ownApp
    let isShown = try places(daemon, delivered: true).contains {
      $0.identifier == identifier && $0.app == mine
    }
    let snoozed = try places(daemon, snoozed: true)
    let isSnoozed = snoozed.contains { $0.identifier == identifier && $0.app == mine }
    return try error(
      identifier, among: places(daemon) + (isSnoozed ? [] : snoozed), daemon, context,
      otherwise: isSnoozed
        ? FieldError.quoted(identifier)
          + " is snoozed, and scheduled no more; belfry snooze or belfry cancel it"
        : isShown
          ? FieldError.quoted(identifier) + " is shown, and scheduled no more"
          : "nothing is called " + FieldError.quoted(identifier))
  }

  /// Of what is shown or waits as a snooze, which are other lists.
  static func shown(
    _ identifier: String, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> CommandError {
    try error(
      identifier, among: places(daemon, delivered: true) + places(daemon, snoozed: true), daemon,
      context,
      otherwise: "no alert called " + FieldError.quoted(identifier)
        + " is shown or snoozed (see: belfry list --delivered, belfry list)")
  }

  private static func error(
    _ identifier: String, among places: [Place], _ daemon: Daemon, _ context: CommandContext,
    otherwise: String
  ) throws(CommandError) -> CommandError {
    let mine = context.ownApp
    if let there = places.first(where: { $0.identifier == identifier && $0.app != mine }) {
      return CommandError(
        status: .refused, code: "notFound",
        message: "ID: " + FieldError.quoted(identifier) + " is not in the app " + mine + " but in "
          + there.app + "; write --app " + there.app)
    }
    UnknownApp.warn(daemon, context)
    let names = places.filter { $0.app == mine }.map { $0.identifier }
    return CommandError(
      status: .refused, code: "notFound",
      message: "ID: " + otherwise + meant(identifier, among: names))
  }

  /// What the word may be the beginning of, or is nearly.
  private static func meant(_ word: String, among names: [String]) -> String {
    var begun: [String] = []
    for name in names where name.utf8.starts(with: word.utf8) && !begun.contains(name) {
      begun.append(name)
    }
    guard !word.isEmpty, begun.count > 1 else {
      let only = word.isEmpty ? nil : begun.first
      let near = only ?? CommandLineParser.meant(word, among: names)
      return near.map { "; did you mean " + shown($0) + "?" } ?? ""
    }
    let rest = begun.count - min(begun.count, 4)
    return "; several begin so: " + begun.prefix(4).map { shown($0) }.joined(separator: ", ")
      + (rest > 0 ? " and " + counted(rest, "other") : "")
  }

  /// A blank is seen between quotes alone.
  private static func shown(_ name: String) -> String {
    name.utf8.contains(UInt8(ascii: " ")) ? FieldError.quoted(name) : name
  }

  private static func places(
    _ daemon: Daemon, delivered: Bool = false, snoozed: Bool = false
  ) throws(CommandError) -> [Place] {
    var places: [Place] = []
    try daemon.ask { client throws(ClientError) in
      try client.list(app: nil, delivered: delivered, snoozed: snoozed) { row in
        if let identifier = row.notification.identifier {
          places.append(Place(identifier: identifier, app: row.app))
        }
      }
    }
    return places
  }
}
