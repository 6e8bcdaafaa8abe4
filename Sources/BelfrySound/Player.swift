import BelfrySystem

/// The thread that plays on one output, one sound after the other.
///
/// It may hang for ever inside ALSA: then it is left behind and another takes its place.
final class Player: Sendable {
  private enum Order: Sendable {
    case play(run: Int, Playback)
    case keepAwake(Silence)
  }

  private let orders: Mailbox<Order>
  private let thread: Thread

  init(_ events: Mailbox<SpeakerEvent>) throws(SystemError) {
    let orders = try Mailbox<Order>()
    self.orders = orders
    thread = try Thread.start(name: "player", stackSize: 256 << 10) {
      var output = OpenOutput()
      var waiting: [Order] = []
      func isWanted() -> Bool { !waiting.isEmpty || orders.count > 0 }
      while true {
        if waiting.isEmpty { waiting = orders.wait() }
        switch waiting.removeFirst() {
        case .play(let run, let playback):
          let end = playback.run(on: &output) { device in
            events.send(.started(run: run, device: device))
          }
          events.send(.finished(run: run, end))
          guard let silence = playback.silence(after: end) else { continue }
          silence.run(on: &output, bell: orders.descriptor, somethingWaits: isWanted)
        case .keepAwake(let silence):
          silence.run(on: &output, bell: orders.descriptor, somethingWaits: isWanted)
        }
      }
    }
  }

  func play(run: Int, _ playback: Playback) {
    orders.send(.play(run: run, playback))
  }

  /// From when it has nothing to play.
  func keepAwake(_ silence: Silence) {
    orders.send(.keepAwake(silence))
  }
}

extension Playback {
  /// What keeps its output awake for a moment; nil: nothing has to.
  fileprivate func silence(after end: End) -> Silence? {
    guard wake > 0, case .played(let device, _) = end else { return nil }
    return Silence(
      sound: sound, devices: [device], due: SystemClock.elapsed() + Silence.afterSound,
      control: control)
  }
}
