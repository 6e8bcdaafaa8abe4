/// Pings the service manager while the loop and the store both answers; a loop that hangs never gets
/// here, and without the store's answer to the last question there is no ping.
struct Watchdog {
  /// Between pings, in nanoseconds.
  let interval: Int64
  private(set) var deadline: Int64
  private var answer = Answer()

  private final class Answer {
    var isThere = true
  }

  init(interval: Int64, now: Int64) {
    self.interval = interval
    deadline = now
  }

  mutating func tick(_ daemon: Daemon, now: Int64) {
    guard now >= deadline else { return }
    deadline = now + interval
    guard answer.isThere else { return }
    daemon.notifier.watchdog()
    answer.isThere = false
    daemon.askStore { [answer] in answer.isThere = true }
  }
}
