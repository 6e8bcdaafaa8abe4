import SchedulerFixtures
import Testing

@testable import BelfryCore

/// What is left out on purpose is `silenced`, with the setting that left it out, and never `delivered`.
struct EngineSilenceTests {
  /// All three sinks; the speaker is the third. It is 12:00 UTC.
  private func world(_ change: (inout EngineConfiguration) -> Void) -> World {
    World {
      $0.sinks = World.sinks
      change(&$0)
    }
  }

  private func rows(_ world: World, _ identifier: String) -> [String: HistoryRow] {
    let rows = world.store.history.values.filter { $0.identifier == identifier }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.sink, $0) })
  }

  private func ring(_ world: World, _ change: (inout Notification) -> Void = { _ in })
    -> HistoryRow?
  {
    world.schedule("bell", in: 10) {
      $0.soundName = "default"
      change(&$0)
    }
    world.advance(seconds: 60)
    #expect(rows(world, "bell")["one"]?.state == .delivered)
    return rows(world, "bell")["speaker"]
  }

  @Test func D9_quietHoursSilenceASoundAndSayThatTheyDid() {
    let world = world { $0.sounds.quiet = QuietHours("11:30-13:00") }
    let row = ring(world)
    #expect(row?.state == .silenced)
    #expect(row?.reason == "quiet hours ([sound] quiet = 11:30-13:00)")
    #expect(row?.handedOver == nil)
    #expect(!world.deliveries.contains { $0.sink == 2 })
    #expect(world.events.contains { $0.kind == .silenced && $0.sink == "speaker" })
  }

  @Test func D9_quietHoursAreThoseOfTheBoardsClocks() throws {
    let world = world { $0.sounds.quiet = QuietHours("11:30-13:00") }
    #expect(world.watchedZones.board)
    let rules = try ZoneFixture.rules("America/New_York")
    world.send(.boardZone("America/New_York", rules))
    #expect(ring(world)?.state == .delivered)
  }

  @Test func S6_quietHoursLeaveACriticalSoundAlone() {
    let world = world {
      $0.sounds.quiet = QuietHours("11:30-13:00")
      $0.owner = World.alice.uid
    }
    #expect(ring(world) { $0.interruptionLevel = .critical }?.state == .delivered)
  }

  @Test func D9_aVolumeOfNothingIsSilence() {
    let own = ring(world { _ in }) { $0.volume = 0 }
    #expect(own?.state == .silenced)
    #expect(own?.reason == "its own volume is 0")
    let all = ring(world { $0.sounds.volume = 0 })
    #expect(all?.state == .silenced)
    #expect(all?.reason == "the volume is 0 ([sound] volume)")
  }

  @Test func D9_soundsThatAreSwitchedOffHaveARowThatSaysSo() {
    let world = World {
      $0.sinks = Array(World.sinks.prefix(2))
      $0.sounds.isEnabled = false
    }
    let row = ring(world)
    #expect(row?.state == .silenced)
    #expect(row?.reason == "sounds are switched off ([sound] enabled = no)")
    let bare = World {
      $0.sinks = [World.sinks[0]]
      $0.sounds.isEnabled = false
    }
    bare.schedule("alone", in: 10) {
      $0.alertBody = nil
      $0.soundName = "default"
    }
    bare.advance(seconds: 60)
    #expect(rows(bare, "alone").values.map { $0.state } == [.silenced])
  }

  @Test func D5_aSoundThatSettingsLeaveOutHasARowThatSaysSo() {
    let world = world { _ in }
    _ = world.request(.user(app: "app", .register(AppRegistration(settings: [.alert, .badge]))))
    let row = ring(world)
    #expect(row?.state == .silenced)
    #expect(row?.reason == "settings leave out: sound")
  }

  /// Quiet hours end at 12:01, in mid-ringing.
  @Test(arguments: [
    (4, 0, true), (10, 0, false), (0, 30, true), (0, 3600, true), (0, 3600, false), (0, 0, true),
  ])
  func D11_E11_whatQuietHoursSilencedDoesNotBeginWhenTheyEnd(
    _ again: Int64, _ seconds: Int64, _ hasBody: Bool
  ) {
    let world = world { $0.sounds.quiet = QuietHours("11:30-12:01") }
    world.schedule("bell", in: 55) {
      if !hasBody { $0.alertBody = nil }
      $0.soundName = "default"
      $0.repeatSound = again
      $0.ringFor = seconds * Nanoseconds.second
    }
    world.advance(seconds: 4000)
    let row = rows(world, "bell")["speaker"]
    #expect(row?.state == .silenced)
    #expect(row?.reason == "quiet hours ([sound] quiet = 11:30-12:01)")
    #expect(!world.deliveries.contains { $0.sink == 2 })
  }

  /// Each of these is due by itself.
  @Test func D11_E6_whatIsDueAfterQuietHoursIsHeard() {
    let world = world { $0.sounds.quiet = QuietHours("11:30-12:01") }
    world.schedule("bell", in: 55) {
      $0.soundName = "default"
      $0.realert = Realert(every: 10 * Nanoseconds.second, atMost: 2)
    }
    world.schedule("tick", in: 50, repeats: .minute) { $0.soundName = "default" }
    world.advance(seconds: 115)
    let heard = world.deliveries.filter { $0.sink == 2 }
      .map { $0.occurrence.due.nanoseconds(since: World.start) / Nanoseconds.second }
    #expect(heard == [65, 75, 110])
  }

  /// Quiet hours from 12:01 to 12:02 fall into what rings since 12:00:50.
  @Test func E11_whatHasBegunRingsOnWhenQuietHoursEnd() {
    let world = world { $0.sounds.quiet = QuietHours("12:01-12:02") }
    world.schedule("bell", in: 50) {
      $0.soundName = "default"
      $0.ringFor = 100 * Nanoseconds.second
    }
    world.advance(seconds: 200)
    let heard = world.deliveries.filter { $0.sink == 2 }
      .map { $0.handedOver.nanoseconds(since: World.start) / Nanoseconds.second }
    #expect(heard.contains { $0 < 60 } && heard.contains { $0 >= 120 })
    #expect(!heard.contains { (60..<120).contains($0) })
    #expect(rows(world, "bell")["speaker"]?.state == .delivered)
  }

  /// The device was away, and when it came back it was quiet.
  @Test func E11_whatWasNeverHeardDoesNotBeginWhenQuietHoursEnd() {
    let world = world { $0.sounds.quiet = QuietHours("12:01-12:02") }
    world.answer = { $0.sink == 2 ? .failed(reason: "no-device") : .done(note: nil) }
    world.schedule("bell", in: 50) {
      $0.soundName = "default"
      $0.ringFor = 100 * Nanoseconds.second
    }
    world.advance(seconds: 70)
    #expect(rows(world, "bell")["speaker"]?.state == .silenced)
    world.deliveries = []
    world.advance(seconds: 200)
    #expect(!world.deliveries.contains { $0.sink == 2 })
  }

  @Test func D11_whatWasNeverHeardIsSilencedHoweverOftenItWasToRepeat() {
    let world = world { $0.sounds.quiet = QuietHours("11:30-13:00") }
    let row = ring(world) { $0.repeatSound = 3 }
    #expect(row?.state == .silenced)
  }

  @Test func N20_aListSaysWhichSoundsWillNotBeHeard() {
    let world = world { $0.sounds.quiet = QuietHours("13:00-14:00") }
    world.schedule("now", in: 60) { $0.soundName = "default" }
    world.schedule("later", in: 3600) { $0.soundName = "default" }
    world.schedule("mute", in: 3600)
    guard
      case .listed(let rows, _) = world.request(
        .list(app: "app", delivered: false, cursor: 0, limit: 9))
    else {
      Issue.record("no list")
      return
    }
    let said = Dictionary(
      uniqueKeysWithValues: rows.map { ($0.notification.identifier, $0.silence) })
    #expect(said["now"] == .some(nil))
    #expect(said["later"] == "quiet hours ([sound] quiet = 13:00-14:00)")
    #expect(said["mute"] == .some(nil))
  }

  @Test func D9_withoutADeviceWhoeverSchedulesASoundIsTold() {
    let world = world { _ in }
    world.send(.sink(2, .device(missing: "this machine has no sound card")))
    let reply = world.schedule("bell", in: 60) { $0.soundName = "default" }
    #expect(
      reply?.warnings == ["its sound will not be heard: this machine has no sound card"])
    #expect(world.schedule("mute", in: 60)?.warnings == [])
    guard
      case .listed(let rows, _) = world.request(
        .list(app: "app", delivered: false, cursor: 0, limit: 9))
    else {
      Issue.record("no list")
      return
    }
    #expect(rows.map { $0.silence } == ["this machine has no sound card", nil])
    // It is handed over all the same: a card may have come.
    world.advance(seconds: 61)
    #expect(world.deliveries.contains { $0.sink == 2 })
    world.send(.sink(2, .device(missing: nil)))
    #expect(world.schedule("again", in: 60) { $0.soundName = "default" }?.warnings == [])
  }

  @Test func D9_whatNobodyTakesIsTold() {
    let info: [ByteString: PropertyList] = ["room": .integer(3)]
    let world = world { _ in }
    let told = { (change: @escaping (inout Notification) -> Void) in
      world.schedule("data", in: 60) {
        ($0.alertBody, $0.userInfo) = (nil, info)
        change(&$0)
      }?.warnings
    }
    let nobody =
      "nothing takes it: there is only userInfo, which goes to an app's session and to plugins with"
      + " everything = yes"
    // The second plugin wants everything.
    #expect(told { _ in } == [])
    #expect(told { $0.sinks = ["one"] } == [nobody])
    world.send(
      .sink(1, .described(wantsAlerts: true, wantsBadges: false, wantsEverything: false)))
    #expect(told { _ in } == [nobody])
    #expect(told { $0.alertBody = "Hello" } == [])
    #expect(told { $0.applicationIconBadgeNumber = 3 } == [])
  }

  @Test func E6_theStepsOfALadderAreAmongWhatIsShownAndHeard() {
    let world = world { _ in }
    world.send(.sink(2, .device(missing: "no card")))
    let told = { (ladder: [LadderStep]) in
      world.schedule("steps", in: 60) { $0.ladder = ladder }?.warnings
    }
    let step = { LadderStep(after: $0 * Nanoseconds.minute, sinks: [$1]) }
    let unheard = "its sound will not be heard: no card"
    #expect(told([step(0, "one"), step(2, "speaker")]) == [unheard])
    #expect(
      told([step(0, "speaker")]) == ["nothing shows it: none of its sinks shows alerts", unheard])
    world.send(.sink(0, .down(reason: "it ended")))
    let down = "nothing shows it before one is up: it is down: it ended"
    #expect(told([step(0, "one"), step(2, "one")]) == [down])
    let nobody = "nobody may get it: one is down: it ended"
    #expect(told([step(0, "one"), step(2, "two")]) == ["in step 1 of its ladder " + nobody])
    #expect(told([step(1, "two"), step(2, "one")]) == ["in step 2 of its ladder " + nobody])
    #expect(told([step(0, "two"), step(2, "two")]) == [])
  }

  @Test func S3_theStepsOfALadderNameSounds() {
    var notification = Notification()
    notification.soundName = "bell.wav"
    notification.ladder = [nil, "siren.wav", "bell.wav", "default"].map {
      LadderStep(after: 0, sound: $0)
    }
    #expect(notification.namedSounds == ["bell.wav", "siren.wav"])
    notification.sinks = ["one"]
    #expect(notification.namedSounds == [])
  }

  @Test func N2_whatNamesNoTimeIsToldThatItIsDueNow() {
    let world = world { _ in }
    #expect(world.schedule("now")?.warnings == [ScheduleReply.isAtOnce])
    #expect(world.schedule("daily", repeats: .day)?.warnings == [ScheduleReply.repeatsFromNow])
    // Again it is no news.
    #expect(world.schedule("daily", repeats: .day)?.unchanged == true)
    #expect(world.schedule("daily", repeats: .day)?.warnings == [])
    #expect(world.schedule("tea") { $0.fireIn = 240 * Nanoseconds.second }?.warnings == [])
    #expect(world.schedule("distant") { $0.fireDate = .distantPast }?.warnings == [])
  }

  @Test func N2_aDateThatIsPastIsTold() {
    let world = world { _ in }
    func told(_ seconds: Double, _ change: (inout Notification) -> Void = { _ in }) -> [String]? {
      world.schedule("past", in: seconds, change)?.warnings.map { String($0.dropFirst(38)) }
    }
    #expect(told(-60) == ["is past, so it is due at once"])
    #expect(told(-60) { $0.late = .drop } == ["is past, so it is due at once"])
    #expect(told(-60) { $0.offset = DueOffset(seconds: -5) } == ["is past, so it is due at once"])
    #expect(told(0) == [])
    #expect(told(-1) == [])
    #expect(told(-60) { $0.offset = DueOffset(seconds: 120) } == [])
    #expect(told(-60) { $0.repeatInterval = .day } == [])
  }

  @Test func T1_whatRepeatsByUTCIsToldWhereClocksChange() throws {
    let world = world { _ in }
    var count = 0
    func told(_ change: (inout Notification) -> Void) -> String? {
      count += 1
      return world.schedule("bell \(count)", in: 3600, repeats: .day, change)?.warnings.first
    }
    #expect(told { _ in } == nil)
    world.send(.boardZone("Europe/Berlin", try ZoneFixture.rules("Europe/Berlin")))
    #expect(told { _ in }?.hasPrefix("it repeats by UTC: from 20") == true)
    #expect(told { $0.every = 2 }?.hasSuffix("with a timeZone it keeps theirs") == true)
    #expect(told { $0.zoneMode = .absolute } == nil)
    #expect(told { $0.timeZone = "Europe/Berlin" } == nil)
    #expect(told { $0.repeatInterval = .hour } == nil)
    #expect(told { $0.count = 3 } == nil)
  }

  @Test func T6_anRDATEThatIsPastIsTold() throws {
    let world = world { _ in }
    let rule = try RecurrenceRule.parse("FREQ=DAILY")
    let told = { (offsets: [Int64]) in
      world.schedule("bell", in: 60) { notification in
        notification.rrule = rule
        notification.rdate = offsets.map { world.now.real.advanced(by: $0 * Nanoseconds.hour) }
      }?.warnings
    }
    #expect(told([1, 2]) == [])
    let past = RFC3339.text(world.now.real.advanced(by: -2 * Nanoseconds.hour))
    #expect(told([-2, 1]) == ["rdate: \(past) is past"])
    #expect(told([-2, -1, 1]) == ["rdate: \(past) is past, as is 1 more of these dates"])
  }

  @Test func N20_aListSaysWhatIsNeverShown() {
    let world = world { _ in }
    let soon = world.now.real.advanced(by: 2 * Nanoseconds.hour)
    world.schedule("short", in: -3600, repeats: .day) { $0.expires = soon }
    world.schedule("bell", in: 3600)
    let reasons = { () -> [String: String?] in
      guard
        case .listed(let rows, _) = world.request(
          .list(app: "app", delivered: false, cursor: 0, limit: 9))
      else { return [:] }
      return Dictionary(
        uniqueKeysWithValues: rows.map { ($0.notification.identifier ?? "", $0.reason) })
    }
    #expect(reasons() == ["short": "it expires before it rings again", "bell": nil])
    _ = world.request(.user(app: "app", .register(AppRegistration(settings: [.badge, .sound]))))
    #expect(reasons()["bell"] == "nothing shows it: settings leave out: alert")
    guard case .refused(let error) = world.request(.test(app: "app", sink: nil)) else {
      Issue.record("a test of what is never shown was not refused")
      return
    }
    #expect(
      error
        == .invalidField(FieldError("app", .conflict, "its settings leave out: alert")))
  }

  @Test func N2_ofTwoTimesThatDifferTheOneThatDoesNotCountIsTold() {
    let world = world { _ in }
    let told = { (seconds: Double) in
      world.schedule("tea", in: seconds) { $0.fireIn = 240 * Nanoseconds.second }?.warnings
    }
    #expect(told(240) == [])
    #expect(told(200) == [])
    #expect(
      world.schedule("now") { $0.fireIn = 0 }?.warnings == ["fireIn: it is 0, so it is due at once"]
    )
    // A2: nor do the ends of time end the clock.
    for end in [Int64.min, .min + 1, .max] {
      let reply = world.schedule("tea") {
        ($0.fireIn, $0.fireDate) = (240 * Nanoseconds.second, Instant(nanoseconds: end))
        $0.datesAreOld = true
      }
      #expect(reply?.warnings.count == 1)
    }
    #expect(
      told(7200) == [
        "fireIn: it says when, and the fireDate beside it, which is another time, does not"
      ])
  }
}
