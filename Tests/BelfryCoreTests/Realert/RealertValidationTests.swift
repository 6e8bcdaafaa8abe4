import Testing

@testable import BelfryCore

@Suite struct RealertValidationTests {
  private func refusal(_ change: (inout Notification) -> Void) -> String? {
    var notification = Notification()
    notification.alertBody = "tea"
    change(&notification)
    do throws(FieldError) {
      _ = try notification.validated()
      return nil
    } catch {
      return error.field
    }
  }

  @Test func A4_E6_realertHasBounds() {
    for every in [0, -1, 9 * Nanoseconds.second, Nanoseconds.day + 1] {
      #expect(refusal { $0.realert = Realert(every: every) } == "realert.every")
    }
    for count in [0, -1, 101] as [Int64] {
      #expect(
        refusal { $0.realert = Realert(every: Nanoseconds.minute, atMost: count) }
          == "realert.atMost")
    }
    #expect(refusal { $0.realert = Realert(every: 10 * Nanoseconds.second, atMost: 100) } == nil)
  }

  @Test func A4_E6_aLadderHasBounds() {
    let steps = { (times: [Int64]) in times.map { LadderStep(after: $0 * Nanoseconds.second) } }
    #expect(refusal { $0.ladder = steps(Array(0..<9)) } == "ladder")
    #expect(refusal { $0.ladder = steps(Array(0..<8)) } == nil)
    #expect(refusal { $0.ladder = steps([1, 1]) } == "ladder[1].after")
    #expect(refusal { $0.ladder = steps([5, 4]) } == "ladder[1].after")
    #expect(refusal { $0.ladder = steps([-1]) } == "ladder[0].after")
    // Seconds, or milliseconds, for microseconds (N2).
    for after in [1, 120_000, 9_999_000] as [Int64] {
      #expect(refusal { $0.ladder = [LadderStep(after: after)] } == "ladder[0].after")
      #expect(refusal { ($0.soundName, $0.fadeIn) = ("default", after) } == "fadeIn")
    }
    #expect(refusal { ($0.soundName, $0.fadeIn) = ("default", 10_000_000) } == nil)
    #expect(refusal { $0.ladder = [LadderStep(after: 100_000_000)] } == nil)
    #expect(refusal { $0.ladder = steps([0, 86_401]) } == "ladder[1].after")
    #expect(
      refusal { $0.ladder = [LadderStep(after: 0, volume: 2)] } == "ladder[0].volume")
    #expect(
      refusal { $0.ladder = [LadderStep(after: 0, sound: "a/b")] } == "ladder[0].sound")
    #expect(
      refusal { $0.ladder = [LadderStep(after: 0, sinks: [""])] } == "ladder[0].sinks")
  }

  @Test func D7_E6_idsOfStepsAreReadAsTheyAreWritten() {
    let id = OccurrenceID(
      uuid: UUIDBits(high: 1, low: 2), generation: 3, k: 4, snooze: 5, step: 6)
    #expect(id.text.hasSuffix(".3.4.s5.e6"))
    #expect(OccurrenceID(text: id.text) == id)
    var plain = id
    plain.snooze = 0
    #expect(plain.text.hasSuffix(".3.4.e6") && OccurrenceID(text: plain.text) == plain)
    for wrong in [".e0", ".e", ".e-1", ".e01", ".e6.s5", ".e4294967296"] {
      #expect(OccurrenceID(text: id.base.text + wrong) == nil)
    }
    #expect(id.base.isOlder(than: id) && !id.isOlder(than: id.base))
  }
}
