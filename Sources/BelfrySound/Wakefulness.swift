import BelfryCore

/// Since when an output has had a signal: one that sleeps needs some time to wake (E11). Times are on
/// the elapsed clock.
struct Wakefulness {
  /// No output falls asleep in so short a break.
  static let shortBreak = Nanoseconds.second

  private var since: Int64 = .max
  private var until: Int64?

  /// A signal begins, or goes on.
  mutating func begin(at now: Int64) {
    if since == .max || until.map({ now - $0 > Self.shortBreak }) == true { since = now }
    until = nil
  }

  /// The signal ends.
  mutating func end(at now: Int64) {
    until = now
  }

  /// How long it still needs a signal until it is awake, if it has one.
  func lack(of wake: Int64, at now: Int64) -> Int64 {
    since == .max ? wake : max(0, wake - max(0, now - since))
  }
}

/// A player's output between its sounds: the device that stays open, so that it stays awake.
struct OpenOutput {
  var wakefulness = Wakefulness()
  private var device: PCMDevice?

  /// The open device, if this sound may be played on it as it is; any other is closed.
  mutating func take(
    for sound: SoundFile, in names: [String], _ control: PlaybackControl
  ) -> PCMDevice? {
    guard let device else { return nil }
    self.device = nil
    if device.suits(sound), names.contains(where: { ByteString($0) == ByteString(device.name) }) {
      return device
    }
    control.guarding(device.name) { device.close() }
    return nil
  }

  mutating func keep(_ device: PCMDevice) {
    self.device = device
  }
}
