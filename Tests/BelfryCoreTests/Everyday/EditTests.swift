import Testing

@testable import BelfryCore

@Suite struct EditTests {
  private func scheduled(_ reply: Reply?) -> ScheduleReply? {
    if case .scheduled(let reply)? = reply { return reply }
    return nil
  }

  @Test func E7_givenFieldsChangeAndTheRestStays() throws {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute) { $0.alertTitle = "Title" }
    world.advance(seconds: 65)
    let reply = try #require(scheduled(world.edit("bell") { $0.alertBody = "New" }))
    #expect(reply.replaced && !reply.unchanged)
    #expect(reply.occurrence?.generation == 1)
    #expect(reply.next == World.start.advanced(by: 120 * Nanoseconds.second))
    world.advance(seconds: 60)
    let shown = try #require(world.deliveries.last?.occurrence)
    #expect(shown.notification.alertBody == "New" && shown.notification.alertTitle == "Title")
    #expect(shown.id.k == 1)
    #expect(world.problems.isEmpty)
  }

  @Test func E7_whatHasNoDateKeepsItsAnchor() throws {
    let world = World()
    world.schedule("bell", repeats: .minute)
    world.advance(seconds: 30)
    let reply = try #require(scheduled(world.edit("bell") { $0.alertBody = "New" }))
    #expect(reply.next == World.start.advanced(by: 60 * Nanoseconds.second))
    world.restart()
    world.advance(seconds: 31)
    #expect(world.deliveries.last?.occurrence.due == reply.next)
  }

  @Test func E7_N2_whoTakesTheDateAwayIsToldThatItIsDueNow() throws {
    let world = World()
    world.schedule("bell", in: 60)
    let words = try #require(scheduled(world.edit("bell") { $0.alertBody = "New" }))
    #expect(!words.warnings.contains(ScheduleReply.isAtOnce))
    let reply = try #require(scheduled(world.edit("bell") { $0.fireDate = nil }))
    #expect(reply.warnings.contains(ScheduleReply.isAtOnce))
    world.advance(seconds: 1)
    #expect(world.takeDelivered() == ["bell"])
  }

  @Test func E7_equalIsUnchanged() throws {
    let world = World()
    world.schedule("bell", in: 60)
    let reply = try #require(scheduled(world.edit("bell") { $0.alertBody = "bell" }))
    #expect(reply.unchanged && !reply.replaced)
    #expect(world.store.rows.values.first?.generation == 0)
  }

  @Test func E7_theWholeIsValidatedAndNothingHasChanged() {
    let world = World()
    world.schedule("bell", in: 60)
    guard
      case .refused(.invalidField(let error))? = world.edit("bell", { $0.volume = 7 })
    else { return #expect(Bool(false)) }
    #expect(error.field == "volume")
    #expect(world.store.rows.values.first?.generation == 0)
    world.advance(seconds: 61)
    #expect(world.takeDelivered() == ["bell"])
  }

  @Test func E7_whatIsGoneIsNotEdited() {
    let world = World()
    world.schedule("bell", in: 60)
    world.advance(seconds: 61)
    let reply = world.edit("bell") { $0.alertBody = "New" }
    #expect(reply == .refused(.notFound(identifier: "bell")))
    #expect(world.store.rows.isEmpty)
  }

  @Test func E7_oneThatFiresMeanwhileIsNotBroughtBack() {
    let world = World()
    world.schedule("bell", in: 10)
    world.advance(seconds: 5)
    world.isBlocked = true
    world.edit("bell") { $0.alertBody = "New" }
    // The row has been found; the change is on its way when it fires.
    world.commitOne()
    world.advance(seconds: 6)
    world.isBlocked = false
    world.run()
    world.advance(seconds: 100)
    #expect(world.takeDelivered() == ["bell"])
    #expect(world.listed().isEmpty && world.store.rows.isEmpty)
  }

  @Test func E7_twoEditsLoseNothing() throws {
    let world = World()
    world.schedule("bell", in: 60)
    world.isBlocked = true
    world.edit("bell") { $0.alertTitle = "One" }
    world.edit("bell") { $0.alertSubtitle = "Two" }
    world.isBlocked = false
    world.run()
    world.advance(seconds: 61)
    let shown = try #require(world.deliveries.last?.occurrence.notification)
    #expect(shown.alertTitle == "One" && shown.alertSubtitle == "Two")
  }

  @Test func E7_aNewTimeIsPlannedAnew() throws {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    let later = world.at(90)
    let reply = try #require(scheduled(world.edit("bell") { $0.fireDate = later }))
    #expect(reply.next == later)
    world.advance(seconds: 155)
    #expect(world.rung() == [90, 150])
  }

  @Test func E7_N21_thePlaceInTheListStays() {
    let world = World()
    world.schedule("first", in: 60)
    world.schedule("second", in: 60)
    world.edit("first") { $0.alertBody = "New" }
    world.advance(seconds: 61)
    #expect(world.takeDelivered() == ["first", "second"])
  }

  @Test func E7_T9_aTimerRunsOnThroughAnEdit() {
    let world = World()
    world.schedule("tea") { $0.fireIn = 100 * Nanoseconds.second }
    world.advance(seconds: 40)
    world.edit("tea") { $0.alertBody = "New" }
    world.stepClock(seconds: 5000)
    world.advance(seconds: 50)
    #expect(world.takeDelivered().isEmpty)
    world.advance(seconds: 11)
    #expect(world.takeDelivered() == ["tea"])
  }

  /// All fields but those that say when.
  private static let untimed: [String: @Sendable (inout Notification) -> Void] = [
    "identifier": { $0.identifier = "other" }, "tolerance": { $0.tolerance = Nanoseconds.second },
    "exceptOn": { $0.exceptOn = ["a"] }, "onlyOn": { $0.onlyOn = ["a"] },
    "alertBody": { $0.alertBody = "b" }, "alertBodyIsFormat": { $0.alertBodyIsFormat = true },
    "alertLocalizationArgs": { $0.alertLocalizationArgs = [.string("a")] },
    "alertTitleLocalizationArgs": { $0.alertTitleLocalizationArgs = [.string("a")] },
    "alertSubtitleLocalizationArgs": { $0.alertSubtitleLocalizationArgs = [.string("a")] },
    "alertActionLocalizationArgs": { $0.alertActionLocalizationArgs = [.string("a")] },
    "alertTitle": { $0.alertTitle = "t" }, "alertSubtitle": { $0.alertSubtitle = "s" },
    "alertAction": { $0.alertAction = "a" }, "hasAction": { $0.hasAction = false },
    "alertLaunchImage": { $0.alertLaunchImage = "i" }, "category": { $0.category = "c" },
    "applicationIconBadgeNumber": { $0.applicationIconBadgeNumber = 1 },
    "badgeOperation": { $0.badgeOperation = .add }, "soundName": { $0.soundName = "s" },
    "userInfo": { $0.userInfo = [ByteString("a"): .string("b")] },
    "repeatSound": { $0.repeatSound = 1 }, "fadeIn": { $0.fadeIn = 1 },
    "ringFor": { $0.ringFor = 1 },
    "threadIdentifier": { $0.threadIdentifier = "t" }, "push": { $0.push = "{}" },
    "interruptionLevel": { $0.interruptionLevel = .passive }, "volume": { $0.volume = 0.5 },
    "expires": { $0.expires = .distantFuture }, "late": { $0.late = .drop },
    "realert": { $0.realert = Realert(every: Nanoseconds.minute, atMost: 1) },
    "ladder": { $0.ladder = [LadderStep(after: 0, sinks: ["a"])] }, "sinks": { $0.sinks = ["a"] },
  ]
  private static let timed: Set<String> = [
    "fireDate", "datesAreOld", "fireIn", "timeZone", "zoneMode", "repeatInterval", "every", "until",
    "count", "rrule", "rrules", "exdate", "rdate", "asOn", "gap", "overlap", "monthEnd", "offset",
    "repeatCalendar", "region", "regionTriggersOnce",
  ]

  @Test func E7_whatDoesNotSayWhenKeepsTheTime() throws {
    let fields = Mirror(reflecting: Notification()).children.compactMap { child in
      child.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }
    }
    // A new one must be decided.
    #expect(Set(fields) == Self.timed.union(Self.untimed.keys))
    for (name, change) in Self.untimed {
      var other = Notification()
      change(&other)
      #expect(other != Notification() && other.isTimed(as: Notification()), "\(name)")
    }
  }

  @Test func E7_N19_T12_aTimerRunsOnWhateverElseOfItChanges() throws {
    let world = World()
    world.schedule("tea") { $0.fireIn = 100 * Nanoseconds.second }
    world.advance(seconds: 40)
    world.edit("tea") { $0.sinks = ["one"] }
    world.edit("tea") { $0.tolerance = Nanoseconds.second }
    world.edit("tea") { $0.sinks = [] }
    world.advance(seconds: 59)
    #expect(world.takeDelivered().isEmpty)
    world.advance(seconds: 3)
    #expect(world.takeDelivered() == ["tea"])
  }

  @Test func E7_anotherZoneIsWaitedFor() throws {
    let world = World()
    world.schedule("bell", in: 60, repeats: .day)
    world.edit("bell") {
      $0.timeZone = "Test/Zone"
      $0.zoneMode = .zoned
    }
    #expect(world.zonesAsked == ["Test/Zone"])
    world.send(.zone("Test/Zone", .rules(.utc)))
    #expect(world.store.rows.values.first?.notification.timeZone == "Test/Zone")
    world.advance(seconds: 61)
    #expect(world.takeDelivered() == ["bell"])
  }

  /// The board's zone is read again for each request, and time goes by until the store answers.
  @Test func E7_aFloatingOneIsEditedHoweverLongTheAnswersTake() throws {
    let world = World()
    world.zoneFiles["Test/Zone"] = .utc
    world.answersTakeTime = true
    world.schedule("bell", in: 3600, repeats: .day) {
      ($0.timeZone, $0.zoneMode) = ("Test/Zone", .floating)
    }
    let reply = world.edit("bell") { $0.alertBody = "Later" }
    if case .scheduled(let edited)? = reply {
      #expect(edited.replaced)
    } else {
      Issue.record("it was not edited: \(String(describing: reply))")
    }
    #expect(world.store.rows.values.first?.notification.alertBody == "Later")
  }

  @Test func E6_E7_anEditDoesNotSilenceWhatRings() {
    let world = World { $0.sinks = World.sinks }
    world.schedule("tea", in: 1, repeats: .hour) {
      $0.ladder = [
        LadderStep(after: 0, sinks: ["one"]),
        LadderStep(after: 2 * Nanoseconds.minute, sinks: ["speaker"]),
        LadderStep(after: 5 * Nanoseconds.minute, sinks: ["two"]),
      ]
    }
    /// Sinks and steps of what was handed over since the last call.
    func steps() -> [String] {
      defer { world.deliveries = [] }
      return world.deliveries.map { "\($0.sink).\($0.occurrence.id.step)" }
    }
    world.advance(seconds: 2)
    #expect(steps() == ["0.0"])
    world.edit("tea") { $0.alertBody = "other tea" }
    world.advance(seconds: 120)
    #expect(steps() == ["2.1"])
    world.edit("tea") { $0.ladder = [] }
    world.advance(seconds: 180)
    #expect(steps() == ["1.2"])
    _ = world.request(.user(app: "app", .response(.acknowledge, "tea")))
    #expect(world.store.waiting.isEmpty)
    world.advance(seconds: 3400)
    #expect(steps() == ["0.0", "1.0"])
  }
}
