/// What the speaker's threads tell its main one.
enum SpeakerEvent: Sendable {
  case loaded(app: String, name: String, SoundChoice)
  /// The first frames of the player's run went to a device.
  case started(run: Int, device: String)
  case finished(run: Int, Playback.End)
}
