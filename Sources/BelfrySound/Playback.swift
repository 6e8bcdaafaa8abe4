import BelfryCore
import BelfrySystem
import CALSA

/// Plays one sound on the first device that will have it, on the calling thread (S5).
public struct Playback: Sendable {
  public enum End: Hashable, Sendable {
    /// `lost`: devices that went away in mid-sound, and why; empty: none.
    case played(device: String, lost: String)
    case stopped
    /// Nothing could be opened, or the device was lost and none took over; why, by device.
    case noDevice(String)
    /// Busy until the deadline.
    case busy(String)
  }

  /// How often a busy device is asked again.
  private static let retryDelay: Int64 = 100_000_000
  /// How often a wait looks whether the sound is to stop: a critical one begins within 50 ms (S6).
  private static let attention: Int64 = 10_000_000
  /// A device that takes nothing for so long is lost.
  private static let stall: Int64 = 3_000_000_000
  /// A suspended device has so long to wake before it is started over.
  private static let resumeLimit: Int64 = 2_000_000_000

  let sound: SoundFile
  let gain: Double
  /// Tried in order.
  let devices: [String]
  /// In CLOCK_BOOTTIME nanoseconds: busy devices are asked again until then.
  let deadline: Int64
  let control: PlaybackControl
  /// How it fades in (E11); nil: it does not.
  let fade: SoundFade?
  /// How long its output takes to wake (E11).
  let wake: Int64

  public init(
    sound: SoundFile, gain: Double, devices: [String], deadline: Int64, control: PlaybackControl,
    fade: SoundFade? = nil, wake: Int64 = 0
  ) {
    self.fade = fade
    self.wake = wake
    self.sound = sound
    self.gain = gain
    self.devices = devices
    self.deadline = deadline
    self.control = control
  }

  /// Plays to the end; calls `started` once, when the first frames went to a device.
  func run(on output: inout OpenOutput, started: (String) -> Void) -> End {
    calsa_silence()
    guard let decoder = try? sound.decoder() else {
      return .noDevice("the sound cannot be decoded")
    }
    var names = devices
    var lost = ""
    var hasStarted = false
    while true {
      let device: PCMDevice
      let kept = output.take(for: sound, in: names, control)
      switch kept.map({ Opening.device($0) })
        ?? open(names, until: hasStarted ? SystemClock.elapsed() : deadline)
      {
      case .device(let opened): device = opened
      case .end(.noDevice(let why)):
        return .noDevice(lost.isEmpty ? why : "\(lost); \(why)")
      case .end(let end): return end
      }
      output.wakefulness.begin(at: SystemClock.elapsed())
      defer { output.wakefulness.end(at: SystemClock.elapsed()) }
      do throws(PCMError) {
        let isWhole = try pump(decoder, to: device, output.wakefulness) { name in
          if !hasStarted { started(name) }
          hasStarted = true
        }
        if isWhole, wake > 0 {
          output.keep(device)
        } else {
          control.guarding(device.name) {
            if !isWhole { device.drop() }
            device.close()
          }
        }
        return isWhole ? .played(device: device.name, lost: lost) : .stopped
      } catch {
        control.guarding(device.name) { device.close() }
        // Lost in mid-sound: the next device goes on where this one stopped.
        lost += (lost.isEmpty ? "" : "; ") + "\(device.name): \(error.text)"
        names.removeAll { ByteString($0) == ByteString(device.name) }
        if names.isEmpty { return .noDevice(lost) }
      }
    }
  }

  private enum Opening {
    case device(PCMDevice)
    case end(End)
  }

  private func open(_ names: [String], until deadline: Int64) -> Opening {
    while true {
      var reasons: [String] = []
      var busy = false
      for name in names {
        if control.isStopped { return .end(.stopped) }
        do throws(PCMError) {
          let device = try control.guarding(name) { () throws(PCMError) in
            try PCMDevice(name: name, for: sound)
          }
          return .device(device)
        } catch {
          busy = busy || error.isBusy
          reasons.append("\(name): \(error.text)")
        }
      }
      let why = reasons.joined(separator: "; ")
      if !busy { return .end(.noDevice(why)) }
      let left = deadline - SystemClock.elapsed()
      if left <= 0 { return .end(.busy(why)) }
      pause(min(Self.retryDelay, left))
    }
  }

