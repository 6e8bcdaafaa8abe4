import Testing

@testable import BelfryCore

@Suite struct SkipTests {
  @Test func E2_theNextOnesAreSkippedOnceEach() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    guard case .skipped(let reply)? = world.skip("bell", count: 2) else {
      return #expect(Bool(false))
    }
    #expect(reply.instants == [world.at(60), world.at(120)])
    #expect(reply.next == world.at(180))
    // The same again is the same.
    world.skip("bell", count: 2)
    world.advance(seconds: 250)
    #expect(world.rung() == [180, 240])
    #expect(world.skippedRows.count == 2)
    #expect(world.skippedRows.allSatisfy { $0.reason == "skipped by request" && $0.missed == 0 })
    #expect(world.problems.isEmpty)
  }

  @Test func E2_N19_whatExpiresBeforeItRingsAgainHasNoNext() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute) { $0.expires = world.at(200) }
    guard case .skipped(let two)? = world.skip("bell", count: 2),
      case .skipped(let three)? = world.skip("bell", count: 3)
    else { return #expect(Bool(false)) }
    #expect(two.next == world.at(180) && three.next == nil)
    let listed = world.listing("bell")
    let over = "it expires before it rings again"
    #expect(listed?.next == nil && listed?.reason == over)
    guard case .skipped(let back)? = world.unskip("bell") else { return #expect(Bool(false)) }
    #expect(back.next == world.at(60) && world.listing("bell")?.next == world.at(60))
    world.advance(seconds: 190)
    #expect(world.rung() == [60, 120, 180])
    #expect(world.listing("bell")?.state == .scheduled)
    #expect(world.listing("bell")?.next == nil && world.listing("bell")?.reason == over)
  }

  @Test func E2_D10_statusSaysThatTheNextDueIsSkippedOrPaused() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    #expect(world.scheduler.status.next?.reason == nil)
    world.skip("bell")
    #expect(world.scheduler.status.next?.due == world.at(60))
    #expect(world.scheduler.status.next?.reason == PassedRun.byRequest)
    #expect(world.scheduler.status(for: World.alice).next?.reason == PassedRun.byRequest)
    world.unskip("bell")
    world.pause("bell")
    #expect(world.scheduler.status.next?.reason?.hasPrefix("it is paused") == true)
    world.resume("bell")
    #expect(world.scheduler.status.next?.reason == nil)
  }

  @Test func E2_oneByItsInstantAndNextTellsOfIt() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    world.skip("bell", at: world.at(120))
    let (found, passed) = world.next("bell")
    #expect(found == [world.at(60), world.at(180), world.at(240)])
    #expect(passed.map { $0.first } == [world.at(120)])
    world.advance(seconds: 61)
    #expect(world.listing("bell")?.next == World.start.advanced(by: 180 * Nanoseconds.second))
    #expect(world.listing("bell")?.state == .scheduled)
    #expect(world.listing("bell")?.passed.count == 1)
    world.advance(seconds: 130)
    #expect(world.rung() == [60, 180])
  }

  @Test func E2_unskippedWhileTheyLieAhead() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    world.skip("bell", count: 4)
    guard case .skipped(let one)? = world.unskip("bell", at: world.at(120)) else {
      return #expect(Bool(false))
    }
    #expect(one.instants == [world.at(120)] && one.next == world.at(120))
    world.restart()
    world.advance(seconds: 130)
    #expect(world.rung() == [120])
    guard case .skipped(let rest)? = world.unskip("bell") else { return #expect(Bool(false)) }
    #expect(rest.instants.count == 2)
    world.advance(seconds: 120)
    #expect(world.rung() == [180, 240])
    #expect(world.store.skips.isEmpty)
  }

  @Test func E2_A2_manyCostlyOnesAreFoundInSlices() throws {
    let world = World()
    world.goesOn = false
    let rule = try RecurrenceRule.parse("FREQ=MINUTELY;INTERVAL=1441;BYHOUR=1")
    world.schedule("night", in: 60) { $0.rrule = rule }
    #expect(world.skip("night", count: 1000) == nil)
    // What comes after it finds it done.
    #expect(world.unskip("night") == nil)
    var slices = 0
    while world.scheduler.hasSlicedWork {
      world.send(.clock)
      slices += 1
    }
    #expect(slices > 15)
    let answers = world.replies.values.compactMap { reply in
      if case .skipped(let skipped) = reply { skipped.instants.count } else { nil as Int? }
    }
    #expect(answers == [1000, 1000])
    #expect(world.store.skips.isEmpty)
    world.goesOn = true
    world.skip("night", count: 3)
    world.unskip("night", at: world.next("night").passed.first?.first)
    #expect(world.scheduler.pending.details[1].skips?.skips.count == 2)
  }

  @Test(arguments: [1_900_000_000, 1_900_000_000_000] as [Int64])
  func N2_secondsAndMillisecondsAreRefusedUnlessTheClockStandsThere(_ microseconds: Int64) throws {
    let then = Instant(nanoseconds: microseconds * 1000)
    let requests: [(EverydayRequest, String)] = [
      (.pause(identifiers: [], from: then, until: nil), "from"),
      (.pause(identifiers: [], from: nil, until: then), "until"),
      (.skipAt(identifier: "a", then), "at"), (.unskip(identifier: "a", at: then), "at"),
    ]
    for (request, field) in requests {
      let error = #expect(throws: FieldError.self) { try request.check(at: World.start) }
      #expect(error?.field == field && error?.reason.contains("microseconds") == true)
      // A board without a battery for its clock.
      try request.check(at: Instant(nanoseconds: 60 * Nanoseconds.second))
    }
  }

  @Test func E2_countGoesOnCounting() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute) { $0.count = 3 }
    world.skip("bell", count: 2)
    world.advance(seconds: 600)
    #expect(world.rung() == [180])
    #expect(world.listed().isEmpty)
  }

  @Test func E2_aRestartAndAZoneChangeKeepThem() throws {
    let world = World()
    world.zoneFiles["UTC"] = .utc
    world.boardZone = ("Etc/GMT-1", try ZoneFixture.rules("Etc/GMT-1"))
    world.restart()
    world.schedule("bell", in: 3600 * 3, repeats: .day) {
      $0.timeZone = "UTC"
      $0.zoneMode = .floating
    }
    world.skip("bell")
    let before = try #require(world.next("bell").found.first)
    world.restart()
    world.send(.boardZone("Etc/GMT-3", try ZoneFixture.rules("Etc/GMT-3")))
    world.advance(seconds: 1)
    #expect(world.next("bell").found.first == before.advanced(by: -2 * Nanoseconds.hour))
    world.advance(seconds: 86_400)
    #expect(world.rung() == [86_400])
  }

  @Test func E2_whatIsWrongIsRefusedByField() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    let refused = { (reply: Reply?) -> String? in
      guard case .refused(.invalidField(let error))? = reply else { return nil }
      return error.field
    }
    #expect(refused(world.skip("bell", count: 0)) == "count")
    #expect(refused(world.skip("bell", count: 1001)) == "count")
    #expect(refused(world.skip("bell", at: world.at(-100))) == "at")
    #expect(refused(world.skip("bell", at: world.at(90))) == "at")
    #expect(world.skip("none") == .refused(.notFound(identifier: "none")))
    #expect(world.store.skips.isEmpty)
  }

  @Test func E2_T10_lateOnesFoldAroundTheSkipped() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    world.skip("bell", at: world.at(180))
    world.sleep(seconds: 190)
    world.send(.clock)
    world.advance(seconds: 1)
    #expect(world.deliveries.first?.occurrence.missed == 1)
    #expect(world.rung() == [120])
    #expect(
      world.skippedRows.map { $0.due } == [World.start.advanced(by: 180 * Nanoseconds.second)])
  }

  @Test func E2_E7_whatIsMadeToFireOnceRings() {
    let world = World()
    world.schedule("bell", in: 3600, repeats: .day)
    world.skip("bell")
    let later = world.at(7200)
    world.edit("bell") { ($0.fireDate, $0.repeatInterval) = (later, nil) }
    world.advance(seconds: 7201)
    #expect(world.rung() == [7200])
  }

  @Test func E2_E7_skipsStayOnTheirDayWhenTheTimeChanges() {
    let world = World()
    world.schedule("bell", in: 3600, repeats: .day)
    world.skip("bell", at: world.at(3600 + 86_400))
    let later = world.at(3600 * 2)
    world.edit("bell") { $0.fireDate = later }
    let (found, passed) = world.next("bell")
    #expect(found.first == world.at(7200))
    #expect(found.dropFirst().first == world.at(7200 + 2 * 86_400))
    #expect(passed.map { $0.first } == [world.at(7200 + 86_400)])
    world.restart()
    #expect(world.next("bell").found == found)
  }

  @Test func E7_skipsThatHaveBeenAreNotToldAsGone() {
    let world = World()
    world.schedule("bell", in: 3600, repeats: .day)
    world.skip("bell", count: 3)
    let first = RFC3339.text(world.at(3600 + 86_400))
    world.advance(seconds: 7200)
    let far = world.at(40 * 86_400)
    guard case .scheduled(let reply)? = world.edit("bell", { $0.fireDate = far }) else {
      return #expect(Bool(false))
    }
    #expect(
      reply.warnings == ["2 skips are gone, from \(first) on: nothing stands in their place"])
  }

  /// By its place where the day has as many, and never another time of that day.
  @Test func E7_skipsStayAtTheirPlaceOfTheDay() throws {
    let world = World()

    func rule(_ text: String) throws -> RecurrenceRule { try RecurrenceRule.parse(text) }
    let twice = try rule("FREQ=DAILY;BYHOUR=7,19;BYMINUTE=0;BYSECOND=0")
    world.schedule("bell", in: 3600) { $0.rrule = twice }
    let due = world.next("bell", count: 4).found
    world.skip("bell", at: due[3])
    let later = try rule("FREQ=DAILY;BYHOUR=8,21;BYMINUTE=30;BYSECOND=0")
    world.edit("bell") { $0.rrule = later }
    let (found, passed) = world.next("bell", count: 4)
    #expect(passed.count == 1 && passed.first?.last == passed.first?.first)
    // The second of that day, whichever hour it is at, and the first rings.
    let minutes: Int64 = CivilTime(due[3]).hour == 19 ? 150 : 90
    let moved = due[3].advanced(by: minutes * 60 * Nanoseconds.second)
    #expect(passed.first?.first == moved)
    #expect(found.count == 4)
    // Thrice a day: nobody can say which of them was meant, and the answer says that.
    let thrice = try rule("FREQ=DAILY;BYHOUR=6,12,18;BYMINUTE=0;BYSECOND=0")
    guard case .scheduled(let reply)? = world.edit("bell", { $0.rrule = thrice }) else {
      return #expect(Bool(false))
    }
    #expect(
      reply.warnings == ["the skip of \(RFC3339.text(moved)) is gone: nothing stands in its place"])
    #expect(world.next("bell").passed.isEmpty)
    world.skip("bell", count: 3)
    let far = world.at(40 * 86_400)
    guard case .scheduled(let late)? = world.edit("bell", { $0.fireDate = far }) else {
      return #expect(Bool(false))
    }
    #expect(late.warnings.first?.hasPrefix("3 skips are gone, from ") == true)
    #expect(world.problems.isEmpty)
  }

  /// What an edit may cost is enough for as many as can be skipped of a usual repeat.
  @Test(arguments: [
    nil, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=MONTHLY;BYMONTHDAY=1,15", "FREQ=HOURLY",
    "FREQ=DAILY;BYHOUR=8,12,18", "FREQ=MONTHLY;BYDAY=-1FR",
  ])
  func E7_A2_aThousandSkipsStayWithAnEdit(_ rule: String?) throws {
    let world = World()
    let rule = try rule.map { try RecurrenceRule.parse($0) }
    world.schedule("bell", in: 3600, repeats: rule == nil ? .day : nil) { $0.rrule = rule }
    guard case .skipped(let reply)? = world.skip("bell", count: 1000) else {
      Issue.record("not skipped")
      return
    }
    world.edit("bell") { $0.alertBody = "other" }
    #expect(world.next("bell").found.first == reply.next)
    // Another hour of the same days.
    let isHourly = rule?.frequency == .hourly
    let more = isHourly ? Nanoseconds.second : Nanoseconds.hour
    guard rule?.hours ?? 0 == 0 else { return }
    world.edit("bell") { $0.fireDate = $0.fireDate?.advanced(by: more) }
    #expect(world.next("bell").found.first == reply.next?.advanced(by: more))
  }

  @Test func E2_aSkippedOneShotLeavesTheList() {
    let world = World()
    world.schedule("once", in: 60)
    world.skip("once")
    world.advance(seconds: 61)
    #expect(world.rung().isEmpty && world.listed().isEmpty && world.store.rows.isEmpty)
    #expect(world.skippedRows.count == 1)
  }

  @Test func E2_theSetIsReadAsItWasWritten() throws {
    var skips = SkipSet()
    skips.insert(.init(first: 5, last: 7, count: 3))
    skips.insert(.init(first: -3, last: -3, count: 1))
    #expect(SkipSet(text: skips.text) == skips)
    #expect(skips.runs.map { $0.first } == [-3, 5] && skips.count == 4)
    for text in ["x", "1 2", "1 2 0", "1 2 3;"] where text != "1 2 3;" {
      #expect(SkipSet(text: text) == nil)
    }
    #expect(SkipSet(text: "")?.isEmpty == true)
  }
}
