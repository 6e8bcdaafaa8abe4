import BelfryCore
import BelfrySystem

/// The log: a bounded queue that a thread of its own writes to standard error.
///
/// Whoever logs never waits: when the journal or the terminal stands still, lines beyond the bound
/// are counted instead of kept.
public final class LogRing: @unchecked Sendable {
  /// Lines that may wait.
  public static let bound = 512

  private enum Entry: Sendable {
    case line(LogLevel, String)
    case stop
  }

  private let mailbox: Mailbox<Entry>
  private let done: EventDescriptor
  private let output: Int32
  private let prefixes: Bool
  private let mutex = Mutex()
  // Under the mutex.
  private var mostTalkative: LogLevel
  private var dropped = 0
  private var thread: Thread?

  /// Lines more talkative than `most` are dropped. `prefixes`: `<3>` and its like before each line,
  /// which the journal reads, as it knows the time (sd-daemon(3)); else each line has the time in UTC.
  public init(output: Int32, prefixes: Bool, most: LogLevel = .info) throws(SystemError) {
    mailbox = try Mailbox()
    done = try EventDescriptor()
    self.output = output
    self.prefixes = prefixes
    mostTalkative = most
  }

  /// Lines more talkative than this are dropped; from any thread.
  public var most: LogLevel {
    get { mutex.withLock { mostTalkative } }
    set { mutex.withLock { mostTalkative = newValue } }
  }

  /// Starts the writing thread.
  public func start() throws(SystemError) {
    thread = try Thread.start(name: "log", stackSize: 64 * 1024) { self.serve() }
  }

  /// From any thread; never waits.
  public func log(_ level: LogLevel, _ text: String) {
    if level.rawValue > most.rawValue { return }
    if mailbox.count >= LogRing.bound {
      mutex.withLock { dropped += 1 }
    } else {
      mailbox.send(.line(level, text))
    }
  }

  /// Writes what waits, for at most `milliseconds`.
  public func stop(milliseconds: Int32 = 200) {
    mailbox.send(.stop)
    _ = Poll.wait(done.descriptor.raw, .readable, milliseconds: milliseconds)
  }

  private func serve() {
    while true {
      for entry in mailbox.wait() {
        switch entry {
        case .line(let level, let text): write(level, text)
        case .stop: return done.ring()
        }
      }
      let lost = mutex.withLock {
        defer { dropped = 0 }
        return dropped
      }
      if lost > 0 { write(.warning, "\(lost) lines of this log were dropped") }
    }
  }

  private static func head(_ level: LogLevel) -> String {
    let microseconds = SystemClock.real().nanoseconds / 1000
    let time = RFC3339.text(Instant(nanoseconds: microseconds * 1000))
    switch level {
    case .error: return time + " belfryd: error: "
    case .warning: return time + " belfryd: warning: "
    default: return time + " belfryd: "
    }
  }

  /// One line whatever the text: what comes from outside must not forge others.
  private func write(_ level: LogLevel, _ text: String) {
    var line = Array((prefixes ? "<\(level.rawValue)>" : Self.head(level)).utf8)
    for byte in text.utf8.prefix(2048) {
      line.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte)
    }
    line.append(0x0A)
    try? Output.write(line, to: output)
  }
}
