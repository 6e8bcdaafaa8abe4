import BelfrySystem

/// The thread that plays, one sound after the other.
///
/// It may hang for ever inside ALSA: then it is left behind and another takes its place.
final class Player: Sendable {
  private struct Run: Sendable {
    var number: Int
    var playback: Playback
  }

  private let runs: Mailbox<Run>
  private let thread: Thread

  init(_ events: Mailbox<SpeakerEvent>) throws(SystemError) {
    let runs = try Mailbox<Run>()
    self.runs = runs
    thread = try Thread.start(name: "player", stackSize: 256 << 10) {
      while true {
        for run in runs.wait() {
          let end = run.playback.run { device in
            events.send(.started(run: run.number, device: device))
          }
          events.send(.finished(run: run.number, end))
        }
      }
    }
  }

  func play(run: Int, _ playback: Playback) {
    runs.send(Run(number: run, playback: playback))
  }
}
