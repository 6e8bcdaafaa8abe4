import Testing

@testable import BelfryCore

/// Zones by their present rules, since 2007.
private enum Zone {
  static let losAngeles = rules("PST8PDT,M3.2.0,M11.1.0")
  static let chicago = rules("CST6CDT,M3.2.0,M11.1.0")
  static let newYork = rules("EST5EDT,M3.2.0,M11.1.0")
  static let berlin = rules("CET-1CEST,M3.5.0,M10.5.0/3")
  static let london = rules("GMT0BST,M3.5.0/1,M10.5.0")
  static let kolkata = rules("IST-5:30")

  private static func rules(_ text: String) -> ZoneRules {
    do {
      return try ZoneRules(posix: text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// A board whose clock shows this.
private func board(_ text: String, _ name: String, _ rules: ZoneRules) -> World {
  let world = World { $0.notifications = 200_000 }
  world.now.real = instant(text)
  world.boardZone = (name, rules)
  world.zoneFiles = [
    "America/Los_Angeles": Zone.losAngeles, "America/Chicago": Zone.chicago, "GMT": .utc,
    "Europe/Berlin": Zone.berlin, "Asia/Kolkata": Zone.kolkata, "America/New_York": Zone.newYork,
  ]
  world.restart()
  return world
}

/// Whole seconds.
private func text(_ instant: Instant) -> String {
  instant.nanoseconds % Nanoseconds.second == 0
    ? RFC3339.text(instant).split(separator: ".")[0] + "Z" : RFC3339.text(instant)
}

private func instant(_ text: String) -> Instant {
  (try? RFC3339.parse(text, field: "test")) ?? .distantPast
}

extension World {
  fileprivate func move(to name: String, _ rules: ZoneRules) {
    boardZone = (name, rules)
    send(.boardZone(name, rules))
  }

  fileprivate func next(_ identifier: String, _ count: Int32 = 1) -> [String] {
    let reply = request(
      .next(app: "app", identifier: identifier, count: count, after: nil))
    guard case .occurrences(let found, _) = reply else { return [] }
    return found.map { text($0.instant) }
  }

  /// Passes time until then, and says when hand-overs were due.
  fileprivate func deliver(until end: String) -> [String] {
    advance(seconds: Double(instant(end).nanoseconds(since: now.real)) / 1e9)
    defer { deliveries = [] }
    return deliveries.map { text($0.handedOver) }
  }
}

@Suite struct EngineZoneTests {
  /// N2, N5: past by outdated rules it would ring at once, or a day late.
  @Test func N19_T2_whatFloatsExpiresByTheBoardsClocks() {
    let world = board("2027-01-10T04:00:00Z", "Europe/Berlin", Zone.berlin)
    // 07:00 there is 06:00Z.
    func alarm(expires: String) -> Notification {
      var alarm = world.alert("alarm")
      alarm.fireDate = instant("2027-01-10T07:00:00Z")
      alarm.timeZone = "GMT"
      alarm.expires = instant(expires)
      return alarm
    }
    guard
      case .refused(.invalidField(let error)) = world.request(
        .schedule(app: "app", alarm(expires: "2027-01-10T06:00:00Z")))
    else {
      Issue.record("it was not refused")
      return
    }
    #expect(error.field == "expires" && error.code == .conflict)
    guard
      case .scheduled(let reply) = world.request(
        .schedule(app: "app", alarm(expires: "2027-01-10T06:30:00Z")))
    else {
      Issue.record("it was refused")
      return
    }
    #expect(reply.next == instant("2027-01-10T06:00:00Z"))
  }

  @Test func T2_T7_whatIsNearIsJudgedByTheZoneThatTheBoardHasNow() {
    let world = board("2026-07-01T12:00:00Z", "Asia/Kolkata", Zone.kolkata)
    // Nothing floats, so nobody has heard of it: 07:00 there, not 17:30.
    world.boardFile = ("America/Chicago", Zone.chicago)
    func schedule(_ identifier: String, _ date: String, repeats: RepeatUnit? = nil) {
      world.schedule(identifier, repeats: repeats) {
        $0.fireDate = instant(date)
        $0.timeZone = "America/Chicago"
      }
    }
    schedule("alarm", "2026-07-01T13:00:00Z")
    schedule("daily", "2026-07-01T14:00:00Z", repeats: .day)
    #expect(world.takeDelivered() == [] && world.boardReadings == 1)
    #expect(world.next("alarm") == ["2026-07-01T13:00:00Z"])
    #expect(world.next("daily") == ["2026-07-01T14:00:00Z"])
    // Watched, and changed a moment ago: 14:00 there.
    world.advance(seconds: 1)
    world.boardFile = ("Europe/Berlin", Zone.berlin)
    schedule("past", "2026-07-01T18:00:00Z")
    schedule("coming", "2026-07-01T20:00:00Z")
    #expect(Set(world.takeDelivered()) == ["alarm", "past"] && world.boardReadings == 2)
    #expect(world.next("coming") == ["2026-07-01T13:00:00Z"])
    // Far ones come later wherever the board is.
    world.advance(seconds: 1)
    schedule("far", "2026-07-03T13:00:00Z")
    #expect(world.boardReadings == 2 && world.scheduler.pending.table.isSound)
  }

  @Test(
    arguments: [
      // zone of the notification; in Seattle; once it is in Chicago
      ("America/Los_Angeles", "2013-08-31T19:00:00Z", "2013-08-31T17:00:00Z"),
      ("GMT", "2013-09-01T02:00:00Z", "2013-09-01T00:00:00Z"),
      (nil, "2013-08-31T19:00:00Z", "2013-08-31T19:00:00Z"),
    ] as [(String?, String, String)])
  func T2_theTable(zone: String?, seattle: String, chicago: String) {
    let world = board("2013-08-30T00:00:00Z", "America/Los_Angeles", Zone.losAngeles)
    world.schedule("a") {
      $0.fireDate = instant("2013-08-31T19:00:00Z")
      $0.timeZone = zone
    }
    #expect(world.next("a") == [seattle])
    world.move(to: "America/Chicago", Zone.chicago)
    #expect(world.next("a") == [chicago])
    world.restart()
    #expect(world.next("a") == [chicago])
    #expect(world.deliver(until: "2013-09-02T00:00:00Z") == [chicago])
    #expect(world.store.rows.isEmpty && world.scheduler.pending.table.isSound)
  }

  @Test func T3_zonedStaysWhereItIs() {
    let world = board("2026-03-01T00:00:00Z", "America/Chicago", Zone.chicago)
    world.schedule("berlin") {
      $0.fireDate = instant("2026-03-27T08:00:00Z")
      $0.timeZone = "Europe/Berlin"
      $0.zoneMode = .zoned
      $0.repeatInterval = .day
    }
    let expected = [
      "2026-03-27T08:00:00Z", "2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z",
      "2026-03-30T07:00:00Z",
    ]
    #expect(world.next("berlin", 4) == expected)
    world.move(to: "Asia/Kolkata", Zone.kolkata)
    #expect(world.deliver(until: "2026-03-30T12:00:00Z") == expected)
    #expect(world.watchedZones.board == false && world.watchedZones.named == ["Europe/Berlin"])
    world.request(.cancelAll(app: "app"))
    #expect(world.watchedZones.named == [])
  }

  @Test func T2_whatHasFiredDoesNotRingAgain() {
    let world = board("2026-06-01T10:00:00Z", "America/New_York", Zone.newYork)
    for (name, unit) in [("daily", RepeatUnit.day), ("once", nil)] as [(String, RepeatUnit?)] {
      world.schedule(name) {
        $0.fireDate = instant("2026-06-01T07:00:00-04:00")
        $0.timeZone = "America/New_York"
        $0.repeatInterval = unit
      }
    }
    #expect(world.deliver(until: "2026-06-01T11:30:00Z").count == 2)
    #expect(world.scheduler.status.next?.mode == .floating)
    // Westward: it is 04:30 again.
    world.move(to: "America/Los_Angeles", Zone.losAngeles)
    #expect(world.deliver(until: "2026-06-02T13:00:00Z") == [])
    #expect(world.deliver(until: "2026-06-02T15:00:00Z") == ["2026-06-02T14:00:00Z"])
    #expect(
      world.said.contains {
        $0 == "the board's zone is America/Los_Angeles, was America/New_York: "
          + "1 of 1 notification has come to another time"
      })
  }

  @Test func T2_travelThenARestartOrAStepBackRingsNothingAgain() {
    let world = board("2026-06-01T04:00:00Z", "Europe/Berlin", Zone.berlin)
    world.schedule("daily") {
      $0.fireDate = instant("2026-06-01T07:00:00+02:00")
      $0.timeZone = "Europe/Berlin"
      $0.repeatInterval = .day
    }
    #expect(world.deliver(until: "2026-06-01T06:00:00Z") == ["2026-06-01T05:00:00Z"])
    // It is 23:00 of the day before there, so this day's 07:00 is eight hours ahead.
    world.move(to: "America/Los_Angeles", Zone.losAngeles)
    world.restart()
    #expect(world.deliver(until: "2026-06-01T07:00:00Z") == [])
    world.move(to: "Asia/Kolkata", Zone.kolkata)
    world.move(to: "America/Los_Angeles", Zone.losAngeles)
    world.stepClock(seconds: -4 * 3600)
    #expect(world.deliver(until: "2026-06-02T13:00:00Z") == [])
    #expect(world.deliver(until: "2026-06-02T15:00:00Z") == ["2026-06-02T14:00:00Z"])
  }

  @Test func T2_whatTheWallClockPassesOverIsLate() {
    let world = board("2026-06-01T10:00:00Z", "America/Los_Angeles", Zone.losAngeles)
    world.schedule("daily") {
      $0.fireDate = instant("2026-06-01T05:00:00-07:00")
      $0.timeZone = "America/Los_Angeles"
      $0.repeatInterval = .day
    }
    // Eastward, from 03:00 to 06:00.
    world.move(to: "America/New_York", Zone.newYork)
    world.advance(seconds: 1)
    #expect(world.deliveries.map { text($0.occurrence.due) } == ["2026-06-01T09:00:00Z"])
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0])
  }

  @Test func T7_newRulesOfAZoneMoveWhatGoesByIt() {
    let world = board("2026-06-01T00:00:00Z", "UTC", .utc)
    world.schedule("berlin") {
      $0.fireDate = instant("2026-12-01T08:00:00Z")
      $0.timeZone = "Europe/Berlin"
      $0.zoneMode = .zoned
    }
    world.send(.zone("Europe/Berlin", .rules(Zone.kolkata)))
    #expect(world.next("berlin") == ["2026-12-01T03:30:00Z"])
    #expect(world.said.last?.hasPrefix("the rules of Europe/Berlin have changed: 1 of 1") ?? false)
    // Then it cannot be read: what was read before holds.
    world.send(.zone("Europe/Berlin", .unavailable(reason: "the file of Europe/Berlin is cut")))
    #expect(world.next("berlin") == ["2026-12-01T03:30:00Z"])
  }

  @Test func T3_aZoneThatIsNotLoadedYetDelaysItsAppAlone() {
    let world = board("2026-06-01T00:00:00Z", "UTC", .utc)
    world.zoneFiles = [:]
    func schedule(_ name: String, _ zone: String?) {
      world.schedule(name) {
        $0.fireDate = instant("2026-07-01T08:00:00Z")
        $0.timeZone = zone
      }
    }
    schedule("waits", "Europe/Berlin")
    schedule("after it", nil)
    world.schedule("other", in: 5, app: "other")
    #expect(world.listed(app: "other") == ["other"])
    #expect(world.replies.count == 2 && world.zonesAsked == ["Europe/Berlin"])
    world.send(.zone("Europe/Berlin", .rules(Zone.berlin)))
    #expect(world.listed() == ["waits", "after it"])
    schedule("wrong", "Mars/Olympus")
    let draft = world.alert("draft") {
      $0.fireDate = instant("2026-07-01T08:00:00Z")
      $0.timeZone = "Mars/Olympus"
    }
    let waiting = world.replies.count
    world.request(.nextOfDraft(draft, count: 1, after: nil))
    world.send(.zone("Mars/Olympus", .unavailable(reason: "there is no time zone Mars/Olympus")))
    #expect(world.replies.count == waiting + 2)
    let refusals = world.replies.values.filter {
      if case .refused(.invalidField(let error)) = $0 { return error.field == "timeZone" }
      return false
    }
    #expect(refusals.count == 2 && world.listed() == ["waits", "after it"])
    // It may be there when somebody asks again.
    world.zoneFiles = ["Mars/Olympus": Zone.kolkata]
    schedule("right", "Mars/Olympus")
    #expect(world.listed() == ["waits", "after it", "right"])
  }

  @Test func T3_afterARestartZonedOnesArePlannedWhenTheirZoneComes() {
    let world = board("2026-06-01T00:00:00Z", "UTC", .utc)
    world.schedule("daily") {
      $0.fireDate = instant("2026-06-01T06:00:00Z")
      $0.timeZone = "Europe/Berlin"
      $0.zoneMode = .zoned
      $0.repeatInterval = .day
    }
    #expect(world.deliver(until: "2026-06-03T12:00:00Z").count == 3)
    world.zoneFiles = [:]
    world.restart()
    #expect(world.zonesAsked == ["Europe/Berlin"])
    world.advance(seconds: 86_400)
    #expect(world.takeDelivered() == [])
    world.send(.zone("Europe/Berlin", .rules(Zone.berlin)))
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [3])
    #expect(world.deliveries.map { $0.occurrence.missed } == [0])
    #expect(world.deliver(until: "2026-06-05T12:00:00Z").count == 2)
  }

