import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry fix`: where the board is (R5).
enum FixCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let given = context.given
    let place = try PlaceText.place(given.operands[0])
    let accuracy = try given.value(.accuracy).map { text throws(CommandError) in
      do throws(CommandError) {
        return try PlaceText.number(text, "--accuracy")
      } catch {
        throw .usage(error.message + (metres(text).map { "; did you mean \($0)?" } ?? ""))
      }
    }
    // What is wrong is said without a daemon.
    _ = try time(context)
    let daemon = try Daemon.connect(context)
    let time = try time(context.following(daemon))
    let crossings = try daemon.ask { client throws(ClientError) in
      try client.fix(
        latitude: place.latitude, longitude: place.longitude, accuracy: accuracy, time: time)
    }
    if context.json { return try context.say(["crossings": .integer(crossings)]) }
    try context.say(
      crossings == 0
        ? "no crossing" : counted(crossings, "crossing fired", many: "crossings fired"))
  }

  /// The number of `10`, `10m` and `10 m`; nil: it is no length.
  static func metres(_ text: String) -> String? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let isSpaced = words.count == 2 && words[1] == "m"
    guard isSpaced || words.count == 1 else { return nil }
    let number = isSpaced ? String(words[0]) : text.hasSuffix("m") ? String(text.dropLast()) : text
    return (try? PlaceText.number(number, "")) == nil ? nil : number
  }

  private static func time(_ context: CommandContext) throws(CommandError) -> Instant? {
    let now = SystemClock.real()
    return try context.given.value(.time).map { text throws(CommandError) in
      let time = try TimeText.parse(text, option: .time, now: now, zone: context.board)
      // A fix has been taken, so of two passes the newest is meant that is not to come.
      let instants = time.instants(in: context.board)
      return instants.filter { $0 <= now }.max() ?? instants[0]
    }
  }
}
