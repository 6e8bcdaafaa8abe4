import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// What became of the alert that `belfry try` scheduled.
struct TryOutcome {
  var due: Instant
  private var console: WatchEvent?
  private var speaker: WatchEvent?

  init(due: Instant) {
    self.due = due
  }

  var isComplete: Bool { console != nil && speaker != nil }

  /// Takes the events that have come.
  mutating func take(_ watch: Daemon, _ identifier: String) throws(CommandError) {
    while true {
      let reply = try watch.ask { client throws(ClientError) in
        try client.receive(milliseconds: 0)
      }
      guard let reply else { return }
      let event = try watch.ask { _ throws(ClientError) in try Client.event(reply.parameters) }
      guard let event, event.identifier == identifier else { continue }
      switch event.sink {
      case "console": console = event
      case "speaker": speaker = event
      default: break
      }
    }
  }

  /// The line of truth. Without an alert on the console nothing was proven.
  func say(_ context: CommandContext) throws(CommandError) {
    guard let console, console.kind == .delivered else {
      throw .refused("console: " + (self.console?.reason ?? "the alert was not shown in time"))
    }
    let words = context.words
    let delivered = console.handedOver ?? console.at
    if context.json {
      return try context.say([
        "due": words.json(due), "delivered": words.json(delivered),
        "lateSeconds": LocalWords.lateSeconds(due: due, delivered: delivered),
        "sound": .boolean(played), "device": LocalWords.text(speaker?.reason),
      ])
    }
    try context.say(
      "Due at " + words.precise(due) + ", delivered at " + words.precise(delivered) + ", "
        + LocalWords.span(delivered.nanoseconds(since: due)) + " late, "
        + DisplayWidth.safe(sound) + ".")
  }

  private var played: Bool { speaker?.kind == .delivered }

  private var sound: String {
    guard let speaker else { return "and the speaker gave no answer" }
    let note = speaker.reason ?? ""
    if played { return note.isEmpty ? "sound played" : "sound played by " + note }
    if note.hasPrefix("no-device") { return LocalWords.noDevice }
    return "no sound" + (note.isEmpty ? "" : ": " + note)
  }
}