  @Test func T7_manyAreReplannedInTurnsThatDelayNothing() {
    let world = board("2026-06-01T00:00:00Z", "UTC", .utc)
    for index in 0..<5000 {
      world.schedule("n\(index)") {
        $0.fireDate = instant("2026-06-02T00:00:00Z").advanced(
          by: Int64(index) * Nanoseconds.second)
        $0.timeZone = "GMT"
        $0.repeatInterval = .day
      }
    }
    world.schedule("sharp", in: 0.001)
    world.now.real = world.now.real.advanced(by: Nanoseconds.millisecond)
    world.now.elapsed += Nanoseconds.millisecond
    world.handle(.boardZone("Europe/Berlin", Zone.berlin))
    #expect(world.takeDelivered() == ["sharp"])
    #expect(world.scheduler.isWalking)
    var turns = 0
    while world.scheduler.isWalking {
      world.handle(.clock)
      turns += 1
    }
    #expect((5...50).contains(turns) && world.scheduler.pending.table.isSound)
    #expect(world.next("n0") == ["2026-06-01T22:00:00Z"])
    #expect(world.next("n4999") == ["2026-06-01T23:23:19Z"])
    // Nothing was written for it.
    #expect(world.queue.isEmpty)
  }

  @Test func T7_aStaleOneIsNotFiredByTheOldRules() {
    let world = board("2026-06-01T00:00:00Z", "UTC", .utc)
    for index in 0..<3000 {
      world.schedule("n\(index)") {
        $0.fireDate = instant("2026-06-01T00:00:10Z")
        $0.timeZone = "GMT"
      }
    }
    world.advance(seconds: 9)
    world.handle(.boardZone("America/Chicago", Zone.chicago))
    #expect(world.scheduler.isWalking)
    world.now.real = world.now.real.advanced(by: 2 * Nanoseconds.second)
    world.now.elapsed += 2 * Nanoseconds.second
    world.handle(.clock)
    #expect(world.takeDelivered() == [])
    world.advance(seconds: 60)
    #expect(world.takeDelivered() == [])
  }

