import BelfryCore
import BelfrySystem
import BelfryWire

/// What the speaker is told beside deliveries.
extension Daemon {
  /// Something is due for a sink, now or soon.
  func prepare(_ sink: SinkIndex, _ occurrence: Occurrence) {
    guard let child = child(sink) else { return }
    let now = SystemClock.elapsed()
    child.prepare(occurrence, now: now)
    // No display is to light up for what will not be heard.
    guard child.isSpeaker, wakesOutputs, let name = occurrence.soundName,
      scheduler.silence(volume: occurrence.volume, occurrence.level, at: occurrence.due) == nil
    else { return }
    child.send(
      .keepAwake(occurrence.id, app: occurrence.app, name: name, due: occurrence.due), now: now)
  }

  func tellSpeakers(_ message: MessageToChild) {
    for child in children where child.isSpeaker {
      child.send(message, now: SystemClock.elapsed())
    }
  }

  /// Some output is slow to wake (E11).
  var wakesOutputs: Bool { configuration.scheduler.sounds.wake > 0 }
}
