import BelfryCore
import BelfrySystem

/// The speaker's outputs: a thread for each, the sound that plays on them, and the devices that hang.
final class OutputDeck {
  private final class Lane {
    let name: String
    var player: Player
    /// For what it is kept awake, and until when; nil: for nothing.
    var awake: (occurrence: OccurrenceID, due: Int64, control: PlaybackControl)?
    /// Of what its thread may be at, the newest last.
    var controls: [PlaybackControl] = []

    init(_ name: String, _ player: Player) {
      self.name = name
      self.player = player
    }

    func note(_ control: PlaybackControl) {
      if controls.count > 2 { controls.removeFirst() }
      controls.append(control)
    }
  }

  private let events: Mailbox<SpeakerEvent>
  private var lanes: [Lane] = []
  private var sound = OutputParts()
  private var runs = 0
  /// Devices whose calls did not come back in this process.
  private(set) var hungDevices: [String] = []

  init(_ events: Mailbox<SpeakerEvent>) {
    self.events = events
  }

  private func lane(_ output: SoundOutput) throws(SystemError) -> Lane {
    if let lane = lanes.first(where: { output.isNamed($0.name) }) { return lane }
    let lane = Lane(output.name, try Player(events))
    lanes.append(lane)
    return lane
  }

  // MARK: The sound

  /// How a sound is to be played on each of its outputs.
  struct Order {
    var sound: SoundFile
    var gain: Double
    var deadline: Int64
    var fade: SoundFade?
  }

  /// Begins it; its end, if it can begin nowhere.
  func play(_ order: Order, on outputs: [SoundOutput]) -> Playback.End? {
    sound = OutputParts()
    for output in outputs {
      let playback = Playback(
        sound: order.sound, gain: order.gain, devices: output.devices, deadline: order.deadline,
        control: PlaybackControl(), fade: order.fade, wake: output.wake)
      var part = OutputPart(output: output, run: 0, playback: playback)
      begin(&part)
      sound.parts.append(part)
    }
    return sound.whole
  }

  private func begin(_ part: inout OutputPart) {
    runs += 1
    part.run = runs
    let devices = part.output.devices.filter { !isHung($0) }
    guard !devices.isEmpty, let playback = part.playback else {
      let hung = hungDevices.joined(separator: ", ")
      part.end = .noDevice("every device hung before: \(hung)")
      return
    }
    let again = playback.again(on: devices)
    part.playback = again
    do throws(SystemError) {
      let lane = try lane(part.output)
      lane.awake = nil
      lane.note(again.control)
      lane.player.play(run: part.run, again)
    } catch {
      part.end = .noDevice(error.text)
    }
  }

  func stop() { sound.stop() }

  func noteStart(of run: Int) -> Bool { sound.noteStart(of: run) }

  func noteEnd(of run: Int, _ end: Playback.End) -> Playback.End? {
    let whole = sound.noteEnd(of: run, end, at: SystemClock.elapsed())
    if whole != nil { sound = OutputParts() }
    return whole
  }

  // MARK: Silence

  /// Whether the sound that plays has this output.
  func isBusy(_ output: SoundOutput) -> Bool {
    sound.parts.contains { output.isNamed($0.output.name) && $0.end == nil }
  }

  /// Keeps an output awake for an occurrence that is due then, on the elapsed clock.
  func keepAwake(
    _ output: SoundOutput, for occurrence: OccurrenceID, _ sound: SoundFile, due: Int64
  ) {
    guard let lane = try? lane(output) else { return }
    if let awake = lane.awake, awake.occurrence == occurrence,
      abs(awake.due - due) < 5 * Nanoseconds.millisecond
    {
      return
    }
    let devices = output.devices.filter { !isHung($0) }
    if devices.isEmpty { return }
    rest(output)
    let control = PlaybackControl()
    lane.awake = (occurrence, due, control)
    lane.note(control)
    lane.player.keepAwake(Silence(sound: sound, devices: devices, due: due, control: control))
  }

  /// It need not be awake any more.
  func rest(_ output: SoundOutput) {
    guard let lane = lanes.first(where: { output.isNamed($0.name) }) else { return }
    lane.awake?.control.stop()
    lane.awake = nil
  }

  // MARK: Hangs

  private func isHung(_ device: String) -> Bool {
    hungDevices.contains { ByteString($0) == ByteString(device) }
  }

  /// Stops waiting for outputs that are late, and leaves threads behind that hang. `devices`: those where they do; `end`: of the sound, if it has
  /// come to that.
  func leaveHung(at now: Int64) throws(SystemError) -> (devices: [String], end: Playback.End?) {
    sound.stopLate(at: now)
    var devices: [String] = []
    for lane in lanes {
      guard let device = lane.controls.compactMap({ $0.hung(at: now) }).first else { continue }
      devices.append(device)
      hungDevices.append(device)
      lane.player = try Player(events)
      lane.awake = nil
      lane.controls = []
      for place in sound.parts.indices where sound.parts[place].output.isNamed(lane.name) {
        guard sound.parts[place].end == nil else { continue }
        if sound.parts[place].playback?.control.isStopped == true {
          sound.parts[place].end = .stopped
        } else {
          begin(&sound.parts[place])
        }
      }
    }
    guard !devices.isEmpty, !sound.parts.isEmpty, let end = sound.whole else {
      return (devices, nil)
    }
    sound = OutputParts()
    return (devices, end)
  }
}

extension Playback {
  /// The same from its beginning on, as if nothing had been heard.
  fileprivate func again(on devices: [String]) -> Playback {
    Playback(
      sound: sound, gain: gain, devices: devices, deadline: deadline, control: PlaybackControl(),
      fade: fade, wake: wake)
  }
}
