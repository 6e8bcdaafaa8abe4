import SchedulerFixtures
import Testing

@testable import BelfryCore

/// Days off in the engine; its world begins on Sunday 2026-03-01 at 12:00 UTC.
@Suite struct DaysOffTests {
  private func file(
    _ name: String, _ spans: [(String, String)], app: String? = nil
  ) -> DaysFile {
    let ranges = spans.map {
      DayCalendar.Range(
        first: DayCalendarTests.day($0.0), last: DayCalendarTests.day($0.1), name: "Feast")
    }
    return DaysFile(
      app: app, name: name, path: "/days/\(name).days", content: .days(DayCalendar(ranges)))
  }

  private func broken(_ name: String) -> DaysFile {
    DaysFile(app: nil, name: name, path: "/days/\(name).days", content: .problem("it is broken"))
  }

  private let day = 86_400.0

  /// Days since the start of the world.
  private func rungDays(_ world: World) -> [Int64] { world.rung().map { $0 / 86_400 } }

  @Test func E3_exceptOnSkipsWithOneRowForDaysInOne() {
    let world = World()
    world.send(.days([file("off", [("2026-03-03", "2026-03-06")])]))
    world.schedule("bell", in: day, repeats: .day) { $0.exceptOn = ["off"] }
    #expect(world.next("bell", count: 2).found == [world.at(day), world.at(6 * day)])
    world.advance(seconds: 7 * day + 1)
    #expect(rungDays(world) == [1, 6, 7])
    #expect(world.skippedRows.count == 1)
    #expect(world.skippedRows.first?.missed == 3)
    #expect(
      world.skippedRows.first?.reason
        == "2026-03-03..2026-03-06 are days off: Feast (off)")
    #expect(world.kinds("bell").count { $0 == .skipped } == 4)
    #expect(world.problems.isEmpty)
  }

  /// A reminder of the evening before goes by the day that it reminds of.
  @Test(arguments: [DueOffset(days: -1), DueOffset(days: 0, seconds: -86_400)])
  func E3_E4_theDayIsThatOfTheOccurrenceNotOfItsDue(_ offset: DueOffset) {
    let world = World()
    world.send(.days([file("off", [("2026-03-04", "2026-03-05")])]))
    world.schedule("eve", in: 2 * day, repeats: .day) {
      $0.exceptOn = ["off"]
      $0.offset = offset
    }
    #expect(world.next("eve", count: 3).found == [1, 4, 5].map { world.at($0 * day) })
    world.advance(seconds: 5 * day + 1)
    #expect(rungDays(world) == [1, 4, 5])
    #expect(world.skippedRows.map { $0.missed } == [1])
  }

  @Test func E3_listAndTheAnswerTellWhatDoesNotRing() {
    let world = World()
    world.send(.days([file("off", [("2026-03-02", "2026-03-02")])]))
    let reply = world.schedule("bell", in: day, repeats: .day) { $0.exceptOn = ["off"] }
    #expect(reply?.next == world.at(2 * day))
    #expect(reply?.warnings.first?.contains("2026-03-02 is a day off") == true)
    #expect(world.listing("bell")?.next == world.at(2 * day))
    #expect(world.listing("bell")?.passed.map { $0.first } == [world.at(day)])
    #expect(world.next("bell", count: 1).passed.count == 1)
  }

  @Test func E3_onlyOnRingsThereAloneAndEnds() {
    let world = World()
    world.send(.days([file("term", [("2026-03-03", "2026-03-04")])]))
    world.schedule("bell", in: day, repeats: .day) { $0.onlyOn = ["term"] }
    let (found, passed) = world.next("bell", count: 5)
    #expect(found == [world.at(2 * day), world.at(3 * day)])
    #expect(passed.map { $0.last } == [world.at(day), nil])
    #expect(
      passed.map { $0.reason } == [
        "all up to 2026-03-02 is not in term", "calendar-ended: term has no day after 2026-03-04",
      ])
    world.advance(seconds: 6 * day + 1)
    #expect(rungDays(world) == [2, 3])
    #expect(world.skippedRows.map { $0.missed } == [0, 2])
    // It goes on with its calendar.
    world.send(.days([file("term", [("2026-03-03", "2026-03-04"), ("2026-03-08", "2026-03-08")])]))
    world.advance(seconds: 3 * day)
    #expect(rungDays(world) == [7])
  }

  @Test func E3_asOnASundayTimetableRingsOnAFeastAndAWorkdayOneDoesNot() throws {
    let world = World()
    // A Wednesday.
    world.send(.days([file("feast", [("2026-03-04", "2026-03-04")])]))
    for (name, rule) in [("sun", "SU"), ("work", "MO,TU,WE,TH,FR")] {
      let parsed = try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=" + rule)
      world.schedule(name, in: 60) {
        $0.rrule = parsed
        $0.asOn = [AsOn(calendar: "feast", weekday: .sun)]
      }
    }
    world.advance(seconds: 8 * day)
    let rung = world.deliveries.map {
      ($0.occurrence.notification.identifier ?? "")
        + "\($0.occurrence.due.nanoseconds(since: World.start) / Nanoseconds.day)"
    }
    #expect(rung == ["sun0", "work1", "work2", "sun3", "work4", "work5", "sun7"])
    // Of the weekdays that nobody expects no row tells.
    #expect(world.skippedRows.map { $0.identifier } == ["work"])
    #expect(world.skippedRows.first?.reason == "2026-03-04 counts as Sunday: Feast (feast)")
    #expect(world.problems.isEmpty)
  }

  @Test func E3_aCalendarThatIsNotThereIsIgnoredAndItRings() {
    let world = World()
    world.send(.days([broken("off")]))
    let reply = world.schedule("bell", in: day, repeats: .day) { $0.onlyOn = ["off"] }
    #expect(
      reply?.warnings == [
        "onlyOn: there is no calendar \"off\" yet, so it rings as if none were named: it is broken"
      ])
    world.schedule("other", in: day, repeats: .day) { $0.exceptOn = ["none"] }
    let reason = world.listing("other")?.reason ?? ""
    #expect(reason.hasPrefix("exceptOn: there is no calendar \"none\" yet, so"))
    world.send(.days([broken("off"), file("holidays", [("2026-03-02", "2026-03-05")])]))
    for name in ["holidayz", "Holidays", "holidays.days"] {
      let reply = world.schedule("near", in: day, repeats: .day) { $0.exceptOn = [name] }
      #expect(
        reply?.warnings == [
          "exceptOn: there is no calendar \"\(name)\" yet (did you mean holidays?), so it rings as"
            + " if none were named"
        ])
    }
    world.send(.days([broken("off")]))
    world.request(.cancel(app: "app", identifiers: ["near"]))
    world.advance(seconds: 2 * day + 1)
    #expect(world.takeDelivered() == ["bell", "other", "bell", "other"])
  }

  @Test func E3_whatWasLastGoodHoldsOverARestartUntilTheFileIsMended() {
    let world = World()
    world.send(.days([file("off", [("2026-03-02", "2026-03-05")])]))
    world.schedule("bell", in: day, repeats: .day) { $0.exceptOn = ["off"] }
    world.send(.days([broken("off")]))
    world.restart()
    world.send(.days([broken("off")]))
    #expect(
      world.listing("bell")?.reason == "2026-03-02..2026-03-05 are days off: Feast (off)")
    let listed = world.scheduler.listedDays(for: World.alice)
    #expect(listed.map { $0.state } == [.kept] && listed.first?.problem == "it is broken")
    world.advance(seconds: 2 * day + 1)
    #expect(rungDays(world) == [])
    world.send(.days([file("off", [("2026-03-02", "2026-03-03")])]))
    world.advance(seconds: day)
    #expect(rungDays(world) == [3])
    world.send(.days([]))
    #expect(
      world.scheduler.listedDays(for: World.alice).first?.problem == "/days/off.days is gone")
  }

  @Test func E3_aChangeCountsForWhatIsPreparedToo() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .day) { $0.exceptOn = ["off"] }
    world.advance(seconds: 59.5)
    // Its intent is in the books.
    #expect(!world.store.open.isEmpty)
    world.send(.days([file("off", [("2026-03-01", "2026-03-01")])]))
    world.advance(seconds: 2)
    #expect(world.takeDelivered() == [] && world.skippedRows.count == 1)
    #expect(world.store.open.isEmpty)
  }

  @Test func E3_anAppsOwnCalendarGoesBeforeTheOperatorsForItAlone() {
    let world = World()
    world.send(
      .days([
        file("off", [("2026-03-02", "2026-03-02")]),
        file("off", [("2026-03-03", "2026-03-03")], app: "app"),
      ]))
    world.schedule("own", in: day, repeats: .day) { $0.exceptOn = ["off"] }
    world.schedule("other", in: day, repeats: .day, app: "second") { $0.exceptOn = ["off"] }
    world.advance(seconds: 2 * day + 1)
    #expect(world.takeDelivered() == ["own", "other"])
    #expect(world.scheduler.listedDays(for: World.alice).count == 2)
    #expect(world.scheduler.listedDays(for: World.bob).map { $0.app } == [nil])
  }

  @Test func E3_aSkipGoesFirstAndCountGoesOnCounting() {
    let world = World()
    world.send(.days([file("off", [("2026-03-02", "2026-03-02")])]))
    world.schedule("bell", in: day, repeats: .day) { ($0.exceptOn, $0.count) = (["off"], 3) }
    world.skip("bell", at: world.at(day))
    world.advance(seconds: 5 * day)
    #expect(rungDays(world) == [2, 3])
    #expect(world.skippedRows.map { $0.reason } == ["skipped by request"])
    #expect(world.listed() == [])
  }

  @Test func E3_aOneShotOnADayOffEndsAsSkipped() {
    let world = World()
    world.send(.days([file("off", [("2026-03-02", "2026-03-02")])]))
    let reply = world.schedule("tea", in: day) { $0.exceptOn = ["off"] }
    #expect(reply?.next == nil && reply?.warnings.count == 1)
    world.advance(seconds: 2 * day)
    #expect(world.takeDelivered() == [] && world.listed() == [])
    #expect(world.skippedRows.map { $0.identifier } == ["tea"])
  }

  @Test func E3_A2_afterYearsOffTheNewestThatRingsComesOnce() throws {
    let world = World()
    world.send(.days([file("feast", [("2026-03-04", "2026-03-04")])]))
    let rule = try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    world.schedule("bell", in: 60) {
      $0.rrule = rule
      $0.asOn = [AsOn(calendar: "feast", weekday: .sun)]
    }
    // Three years: a Saturday.
    world.sleep(seconds: 1098 * day)
    world.send(.clock)
    world.advance(seconds: 30)
    let due = world.deliveries.map { $0.occurrence.due.nanoseconds(since: World.start) }
    #expect(due == [1097 * Nanoseconds.day + 60 * Nanoseconds.second])
    #expect(world.deliveries.first?.occurrence.missed == 783)
  }

  @Test func E3_A2_aMinutesRuleIsJumpedThroughWhatItsCalendarLeavesOut() {
    let world = World()
    world.send(.days([file("term", [("2029-03-01", "2029-03-01")])]))
    world.schedule("bell", in: 60, repeats: .minute) { $0.onlyOn = ["term"] }
    let (found, passed) = world.next("bell", count: 2)
    let first = Instant(nanoseconds: DayCalendarTests.day("2029-03-01") * Nanoseconds.day)
    #expect(found == [first, first.advanced(by: Nanoseconds.minute)])
    #expect(passed.count == 1)
  }

  @Test func E3_threeYearsOfSingleDaysAreFoundThrough() {
    let world = World()
    let start = DayCalendarTests.day("2026-03-01")
    let ranges = (0..<1095).map { number in
      DayCalendar.Range(
        first: start + Int64(number), last: start + Int64(number), name: "Day \(number)")
    }
    world.send(
      .days([
        DaysFile(app: nil, name: "off", path: "off.days", content: .days(DayCalendar(ranges)))
      ]))
    let reply = world.schedule("bell", in: day, repeats: .day) { $0.exceptOn = ["off"] }
    #expect(reply?.next == world.at(1095 * day))
  }

  @Test func E3_aDraftIsJudgedByTheCalendarsOfItsApp() {
    let world = World()
    world.send(.days([file("off", [("2026-03-02", "2026-03-02")])]))
    let draft = world.alert("x", in: day, repeats: .day) { $0.exceptOn = ["off"] }
    let reply = world.request(.nextOfDraft(draft, count: 1, after: nil, app: "app"))
    guard case .occurrences(let found, let passed)? = reply else {
      return #expect(Bool(false))
    }
    #expect(found.map { $0.instant } == [world.at(2 * day)] && passed.count == 1)
  }

  @Test func E7_E3_anEditOfTheCalendarsKeepsThePlaceAndTheCount() {
    let world = World()
    world.send(.days([file("off", [("2026-03-03", "2026-03-03")])]))
    world.schedule("bell", in: day, repeats: .day) { $0.count = 3 }
    world.advance(seconds: day + 1)
    world.edit("bell") { $0.exceptOn = ["off"] }
    world.advance(seconds: 4 * day)
    #expect(rungDays(world) == [1, 3])
    #expect(world.listed() == [])
  }

  @Test func E3_aCalendarWhoseFileHasGoneIsForgottenLongAfterItsEnd() {
    let world = World()
    world.send(
      .days([
        file("old", [("2025-12-01", "2025-12-30")]), file("new", [("2026-01-01", "2026-02-01")]),
      ]))
    world.send(.days([]))
    #expect(world.scheduler.listedDays(for: World.alice).map { $0.name } == ["new"])
    #expect(world.store.days.map { $0.name } == ["new"])
  }
}
