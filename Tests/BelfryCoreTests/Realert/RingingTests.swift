import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct RingingTests {
  private func world(_ change: (inout Notification) -> Void) -> World {
    let world = World { $0.sinks = World.sinks }
    world.schedule("tea", in: 1) {
      $0.soundName = "default"
      change(&$0)
    }
    world.advance(seconds: 1)
    return world
  }

  private func sounds(_ world: World) -> [Delivery] {
    world.deliveries.filter { $0.sink == 2 }
  }

  /// A sound of no time, with the pause of 3 s between.
  @Test func E11_itRingsSoLongAndNoLonger() {
    let world = world { $0.ringFor = 10 * Nanoseconds.second }
    world.advance(seconds: 3600)
    #expect(sounds(world).map { $0.repetition } == [0, 1, 2, 3])
    let row = world.store.history.values.first { $0.sink == "speaker" }
    #expect(row?.state == .delivered && row?.reason == "sounded again 3 times")
  }

  @Test func E11_itRingsUntilItIsAcknowledgedOrStopped() {
    for isStopped in [false, true] {
      let world = world { $0.ringFor = Nanoseconds.hour }
      world.advance(seconds: 5)
      if isStopped {
        world.request(.stopSound(app: "app"))
      } else {
        world.request(.user(app: "app", .response(.acknowledge, "tea")))
      }
      let count = sounds(world).count
      world.advance(seconds: 3600)
      #expect(sounds(world).count == count)
    }
  }

  /// Nothing is shown of it, and between two sounds nothing is heard.
  @Test func E11_whatRingsIsAcknowledgedBetweenItsSounds() {
    let world = world {
      $0.alertBody = nil
      $0.ringFor = Nanoseconds.hour
    }
    world.advance(seconds: 4)
    guard case .acknowledged = world.request(.user(app: "app", .response(.acknowledge, ""))) else {
      Issue.record("it is not acknowledged")
      return
    }
    let count = sounds(world).count
    world.advance(seconds: 3600)
    #expect(sounds(world).count == count && count == 2)
  }

  /// Another sound took too long, or the device was away for a moment: it rings on.
  @Test func E11_aSoundThatCouldNotBeHeardOnceIsNotTheEndOfItsRinging() {
    let world = World { $0.sinks = World.sinks }
    var count = 0
    world.answer = { delivery in
      count += delivery.sink == 2 ? 1 : 0
      return count == 2 ? .failed(reason: "sound-busy") : .done(note: nil)
    }
    world.schedule("tea", in: 1) { ($0.soundName, $0.ringFor) = ("default", Nanoseconds.minute) }
    world.advance(seconds: 120)
    #expect(sounds(world).count == 20)
    let row = world.store.history.values.first { $0.sink == "speaker" }
    #expect(row?.state == .delivered && row?.reason == "sounded again 18 times")
  }

  @Test func S5_E11_whatRingsAndIsNeverHeardHasFailed() {
    let world = World { $0.sinks = World.sinks }
    world.answer = { $0.sink == 2 ? .failed(reason: "no-device") : .done(note: nil) }
    world.schedule("tea", in: 1) { ($0.soundName, $0.ringFor) = ("default", Nanoseconds.minute) }
    world.advance(seconds: 120)
    let row = world.store.history.values.first { $0.sink == "speaker" }
    #expect(row?.state == .failed && row?.reason == "no-device")
  }

  // MARK: Outputs that are slow to wake

  private func waking() -> World {
    let world = World {
      $0.sinks = World.sinks
      $0.sounds.wake = 8 * Nanoseconds.second
    }
    world.schedule("tea", in: 60) { $0.soundName = "default" }
    world.advance(seconds: 49)
    return world
  }

  @Test func E11_aSoundIsPreparedBeforeTheSlowestOutputHasToWake() {
    let world = waking()
    world.advance(seconds: 2)
    #expect(world.prepared.contains { $0.sink == 2 })
    #expect(world.unprepared.isEmpty)
    world.advance(seconds: 60)
    #expect(sounds(world).count == 1 && world.unprepared.isEmpty)
  }

  @Test func E11_whatIsCancelledOrMovedWhileOutputsWakeIsTakenBack() {
    for isMoved in [false, true] {
      let world = waking()
      world.advance(seconds: 5)
      if isMoved {
        world.schedule("tea", in: 600) { $0.soundName = "default" }
      } else {
        world.request(.cancel(app: "app", identifiers: ["tea"]))
      }
      #expect(world.unprepared == world.prepared.filter { $0.sink == 2 }.map { $0.occurrence })
      #expect(world.unprepared.count == 1)
    }
  }

  @Test func E6_stopSoundIsNoAnswer() {
    let world = world { $0.realert = Realert(every: Nanoseconds.minute) }
    world.request(.stopSound(app: "app"))
    #expect(world.store.waiting.count == 1)
  }

  @Test func D7_E11_afterAKillItRingsForTheRestOfItsTime() {
    let world = world { $0.ringFor = Nanoseconds.minute }
    world.advance(seconds: 40)
    world.restart()
    world.deliveries = []
    world.advance(seconds: 600)
    #expect((5...7).contains(sounds(world).count))
  }

  @Test func E11_theFadeGoesOnOverRepeatsAndSteps() {
    let world = world {
      $0.fadeIn = 10 * Nanoseconds.minute
      $0.ringFor = 10 * Nanoseconds.second
      $0.realert = Realert(every: Nanoseconds.minute, atMost: 2)
    }
    world.advance(seconds: 300)
    let fades = sounds(world).map { $0.fade }
    #expect(fades.count > 10 && Set(fades).count == 1)
    #expect(fades.first??.length == 10 * Nanoseconds.minute)
    #expect(world.deliveries.filter { $0.sink != 2 }.allSatisfy { $0.fade == nil })
  }

  @Test func A4_E11_fadeAndRingHaveBounds() {
    func refusal(_ change: (inout Notification) -> Void) -> String? {
      var notification = Notification()
      notification.soundName = "default"
      change(&notification)
      do throws(FieldError) {
        _ = try notification.validated()
        return nil
      } catch {
        return error.field
      }
    }
    #expect(refusal { $0.fadeIn = -1 } == "fadeIn")
    #expect(refusal { $0.fadeIn = 30 * Nanoseconds.minute + 1 } == "fadeIn")
    #expect(refusal { $0.ringFor = 999_999_999 } == "ringFor")
    #expect(refusal { $0.ringFor = Nanoseconds.hour + 1 } == "ringFor")
    #expect(refusal { ($0.ringFor, $0.repeatSound) = (Nanoseconds.minute, 1) } == "ringFor")
    #expect(refusal { ($0.ringFor, $0.soundName) = (Nanoseconds.minute, nil) } == "ringFor")
    #expect(refusal { ($0.fadeIn, $0.soundName) = (Nanoseconds.minute, nil) } == "fadeIn")
    #expect(refusal { ($0.fadeIn, $0.ringFor) = (Nanoseconds.minute, Nanoseconds.hour) } == nil)
  }
}
