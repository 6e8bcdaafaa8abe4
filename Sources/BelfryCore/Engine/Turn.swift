/// When an event came: by the elapsed clock, and which it was.
struct EventTime {
  var elapsed: Int64
  var number: Int64
}

/// The event in hand: what the clocks show, the configuration, and the commands that go out for it.
///
/// Every part of the scheduler gets it `inout` and adds its commands in order.
struct Turn {
  /// Behind a reference, so that a turn is small and cheap to pass on.
  private final class Shared {
    let configuration: EngineConfiguration

    init(_ configuration: EngineConfiguration) {
      self.configuration = configuration
    }
  }

  private var shared: Shared
  private(set) var now = ClockReading(real: .distantPast, elapsed: .min)
  /// When the request in hand came; else this event.
  var asked = EventTime(elapsed: .min, number: 0)
  /// Events so far.
  private(set) var number: Int64 = 0
  /// What requests that waited may still cost in this event, as slices are counted.
  var room = 0
  /// What of that which is due may still be handed over in this event, as `Notification.firingCost`
  /// counts.
  var firingRoom = 0
  private var commands: [EngineCommand] = []

  init(configuration: EngineConfiguration) {
    shared = Shared(configuration)
  }

  /// Read in place: it is large, and asked for many times in each turn.
  var configuration: EngineConfiguration { _read { yield shared.configuration } }

  /// From now on these choices hold.
  mutating func adopt(_ configuration: EngineConfiguration) {
    var adopted = shared.configuration
    adopted.adopt(configuration)
    shared = Shared(adopted)
  }

  /// Begins with an event; what goes out for it is appended to `commands`, whose storage is lent
  /// until `end`.
  mutating func begin(now: ClockReading, lending commands: inout [EngineCommand]) {
    swap(&self.commands, &commands)
    self.now = now
    number += 1
    asked = EventTime(elapsed: now.elapsed, number: number)
    room = SchedulerEngine.sliceBudget
    firingRoom = SchedulerEngine.firedAtOnce
  }

  /// Gives the storage back with all that goes out.
  mutating func end(returning commands: inout [EngineCommand]) {
    swap(&self.commands, &commands)
  }

  // MARK: Commands

  /// How many go out so far.
  var commandCount: Int { commands.count }

  mutating func emit(_ command: EngineCommand) {
    commands.append(command)
  }

  /// Has the store write what has happened; it does not answer.
  mutating func record(_ record: StoreRecord) {
    commands.append(.store(0, .record(record)))
  }

  mutating func log(_ level: LogLevel, _ text: String) {
    commands.append(.log(level, text))
  }

  /// Tells those who watch.
  mutating func tell(_ event: WatchEvent) {
    commands.append(.event(event))
  }

  /// Takes back what those who watch would have been told after the first `count` commands.
  mutating func dropEvents(after count: Int) {
    let added = commands[count...].filter {
      if case .event = $0 { false } else { true }
    }
    commands.removeSubrange(count...)
    commands += added
  }

  // MARK: Time

  /// T10; what has a tolerance is on time for as long (T12).
  func isLate(_ due: Instant, tolerance: Int64) -> Bool {
    now.real.nanoseconds(since: due) > configuration.grace + tolerance
  }

  /// What the real clock shows at an instant of the elapsed one.
  func realDue(elapsed due: Int64) -> Instant {
    now.real.advanced(by: due.subtractingReportingOverflow(now.elapsed).partialValue)
  }
}
