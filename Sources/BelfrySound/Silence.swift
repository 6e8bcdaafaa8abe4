import BelfryCore
import BelfrySystem
import CALSA

/// Silence that keeps an output awake until its next sound comes (E11).
///
/// It runs out just after the sound is due, so that the sound, which is written behind it, is heard
/// then. A sound that does not come is not heard: nothing of it is written before it is handed over.
struct Silence: Sendable {
  /// So much is written ahead of what is heard, but so little that a sound need not wait.
  private static let ahead = 150 * Nanoseconds.millisecond
  private static let margin = 10 * Nanoseconds.millisecond
  /// The clock may be so late with a sound.
  static let patience = 250 * Nanoseconds.millisecond
  /// How long an output is kept awake after a sound, for what comes next: it sounds again after 3 s.
  static let afterSound = 4 * Nanoseconds.second

  /// The device is opened as this sound needs it.
  let sound: SoundFile
  let devices: [String]
  /// When the sound is due, on the elapsed clock.
  let due: Int64
  let control: PlaybackControl

  /// Runs until its time is over, it is stopped, or something waits for the output, which `bell` tells.
  func run(on output: inout OpenOutput, bell: Int32, somethingWaits: () -> Bool) {
    calsa_silence()
    guard let device = open(&output, bell, somethingWaits) else { return }
    output.wakefulness.begin(at: SystemClock.elapsed())
    var isGood = true
    do throws(PCMError) {
      try fill(device, bell, somethingWaits)
    } catch {
      isGood = false
    }
    if isGood, somethingWaits() {
      output.keep(device)
    } else {
      control.guarding(device.name) { device.close() }
    }
    output.wakefulness.end(at: SystemClock.elapsed())
  }

  private func open(
    _ output: inout OpenOutput, _ bell: Int32, _ somethingWaits: () -> Bool
  ) -> PCMDevice? {
    if let device = output.take(for: sound, in: devices, control) { return device }
    while !control.isStopped, !somethingWaits(), SystemClock.elapsed() < due {
      var isBusy = false
      for name in devices {
        do throws(PCMError) {
          return try control.guarding(name) { () throws(PCMError) in
            try PCMDevice(name: name, for: sound)
          }
        } catch {
          isBusy = isBusy || error.isBusy
        }
      }
      // Whoever plays the sound says that there is no device.
      if !isBusy { return nil }
      _ = Poll.wait(bell, .readable, milliseconds: 100)
    }
    return nil
  }

  private func fill(
    _ device: PCMDevice, _ bell: Int32, _ somethingWaits: () -> Bool
  ) throws(PCMError) {
    try control.guarding(device.name) { () throws(PCMError) in try device.makeReady() }
    /// When all that was written will have been heard.
    var end = Int64.min
    while !control.isStopped, !somethingWaits() {
      let now = SystemClock.elapsed()
      if now >= due + Self.patience { return }
      let goal = max(min(now + Self.ahead, due + Self.margin), now + Self.margin)
      end = max(end, now)
      let frames = Int((goal - end) * Int64(device.rate) / Nanoseconds.second)
      if frames > 0 {
        let written = try write(frames, to: device)
        end += Int64(written) * Nanoseconds.second / Int64(device.rate)
      }
      let isNear = due - now < 2 * Self.ahead
      _ = Poll.wait(bell, .readable, milliseconds: isNear ? 3 : 40)
    }
  }

  /// How many frames it took; where it ran dry, it begins again.
  private func write(_ frames: Int, to device: PCMDevice) throws(PCMError) -> Int {
    let bytes = [UInt8](
      repeating: device.shape.silence, count: frames * device.shape.bytes * device.channels)
    do throws(PCMError) {
      return try play(bytes, on: device)
    } catch {
      guard error.status == CALSA_UNDERRUN || error.status == CALSA_SUSPENDED else { throw error }
      _ = try control.guarding(device.name) { () throws(PCMError) in
        try device.recover(from: error, force: true)
      }
    }
    return try play(bytes, on: device)
  }

  private func play(_ bytes: [UInt8], on device: PCMDevice) throws(PCMError) -> Int {
    try control.guarding(device.name) { () throws(PCMError) in
      let written = try write(bytes, to: device)
      try device.start()
      return written
    }
  }

  private func write(_ bytes: [UInt8], to device: PCMDevice) throws(PCMError) -> Int {
    var written = 0
    var failure: PCMError?
    bytes.withUnsafeBytes { buffer in
      do throws(PCMError) { written = try device.write(buffer, milliseconds: 0) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return written
  }
}
