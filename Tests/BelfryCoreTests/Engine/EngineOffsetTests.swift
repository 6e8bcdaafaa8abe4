import Testing

@testable import BelfryCore

/// Offsets and several rules, from the request to the hand-over (E4, E5).
@Suite struct EngineOffsetTests {
  private static func rule(_ text: String) -> RecurrenceRule { try! RecurrenceRule.parse(text) }

  private func refused(_ reply: Reply?) -> FieldError? {
    guard case .refused(.invalidField(let error))? = reply else { return nil }
    return error
  }

  @Test func E4_aOneShotIsDueBeforeItsDate() throws {
    let world = World()
    let reply = try #require(
      world.schedule("tea", in: 3600) { $0.offset = DueOffset(seconds: -900) })
    #expect(reply.next == world.at(2700) && reply.occurrence?.k == 0)
    #expect(world.listing("tea")?.next == world.at(2700))
    #expect(world.next("tea").found == [world.at(2700)])
    world.advance(seconds: 2699)
    #expect(world.rung().isEmpty)
    world.advance(seconds: 2)
    #expect(world.rung() == [2700])
    #expect(world.listed().isEmpty && world.problems.isEmpty)
  }

  @Test func E4_N2_onlyADueThatIsPastIsAtOnce() throws {
    let world = World()
    // Its date is past, but it is due in ten minutes.
    world.schedule("after", in: -3000) { $0.offset = DueOffset(seconds: 3600) }
    world.schedule("before", in: 600) { $0.offset = DueOffset(seconds: -3600) }
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.occurrence.notification.identifier } == ["before"])
    world.deliveries = []
    world.restart()
    world.advance(seconds: 600)
    #expect(world.rung() == [600])
  }

  @Test func E4_D7_aRestartKeepsDueAndID() throws {
    let world = World()
    let reply = try #require(
      world.schedule("bell", in: 60, repeats: .minute) { $0.offset = DueOffset(seconds: 30) })
    #expect(reply.next == world.at(90))
    world.restart()
    world.advance(seconds: 91)
    #expect(world.deliveries.first?.occurrence.id == reply.occurrence)
    world.restart()
    world.advance(seconds: 60)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 1])
    #expect(world.rung() == [90, 150])
  }

  /// N5: what would have been due before now is none of its occurrences, whatever its date says.
  @Test func E4_N5_aRepeatBeginsWithItsNextDue() {
    let world = World()
    let early = world.schedule("early", in: 600, repeats: .hour) {
      $0.offset = DueOffset(seconds: -1800)
    }
    #expect(early?.next == world.at(2400) && early?.occurrence?.k == 1)
    let late = world.schedule("late", in: -600, repeats: .hour) {
      $0.offset = DueOffset(seconds: 1800)
    }
    #expect(late?.next == world.at(1200) && late?.occurrence?.k == 0)
  }

  @Test func E4_latenessAndExpiryAreOfTheDue() {
    let world = World()
    world.schedule("late", in: 7200, repeats: .day) { $0.offset = DueOffset(seconds: -3600) }
    world.schedule("gone", in: 7200) {
      $0.offset = DueOffset(seconds: -3600)
      $0.expires = world.at(5400)
    }
    world.sleep(seconds: 6000)
    world.send(.clock)
    world.advance(seconds: 5)
    #expect(world.rung() == [3600])
    #expect(world.store.history.values.contains { $0.state == .expired })
    // Before its due, but after its date.
    let reply = world.request(
      .schedule(
        app: "app",
        world.alert("never", in: 600) {
          $0.offset = DueOffset(seconds: 3600)
          $0.expires = world.at(1200)
        }))
    #expect(refused(reply)?.field == "expires")
  }

  @Test func E4_E1_E2_pausesAreOfTheDueAndSkipsOfTheOccurrence() throws {
    let world = World()
    world.schedule("bell", in: 3600, repeats: .hour) { $0.offset = DueOffset(seconds: -1800) }
    world.skip("bell", at: world.at(5400))
    world.pause("bell", from: 8000, until: 10_000)
    let (found, passed) = world.next("bell", count: 2)
    #expect(found == [world.at(1800), world.at(12_600)])
    #expect(passed.map { $0.first } == [world.at(5400), world.at(9000)])
    // The skip names the occurrence: another offset takes it along (E7).
    world.edit("bell") { $0.offset = DueOffset(seconds: -600) }
    #expect(world.next("bell", count: 2).found == [world.at(3000), world.at(10_200)])
    #expect(world.next("bell", count: 2).passed.map { $0.first } == [world.at(6600)])
    world.restart()
    world.advance(seconds: 14_000)
    #expect(world.rung() == [3000, 10_200, 13_800])
    #expect(world.skippedRows.map { $0.reason } == ["skipped by request"])
    #expect(world.problems.isEmpty)
  }

  @Test func E4_E7_theOffsetIsTiming() {
    let world = World()
    world.schedule("bell", in: 3600, repeats: .day)
    let reply = world.edit("bell") { $0.offset = DueOffset(seconds: -60) }
    guard case .scheduled(let edited)? = reply else { return #expect(Bool(false)) }
    #expect(!edited.unchanged && edited.next == world.at(3540))
    guard case .scheduled(let same)? = world.edit("bell", { $0.offset = DueOffset(seconds: -60) })
    else { return #expect(Bool(false)) }
    #expect(same.unchanged)
  }

  @Test func E4_T2_itFloatsWithTheBoard() throws {
    let world = World()
    world.zoneFiles["UTC"] = .utc
    world.boardZone = ("Etc/GMT-1", try ZoneFixture.rules("Etc/GMT-1"))
    world.restart()
    world.schedule("bell", in: 3600 * 5, repeats: .day) {
      ($0.timeZone, $0.zoneMode) = ("UTC", .floating)
      $0.offset = DueOffset(days: -1, seconds: -3600)
    }
    let before = try #require(world.next("bell").found.first)
    world.send(.boardZone("Etc/GMT-3", try ZoneFixture.rules("Etc/GMT-3")))
    world.advance(seconds: 1)
    #expect(world.next("bell").found.first == before.advanced(by: -2 * Nanoseconds.hour))
  }

  @Test func E4_whatHasNoTimeIsRefused() {
    let world = World()
    let reply = world.request(
      .schedule(
        app: "app",
        world.alert("tea", in: nil) {
          $0.fireIn = Nanoseconds.hour
          $0.offset = DueOffset(seconds: -60)
        }))
    #expect(refused(reply)?.field == "offset")
  }

  @Test func E5_theUnionRingsOnceAndKeepsItsIDs() throws {
    let world = World()
    let noon = World.start
    world.schedule("bell", in: 0) {
      $0.fireDate = noon.advanced(by: 3600 * Nanoseconds.second)
      $0.rrules = [Self.rule("FREQ=HOURLY"), Self.rule("FREQ=MINUTELY;INTERVAL=40;COUNT=4")]
    }
    world.advance(seconds: 3601)
    world.restart()
    world.advance(seconds: 8400)
    #expect(world.rung() == [3600, 6000, 7200, 8400, 10_800])
    let ids = world.store.history.values.map { $0.occurrence.k }
    #expect(Set(ids).count == 5)
    #expect(world.listing("bell")?.next == World.start.advanced(by: 14_400 * Nanoseconds.second))
  }

  @Test func E5_E7_rulesAreTiming() {
    let world = World()
    world.schedule("bell", in: 3600) { $0.rrule = Self.rule("FREQ=DAILY") }
    world.edit("bell") {
      $0.rrule = nil
      $0.rrules = [Self.rule("FREQ=DAILY"), Self.rule("FREQ=DAILY;BYHOUR=14")]
    }
    #expect(
      world.next("bell", count: 3).found == [world.at(3600), world.at(7200), world.at(90_000)])
  }

  @Test func E5_A2_rulesThatCostTooMuchTogetherAreRefused() {
    let world = World()
    let never = Self.rule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
    let one = world.request(
      .schedule(app: "app", world.alert("one", in: 60) { $0.rrule = never }))
    #expect(refused(one)?.reason.contains("steps") == false)
    let many = world.request(
      .schedule(
        app: "app",
        world.alert("many", in: 60) { $0.rrules = [RecurrenceRule](repeating: never, count: 8) }))
    #expect(refused(many)?.field == "rrules")
    #expect(refused(many)?.reason.contains("steps") == true)
  }
}
