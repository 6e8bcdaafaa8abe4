import BelfryCore
import Testing

@testable import BelfrySound

/// Outputs that are slow to wake: how long they need, what for, and what becomes of a sound on several.
@Suite struct WakingTests {
  private static let second = Nanoseconds.second

  @Test func E11_whatSleepsNeedsItsWholeTimeAndWhatIsHeardNone() {
    var output = Wakefulness()
    #expect(output.lack(of: 2 * Self.second, at: 5 * Self.second) == 2 * Self.second)
    output.begin(at: 10 * Self.second)
    #expect(output.lack(of: 2 * Self.second, at: 11 * Self.second) == Self.second)
    #expect(output.lack(of: 2 * Self.second, at: 12 * Self.second) == 0)
    #expect(output.lack(of: 2 * Self.second, at: 90 * Self.second) == 0)
  }

  @Test func E11_aShortBreakWakesNobody() {
    var output = Wakefulness()
    output.begin(at: 10 * Self.second)
    output.end(at: 20 * Self.second)
    output.begin(at: 21 * Self.second)
    #expect(output.lack(of: 5 * Self.second, at: 21 * Self.second) == 0)
    output.end(at: 30 * Self.second)
    output.begin(at: 32 * Self.second)
    #expect(output.lack(of: 5 * Self.second, at: 32 * Self.second) == 5 * Self.second)
  }

  private func entry(_ number: UInt64, due: Int64) -> WakeList.Entry {
    let id = OccurrenceID(uuid: UUIDBits(high: 0, low: number), generation: 0, k: 0)
    return WakeList.Entry(
      occurrence: id, app: "app\(number)", name: "bell",
      due: Instant(nanoseconds: due * Self.second))
  }

  private func next(_ list: WakeList, at now: Int64, app: String? = nil) -> UInt64? {
    list.next(within: 5 * Self.second, at: Instant(nanoseconds: now * Self.second)) {
      app == nil || $0.app == app
    }?.occurrence.uuid.low
  }

  @Test func E11_theSoonestOfAnOutputKeepsItAwake() {
    var list = WakeList()
    list.add(entry(1, due: 30))
    list.add(entry(2, due: 20))
    #expect(next(list, at: 14) == nil)
    #expect(next(list, at: 15) == 2)
    #expect(next(list, at: 15, app: "app1") == nil)
    #expect(next(list, at: 25, app: "app1") == 1)
    #expect(list.pause(before: 5 * Self.second, at: Instant(nanoseconds: 0)) == 15 * Self.second)
  }

  @Test func E11_whatMovesIsCancelledOrNeverComesKeepsNothingAwake() {
    var list = WakeList()
    list.add(entry(1, due: 20))
    list.add(entry(1, due: 40))
    #expect(next(list, at: 18) == nil)
    #expect(next(list, at: 36) == 1)
    list.remove(entry(1, due: 0).occurrence)
    #expect(list.isEmpty)
    list.add(entry(2, due: 20))
    list.prune(at: Instant(nanoseconds: 20 * Self.second + Silence.patience))
    #expect(!list.isEmpty)
    list.prune(at: Instant(nanoseconds: 20 * Self.second + Silence.patience + 1))
    #expect(list.isEmpty)
  }

  @Test func E11_aWakeListHasABound() {
    var list = WakeList()
    for number in 0...UInt64(WakeList.most) { list.add(entry(number, due: 100 - Int64(number))) }
    #expect(next(list, at: 100, app: "app0") == nil)
    #expect(next(list, at: 100, app: "app1") == 1)
  }

  // MARK: Several outputs

  private func parts(_ names: String...) throws -> OutputParts {
    let sound = SoundResolver.builtInTone(because: nil).sound
    var parts = OutputParts()
    for (place, name) in names.enumerated() {
      let playback = Playback(
        sound: sound, gain: 1, devices: [name], deadline: 0, control: PlaybackControl())
      parts.parts.append(
        OutputPart(output: SoundOutput(name: name), run: place + 1, playback: playback))
    }
    return parts
  }

  @Test func S5_aSoundIsHeardWhereOneOfItsOutputsHasADevice() throws {
    var parts = try parts("amplifier", "kitchen")
    let first = parts.noteEnd(of: 1, .noDevice("open: no such card"), at: 0)
    let second = parts.noteEnd(of: 2, .played(device: "hw:1", lost: ""), at: 0)
    #expect(first == nil)
    #expect(second == .played(device: "hw:1", lost: "output amplifier: open: no such card"))
  }

  @Test func S5_withoutAnyDeviceItHasNone() throws {
    var parts = try parts("amplifier", "kitchen")
    let first = parts.noteEnd(of: 2, .noDevice("b"), at: 0)
    let second = parts.noteEnd(of: 1, .noDevice("a"), at: 0)
    #expect(first == nil && second == .noDevice("output amplifier: a; output kitchen: b"))
  }

  @Test func S6_anOutputThatStaysBusyHoldsUpNoSoundThatWasHeard() throws {
    var parts = try parts("amplifier", "kitchen")
    let isKnown = parts.noteStart(of: 2)
    let first = parts.noteEnd(of: 2, .played(device: "hw:1", lost: ""), at: 0)
    #expect(isKnown && first == nil)
    // A slow board may still open it.
    parts.stopLate(at: OutputParts.patience - 1)
    #expect(parts.parts[0].playback?.control.isStopped == false)
    parts.stopLate(at: OutputParts.patience)
    #expect(parts.parts[0].playback?.control.isStopped == true)
    let second = parts.noteEnd(of: 1, .stopped, at: 0)
    #expect(second == .played(device: "hw:1", lost: "output amplifier: it was not ready in time"))
    var both = try self.parts("a", "b")
    _ = both.noteEnd(of: 1, .busy("x"), at: 0)
    let whole = both.noteEnd(of: 2, .noDevice("y"), at: 0)
    #expect(whole == .busy("output a: x; output b: y"))
  }

  @Test func S7_whatIsStoppedEndsAsStopped() throws {
    var parts = try parts("a", "b")
    _ = parts.noteStart(of: 1)
    parts.stop()
    let first = parts.noteEnd(of: 1, .stopped, at: 0)
    let second = parts.noteEnd(of: 2, .stopped, at: 0)
    let again = parts.noteEnd(of: 2, .stopped, at: 0)
    let isKnown = parts.noteStart(of: 7)
    #expect(first == nil && second == .stopped && again == nil && !isKnown)
  }
}