  /// Plays to the end of the sound; false: stopped.
  private func pump(
    _ decoder: SoundDecoder, to device: PCMDevice, _ wakefulness: Wakefulness,
    started: (String) -> Void
  ) throws(PCMError) -> Bool {
    let now = SystemClock.elapsed()
    let lack = wakefulness.lack(of: wake, at: now)
    if try !writeSilence(lack, to: device) { return false }
    let map = ChannelMap(of: sound, channels: device.channels, places: device.places)
    var pipeline = SamplePipeline(
      decoder, shape: device.shape, map: map, rate: device.rate, gain: gain,
      fade: fade.map { (max(now + lack, SystemClock.elapsed()), $0) })
    var bytes: [UInt8] = []
    // A file that breaks off in mid-sound ends there: its length was checked before.
    while (try? pipeline.next(&bytes)) == true {
      if try !write(bytes, to: device, started: started) { return false }
    }
    let limit = SystemClock.elapsed() + Self.stall
    while try !control.guarding(device.name, { () throws(PCMError) in try device.drain() }) {
      if control.isStopped { return false }
      if SystemClock.elapsed() > limit { throw PCMError(CALSA_AGAIN, "drain") }
      Process.sleep(Self.attention)
    }
    return true
  }

  /// What comes without notice waits until its output is awake: a short sound would be lost whole.
  private func writeSilence(_ length: Int64, to device: PCMDevice) throws(PCMError) -> Bool {
    var left = Int(length * Int64(device.rate) / Nanoseconds.second)
    let frameBytes = device.shape.bytes * device.channels
    while left > 0 {
      let frames = min(left, 1024)
      let bytes = [UInt8](repeating: device.shape.silence, count: frames * frameBytes)
      if try !write(bytes, to: device, started: { _ in }) { return false }
      left -= frames
    }
    return true
  }

  /// Writes all of it through underruns and suspends; false: stopped.
  private func write(
    _ bytes: [UInt8], to device: PCMDevice, started: (String) -> Void
  ) throws(PCMError) -> Bool {
    var done = 0
    let frameBytes = device.shape.bytes * device.channels
    var progress = SystemClock.elapsed()
    while done < bytes.count {
      if control.isStopped { return false }
      var frames = 0
      do throws(PCMError) {
        frames = try control.guarding(device.name) { () throws(PCMError) in
          try write(bytes, from: done, to: device)
        }
      } catch {
        guard error.status == CALSA_UNDERRUN || error.status == CALSA_SUSPENDED else {
          throw error
        }
        // Recovering again and again without a frame in between is a device that is lost.
        if SystemClock.elapsed() - progress > Self.stall { throw error }
        try recover(device, from: error)
        continue
      }
      if frames > 0 {
        started(device.name)
        done += frames * frameBytes
        progress = SystemClock.elapsed()
      } else if SystemClock.elapsed() - progress > Self.stall {
        throw PCMError(CALSA_AGAIN, "write")
      }
    }
    return true
  }

  private func write(
    _ bytes: [UInt8], from offset: Int, to device: PCMDevice
  ) throws(PCMError) -> Int {
    var frames = 0
    var failure: PCMError?
    bytes.withUnsafeBytes { buffer in
      let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
      do throws(PCMError) { frames = try device.write(rest, milliseconds: 20) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return frames
  }

  private func recover(_ device: PCMDevice, from error: PCMError) throws(PCMError) {
    let limit = SystemClock.elapsed() + Self.resumeLimit
    while !control.isStopped {
      let force = SystemClock.elapsed() > limit
      let isReady = try control.guarding(device.name) { () throws(PCMError) in
        try device.recover(from: error, force: force)
      }
      if isReady { return }
      pause(Self.retryDelay)
    }
  }

  /// Sleeps, but not when the sound is to stop.
  private func pause(_ nanoseconds: Int64) {
    let end = SystemClock.elapsed() + nanoseconds
    while !control.isStopped {
      let left = end - SystemClock.elapsed()
      if left <= 0 { return }
      Process.sleep(min(left, Self.attention))
    }
  }
}
