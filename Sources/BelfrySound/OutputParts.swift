import BelfryCore

/// One sound on one of its outputs.
struct OutputPart {
  let output: SoundOutput
  /// Of the player, a new one after each hang.
  var run: Int
  /// nil: it could not begin.
  var playback: Playback?
  var hasStarted = false
  var end: Playback.End?
}

/// One sound on all of its outputs: what has become of it in all.
struct OutputParts {
  var parts: [OutputPart] = []
  /// Until when outputs that have not begun are waited for; nil: it has been played on none yet.
  private var patientUntil: Int64?

  /// How long others may still begin after one has played it: a slow board opens a second device late,
  /// and a hung one must not hold up the next sound.
  static let patience = 2 * Nanoseconds.second

  /// It is to be heard on none of them any more.
  func stop() {
    for part in parts { part.playback?.control.stop() }
  }

  /// The first frames of a run went to a device; false: it is none of these.
  mutating func noteStart(of run: Int) -> Bool {
    guard let place = parts.firstIndex(where: { $0.run == run }) else { return false }
    parts[place].hasStarted = true
    return true
  }

  /// A run has ended; the sound's end, if that was the last.
  mutating func noteEnd(of run: Int, _ end: Playback.End, at now: Int64) -> Playback.End? {
    guard let place = parts.firstIndex(where: { $0.run == run && $0.end == nil }) else {
      return nil
    }
    parts[place].end = end
    if case .played = end { patientUntil = patientUntil ?? now + Self.patience }
    return whole
  }

  /// Where it has been played on one output, those that do not begin for too long leave it.
  func stopLate(at now: Int64) {
    guard let patientUntil, patientUntil <= now else { return }
    for part in parts where part.end == nil && !part.hasStarted { part.playback?.control.stop() }
  }

  /// nil: it is not over.
  var whole: Playback.End? {
    var devices: [String] = []
    var lost: [String] = []
    var busy: [String] = []
    var missing: [String] = []
    var isStopped = false
    var isRefused = false
    for part in parts {
      switch part.end {
      case nil: return nil
      case .played(let device, let reason):
        devices.append(device)
        if !reason.isEmpty { lost.append(reason) }
      case .stopped where !part.hasStarted:
        isRefused = true
        busy.append(part.named("it was not ready in time"))
      case .stopped: isStopped = true
      case .busy(let reason): busy.append(part.named(reason))
      case .noDevice(let reason): missing.append(part.named(reason))
      }
    }
    if !devices.isEmpty {
      return .played(
        device: devices.joined(separator: ", "),
        lost: (lost + busy + missing).joined(separator: "; "))
    }
    if isStopped || isRefused { return .stopped }
    let reasons = (busy + missing).joined(separator: "; ")
    return busy.isEmpty ? .noDevice(reasons) : .busy(reasons)
  }
}

extension OutputPart {
  fileprivate func named(_ reason: String) -> String {
    output.name.isEmpty ? reason : "output \(output.name): \(reason)"
  }
}
