import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry try`: one alert with sound, from end to end, in a place that is gone afterwards.
enum TryCommand {
  static let stopped = CommandError.refused("stopped; nothing is left behind")

  private static let ahead = 3 * Nanoseconds.second
  /// 30 s of waiting for a device, 30 s of sound, and some slack.
  private static let patience = 75 * Nanoseconds.second

  static func run(_ context: CommandContext) throws(CommandError) {
    let program = try Installation.here().need("belfryd")
    SignalDescriptor.ignoreBrokenPipes()
    let stop = try signals()
    let daemon = try PrivateDaemon.start(program, output: context.json ? nil : Output.standard)
    try attempt(daemon, stop, context)
  }

  private static func signals() throws(CommandError) -> SignalDescriptor {
    do throws(SystemError) {
      return try SignalDescriptor([.interrupt, .terminate, .hangup])
    } catch {
      throw .refused(error.text)
    }
  }

  private static func attempt(
    _ daemon: borrowing PrivateDaemon, _ stop: borrowing SignalDescriptor,
    _ context: CommandContext
  ) throws(CommandError) {
    let watch = Daemon(client: try daemon.connect(stop))
    let caller = Daemon(client: try daemon.connect(stop))
    try watch.ask { client throws(ClientError) in
      try client.send("Watch", [:], more: true)
      _ = try client.receive(milliseconds: Client.patience)
    }
    let due = SystemClock.real().advanced(by: ahead)
    let reply = try caller.ask { client throws(ClientError) in
      try client.schedule(app: nil, alert(due))
    }
    var countdown = Countdown(due: reply.next ?? due, context: context)
    try countdown.begin()
    var outcome = TryOutcome(due: reply.next ?? due)
    let deadline = SystemClock.elapsed() + ahead + patience
    while !outcome.isComplete, SystemClock.elapsed() < deadline {
      try wait(daemon, stop, watch, milliseconds: try countdown.step())
      try outcome.take(watch, reply.identifier)
    }
    try countdown.end()
    try outcome.say(context)
  }

  private static func alert(_ due: Instant) -> Notification {
    var alert = Notification()
    alert.identifier = Random.uuid().text
    alert.fireDate = due
    alert.alertTitle = "Belfry"
    alert.alertBody = "The bell rings. Belfry works on this machine."
    alert.soundName = Notification.defaultSoundName
    return alert
  }

  /// Until an event comes, or so long; a signal or the daemon's end stops it all.
  private static func wait(
    _ daemon: borrowing PrivateDaemon, _ stop: borrowing SignalDescriptor, _ watch: Daemon,
    milliseconds: Int32
  ) throws(CommandError) {
    var entries = [
      Poll.Entry(stop.descriptor.raw, .readable), Poll.Entry(daemon.ended, .readable),
      Poll.Entry(watch.client.descriptor, .readable),
    ]
    _ = try? Poll.wait(&entries, milliseconds: milliseconds)
    if !entries[0].ready.isEmpty { throw stopped }
    if !entries[1].ready.isEmpty { throw .refused("belfryd ended: " + daemon.lastWords) }
  }
}

/// `in 3 s`, `in 2 s`, `in 1 s`: over each other on a terminal, one line elsewhere.
private struct Countdown {
  private let due: Instant
  private let context: CommandContext
  private let isTerminal: Bool
  private var shown: Int64?

  init(due: Instant, context: CommandContext) {
    self.due = due
    self.context = context
    isTerminal = Output.isTerminal(Output.standard) && !context.json
  }

  func begin() throws(CommandError) {
    if context.json { return }
    try context.say("A private daemon runs. An alert with sound is due in 3 seconds.")
  }

  /// Shows what is left and returns how many milliseconds that stays so.
  mutating func step() throws(CommandError) -> Int32 {
    let left = due.nanoseconds(since: SystemClock.real())
    // The alert needs the line to itself.
    guard left > 50 * Nanoseconds.millisecond else {
      try end()
      return 500
    }
    let seconds = (left + Nanoseconds.second - 1) / Nanoseconds.second
    if isTerminal, seconds != shown {
      shown = seconds
      try CommandLineTool.write("\r\(seconds) … ")
    }
    return Int32((left - 1) % Nanoseconds.second / Nanoseconds.millisecond) + 1
  }

  mutating func end() throws(CommandError) {
    guard shown != nil else { return }
    shown = nil
    try CommandLineTool.write("\r      \r")
  }
}