  @Test func T5_hoursCountElapsedTimeAndDaysWallClocks() {
    let world = board("2026-03-28T00:00:00Z", "Europe/Berlin", Zone.berlin)
    for (name, unit) in [("daily", RepeatUnit.day), ("hourly", .hour)] {
      world.schedule(name) {
        $0.fireDate = instant("2026-03-28T02:30:00+01:00")
        $0.timeZone = "Europe/Berlin"
        $0.repeatInterval = unit
      }
    }
    #expect(
      world.next("daily", 3)
        == ["2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"])
    #expect(world.next("hourly", 30).last == "2026-03-29T06:30:00Z")
  }

  @Test func T7_aZoneThatNothingGoesByIsReadAgainBeforeItIsUsed() {
    let world = board("2026-06-01T00:00:00Z", "UTC", .utc)
    func schedule(_ identifier: String, at time: String) {
      world.schedule(identifier) {
        $0.fireDate = instant(time)
        ($0.timeZone, $0.zoneMode) = ("Europe/Berlin", .zoned)
      }
    }
    schedule("a", at: "2026-06-01T00:00:10Z")
    #expect(world.deliver(until: "2026-06-02T00:00:00Z") == ["2026-06-01T00:00:10Z"])
    #expect(world.watchedZones.named == [])
    // Nobody watched when its rules changed. Its clocks now show 12:00 at another instant.
    world.zoneFiles["Europe/Berlin"] = Zone.kolkata
    schedule("b", at: "2026-06-03T06:30:00Z")
    world.zoneFiles["Europe/Berlin"] = Zone.berlin
    world.send(.zone("Europe/Berlin", .rules(Zone.berlin)))
    #expect(world.next("b") == ["2026-06-03T10:00:00Z"])
  }

  @Test func N1_replacingChangesTheMode() {
    let world = board("2026-06-01T00:00:00Z", "America/New_York", Zone.newYork)
    let modes: [(ZoneMode, String)] = [
      (.floating, "2026-07-01T16:00:00Z"), (.zoned, "2026-07-01T10:00:00Z"),
      (.absolute, "2026-07-01T10:00:00Z"), (.zoned, "2026-07-01T10:00:00Z"),
      (.floating, "2026-07-01T16:00:00Z"),
    ]
    var generation: Int64 = 0
    for (mode, expected) in modes {
      for isAgain in [false, true] {
        let reply = world.schedule("a") {
          $0.fireDate = instant("2026-07-01T10:00:00Z")
          ($0.timeZone, $0.zoneMode) = (mode == .absolute ? nil : "Europe/Berlin", mode)
          $0.repeatInterval = .day
        }
        #expect(reply?.unchanged == isAgain)
        #expect(reply?.occurrence?.generation == generation)
        #expect(world.next("a") == [expected])
      }
      generation += 1
      #expect(world.watchedZones.board == (mode == .floating))
      #expect(world.watchedZones.named == (mode == .zoned ? ["Europe/Berlin"] : []))
      #expect(world.scheduler.pending.table.isSound)
    }
    world.restart()
    #expect(world.next("a") == ["2026-07-01T16:00:00Z"])
  }

  /// The clocks of Berlin go forward on 2026-03-29 at 01:00Z.
  @Test(arguments: [(-7200.0, 0), (-86_400.0, 2)])
  func T8_aStepBackWithZonesFiresNothingTwiceOrPlansAfresh(step: Double, again: Int) {
    let world = board("2026-03-28T05:00:00Z", "Europe/Berlin", Zone.berlin)
    world.isSynchronised = true
    world.send(.clockState(synchronised: true))
    world.schedule("daily") {
      $0.fireDate = instant("2026-03-28T06:00:00Z")
      $0.timeZone = "Europe/Berlin"
      $0.repeatInterval = .day
    }
    #expect(
      world.deliver(until: "2026-03-29T05:30:00Z") == [
        "2026-03-28T06:00:00Z", "2026-03-29T05:00:00Z",
      ])
    world.stepClock(seconds: step)
    // The board travels meanwhile: seven o'clock is an hour later there.
    world.move(to: "Europe/London", Zone.london)
    let fired = world.deliver(until: "2026-03-30T06:00:00Z")
    let next = ["2026-03-28T07:00:00Z", "2026-03-29T06:00:00Z", "2026-03-30T06:00:00Z"]
    #expect(fired == Array(next.suffix(1 + again)))
    #expect(world.doubled.isEmpty && world.early.isEmpty)
  }

  @Test func T2_T10_whatFoldedIntoTheNextComesInAZoneFurtherWest() {
    let world = board("2026-06-01T10:00:00Z", "Europe/Berlin", Zone.berlin)
    world.schedule("minutely") {
      $0.fireDate = instant("2026-06-01T10:01:00Z")
      $0.timeZone = "Europe/Berlin"
      $0.repeatInterval = .minute
    }
    world.sleep(seconds: 178)
    world.send(.clock)
    world.move(to: "Europe/London", Zone.london)
    #expect(world.next("minutely") == ["2026-06-01T11:01:00Z"])
    #expect(world.deliver(until: "2026-06-01T11:02:00Z").count == 2)
  }

  @Test func T8_whatIsZonedIsNotSilentAfterABootThatCorrectsTheClock() {
    let world = board("2026-03-01T00:00:00Z", "America/Chicago", Zone.chicago)
    world.schedule("daily") {
      $0.fireDate = instant("2026-03-01T08:00:00Z")
      $0.timeZone = "Europe/Berlin"
      $0.zoneMode = .zoned
      $0.repeatInterval = .day
    }
    world.stepClock(seconds: 10 * 86_400)
    #expect(world.deliver(until: "2026-03-12T09:00:00Z").count == 3)
    // Its zone is loaded when all else has been reviewed.
    world.reboot(real: instant("2026-03-01T12:00:00Z"))
    #expect(world.next("daily") == ["2026-03-02T08:00:00Z"])
    #expect(world.deliver(until: "2026-03-03T09:00:00Z").count == 2)
  }
}
