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

  @Test func D11_whatRepeatsIsHeardOnceQuietHoursAreOver() {
    let world = world { $0.sounds.quiet = QuietHours("11:30-12:01") }
    world.schedule("bell", in: 55) {
      $0.soundName = "default"
      $0.repeatSound = 4
    }
    world.advance(seconds: 120)
    let row = rows(world, "bell")["speaker"]
    #expect(row?.state == .delivered)
    #expect(row?.reason == "sounded again 2 times")
    #expect(world.deliveries.filter { $0.sink == 2 }.count == 3)
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
}
