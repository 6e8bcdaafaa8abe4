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

  /// Warnings: all of it may be in the books of an earlier build, and be edited or replaced.
  @Test func A4_E6_R2_N11_whatComesOfNothingIsSaid() {
    let world = World { $0.owner = World.alice.uid }
    let warnings = { (change: (inout Notification) -> Void) in
      world.schedule("tea", in: 60, change)?.warnings
    }
    let badge = { (change: (inout Notification) -> Void) in
      warnings {
        ($0.alertBody, $0.applicationIconBadgeNumber) = (nil, 3)
        change(&$0)
      }
    }
    let realert = Realert(every: Nanoseconds.minute)
    let unseen = "nothing shows its badge: no plugin does; belfry badge prints it"
    #expect(badge { _ in } == [unseen])
    #expect(
      badge { $0.realert = realert } == [
        unseen, "realert: there is nothing to show or sound again",
      ])
    #expect(
      badge { $0.ladder = [LadderStep(after: 0)] }
        == [unseen, "ladder: there is nothing to show or sound"])
    #expect(badge { $0.ladder = [LadderStep(after: 0, sound: "a.wav")] } == [])
    #expect(badge { ($0.realert, $0.soundName) = (realert, "a.wav") } == [])
    #expect(
      warnings { $0.badgeOperation = .add }
        == ["badgeOperation: there is no applicationIconBadgeNumber that it could add"])
    #expect(warnings { $0.badgeOperation = .clear } == [])
    #expect(
      warnings { $0.regionTriggersOnce = false } == ["regionTriggersOnce: there is no region"])
    let crossing = world.schedule("home") {
      $0.region = CircularRegion(latitude: 1, longitude: 2, radius: 3)
      ($0.tolerance, $0.realert) = (Nanoseconds.second, realert)
    }
    #expect(
      crossing?.warnings == [
        "it waits for a first fix: nobody has said yet where the board is",
        "tolerance: what has a region comes as the board crosses it",
      ])
    #expect(warnings { $0.volume = 0.5 } == ["volume: there is no soundName"])
  }

  @Test func A4_E6_whatComesOnlyAfterItExpiresIsSaid() {
    let world = World()
    let realert = Realert(every: 5 * Nanoseconds.minute)
    let steps = [0, 300, 600].map { LadderStep(after: $0 * Nanoseconds.second) }
    let warnings = { (minutes: Int64, change: (inout Notification) -> Void) in
      world.schedule("tea", in: 60) {
        $0.expires = World.start.advanced(by: minutes * Nanoseconds.minute)
        change(&$0)
      }?.warnings
    }
    #expect(warnings(10) { ($0.realert, $0.ladder) = (realert, Array(steps.prefix(2))) } == [])
    #expect(
      warnings(3) { $0.realert = realert }
        == ["it expires before it comes again: its realert has no effect"])
    #expect(
      warnings(8) { $0.ladder = steps }
        == ["it expires before step 3 of its ladder"])
    #expect(
      warnings(3) { $0.ladder = steps }
        == ["it expires before steps 2 to 3 of its ladder"])
    #expect(world.schedule("old") { $0.expires = World.start.advanced(by: -1) } == nil)
    let repeating = world.schedule("daily", in: 60, repeats: .day) {
      $0.expires = World.start.advanced(by: 10 * Nanoseconds.minute)
    }
    let end = RFC3339.text(World.start.advanced(by: 10 * Nanoseconds.minute))
    #expect(repeating?.warnings == ["nothing of its repeat is shown after it expires: " + end])
  }

  @Test func A4_E6_whatANewerOccurrenceEndsIsSaid() throws {
    let world = World()
    let steps = [0, 7200].map { LadderStep(after: $0 * Nanoseconds.second) }
    let ladder = "the next may be due before step 2 of its ladder: that ends the ladder of this one"
    let realert = "the next may be due before this one comes again: that ends its realert"
    let warnings = { (unit: RepeatUnit?, change: (inout Notification) -> Void) in
      world.schedule("tea", in: 60, repeats: unit, change)?.warnings
    }
    #expect(warnings(.hour) { $0.ladder = steps } == [ladder])
    #expect(warnings(.day) { $0.ladder = steps } == [])
    #expect(warnings(nil) { $0.ladder = steps } == [])
    let hourly = Realert(every: Nanoseconds.hour)
    #expect(warnings(.hour) { $0.realert = hourly } == [realert])
    #expect(warnings(.hour) { ($0.every, $0.realert) = (2, hourly) } == [])
    let rule = try RecurrenceRule.parse("FREQ=DAILY;BYHOUR=7,8;BYMINUTE=0;BYSECOND=0")
    #expect(warnings(nil) { ($0.rrule, $0.ladder) = (rule, steps) } == [ladder])
    let weekly = try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=MO")
    #expect(
      warnings(nil) { ($0.rrule, $0.realert) = (weekly, Realert(every: 24 * Nanoseconds.hour)) }
        == [])
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
