import SchedulerFixtures
import Testing

@testable import BelfryCore

/// D11: what waits as a snooze is answered, moved and cancelled, and its repeat goes on.
@Suite struct WaitingSnoozeTests {
  private static let hour = 60 * Nanoseconds.minute

  /// An hourly alert whose first occurrence is snoozed for so many minutes; its id.
  private func world(
    _ minutes: Int64 = 30, _ change: (inout Notification) -> Void = { _ in }
  ) -> (World, OccurrenceID) {
    let world = World { $0.sinks = World.sinks }
    world.schedule("r", in: 1, repeats: .hour, change)
    world.advance(seconds: 2)
    let first = world.deliveries[0].occurrence.id
    #expect(answer(world, .snooze(minutes * Nanoseconds.minute)) != nil)
    world.deliveries = []
    world.events = []
    return (world, first)
  }

  private func answer(
    _ world: World, _ response: UserResponse, _ id: String = "r", by peer: Peer = World.alice
  ) -> Reply? {
    world.request(.user(app: "app", .response(response, id)), by: peer)
  }

  private func waiting(_ world: World) -> [OccurrenceID?] {
    guard
      case .listed(let rows, nil) = world.request(.snoozed(app: "app", cursor: 0, limit: 100))
    else { return [] }
    return rows.map { $0.occurrence }
  }

  private func snoozed(_ id: OccurrenceID, _ times: Int32) -> OccurrenceID {
    var id = id
    id.snooze = times
    return id
  }

  private func row(_ world: World, _ id: OccurrenceID) -> HistoryRow? {
    world.store.history[FakeStore.DeliveryKey(occurrence: id, sink: "")]
  }

  @Test func D11_itIsListedWithItsOccurrence() {
    let (world, first) = world()
    #expect(waiting(world) == [snoozed(first, 1)])
  }

  @Test(arguments: ["r", "", ".s1"])
  func D11_itIsDismissedAndItsRepeatGoesOn(_ name: String) {
    let (world, first) = world()
    let id = name == "r" ? "r" : first.text + name
    #expect(answer(world, .dismiss, id) == .done)
    #expect(waiting(world).isEmpty && world.store.snoozed.isEmpty && world.store.open.isEmpty)
    #expect(world.events.map { $0.kind } == [.dismissed])
    #expect(world.events.first?.occurrence == snoozed(first, 1))
    #expect(row(world, snoozed(first, 1))?.state == .dismissed)
    #expect(answer(world, .dismiss, id) == .refused(.notFound(identifier: id)))
    world.advance(seconds: 3600)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [1, 1])
  }

  @Test func D11_D3_itIsActedOnAndItsAppHears() {
    let (world, first) = world()
    world.request(.openSession(app: "app", session: 5, state: .background))
    #expect(answer(world, .act(action: nil, text: nil)) == .done)
    #expect(world.told.map { $0.event.kind } == [.activated])
    #expect(world.told.first?.event.occurrence.id == snoozed(first, 1))
    #expect(row(world, snoozed(first, 1))?.state == .activated)
    guard case .refused(.notFound) = answer(world, .act(action: "x", text: nil)) else {
      return #expect(Bool(false), "it is gone")
    }
  }

  @Test func D4_anActionThatItDoesNotHaveLeavesItWaiting() {
    let (world, first) = world()
    guard case .refused(.invalidField(let error)) = answer(world, .act(action: "x", text: nil))
    else { return #expect(Bool(false), "it has none") }
    #expect(error.field == "action" && waiting(world) == [snoozed(first, 1)])
  }

  @Test func E6_itIsAcknowledgedByItsIdAloneAndNotAsTheNewest() {
    let (world, first) = world()
    #expect(answer(world, .acknowledge, "") == .refused(.notFound(identifier: "")))
    #expect(
      answer(world, .acknowledge)
        == .acknowledged(identifier: "r", occurrence: snoozed(first, 1)))
    #expect(waiting(world).isEmpty)
  }

  @Test func D11_itIsMovedUnderANewId() {
    let (world, first) = world()
    world.advance(seconds: 60)
    let due = world.now.real.advanced(by: 40 * Nanoseconds.minute)
    #expect(answer(world, .snooze(40 * Nanoseconds.minute)) == .snoozed(next: due))
    #expect(waiting(world) == [snoozed(first, 2)])
    #expect(world.events.map { $0.kind } == [.snoozed])
    #expect(row(world, snoozed(first, 1))?.state == .snoozed)
    world.restart()
    world.deliveries = []
    world.advance(seconds: 2399)
    #expect(world.deliveries.isEmpty)
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.occurrence.id } == [snoozed(first, 2), snoozed(first, 2)])
  }

  /// What is shown goes first, and asking again means what waits.
  @Test func D11_whatIsShownGoesFirst() {
    let (world, first) = world(90)
    world.advance(seconds: 3600)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [1, 1])
    #expect(answer(world, .dismiss) == .done)
    #expect(waiting(world) == [snoozed(first, 1)])
    #expect(world.store.shown.isEmpty)
    #expect(answer(world, .dismiss) == .done)
    #expect(waiting(world).isEmpty)
  }

  /// By the occurrence it is the one that is meant, whatever is shown.
  @Test func D11_byItsOccurrenceItIsMeantAlone() {
    let (world, first) = world(90)
    world.advance(seconds: 3600)
    #expect(answer(world, .dismiss, first.text) == .done)
    #expect(waiting(world).isEmpty && world.store.shown.count == 2)
  }

  /// Of several the last to come is moved, and the others end.
  @Test func D11_severalThatWaitAreAnsweredAsOne() {
    let (world, first) = world(90)
    world.advance(seconds: 3600)
    #expect(answer(world, .snooze(Self.hour)) != nil)
    #expect(waiting(world).count == 2)
    world.events = []
    #expect(answer(world, .snooze(Nanoseconds.minute)) != nil)
    #expect(waiting(world).map { $0?.k } == [1])
    #expect(world.events.map { $0.kind } == [.superseded, .snoozed])
    #expect(row(world, snoozed(first, 1))?.state == .superseded)
    #expect(world.store.snoozed.count == 1)
  }

  @Test func N15_itIsCancelledWithItsNotificationOrAlone() {
    let (world, first) = world()
    #expect(
      world.request(.cancel(app: "app", identifiers: [first.text]))
        == .cancelled(cancelled: 1, withdrawn: 0))
    #expect(waiting(world).isEmpty && world.listed() == ["r"])
    let (other, _) = self.world()
    #expect(
      other.request(.cancel(app: "app", identifiers: ["r"]))
        == .cancelled(cancelled: 2, withdrawn: 0))
    #expect(waiting(other).isEmpty && other.listed().isEmpty)
  }

  @Test func A1_nobodyElseAnswersIt() {
    let (world, first) = world()
    for id in ["r", first.text] {
      #expect(answer(world, .dismiss, id, by: World.bob) == .refused(.notOwner(app: "app")))
    }
    #expect(answer(world, .dismiss, by: World.root) == .done)
  }

  /// A sink speaks for what it shows, and for nothing else.
  @Test func D5_noSinkAnswersWhatOnlyWaits() {
    let (world, first) = world()
    for id in [first, snoozed(first, 1)] {
      world.send(.sink(0, .input(SinkInput(id, .dismiss, isLocked: false))))
    }
    #expect(waiting(world) == [snoozed(first, 1)])
  }

  @Test func A2_movingOneOfSixtyFourAddsNone() {
    let world = World { $0.notifications = 100 }
    for number in 0..<64 { world.schedule("n\(number)", in: 1) }
    world.advance(seconds: 2)
    for _ in 0..<2 {
      for number in 0..<64 {
        guard case .snoozed = answer(world, .snooze(Self.hour), "n\(number)") else {
          return #expect(Bool(false), "\(number)")
        }
      }
    }
    #expect(waiting(world).count == 64)
  }

  /// Killed when the store has the new one, and not yet that the old one is gone.
  @Test func D7_aKillAsItIsMovedLeavesOne() {
    let (world, first) = world()
    world.isBlocked = true
    _ = answer(world, .snooze(Self.hour))
    world.commitOne()
    world.commitOne()
    #expect(world.store.snoozed.count == 2)
    world.isBlocked = false
    world.restart()
    #expect(waiting(world) == [snoozed(first, 2)])
    #expect(world.store.snoozed.count == 1)
  }

  /// What was prepared and is moved was not handed over.
  @Test func D7_whatIsMovedJustBeforeItsDueIsAFirstAttempt() {
    let (world, first) = world()
    world.advance(seconds: 1799.5)
    #expect(world.store.open.count == 1)
    _ = answer(world, .snooze(Nanoseconds.minute))
    #expect(world.store.open.isEmpty)
    world.sleep(seconds: 120)
    world.deliveries = []
    world.restart()
    #expect(world.deliveries.map { $0.occurrence.id } == [snoozed(first, 2), snoozed(first, 2)])
    #expect(world.deliveries.allSatisfy { $0.attempt == 1 })
  }

  /// Killed when the store has the snooze, and not yet that its alert does not go to a sink that was down,
  /// and waits for no answer: neither comes any more, or it could be snoozed twice under one id.
  @Test func D7_aKillAsItIsSnoozedEndsWhatWasUnderWay() {
    let world = World { $0.sinks = World.sinks }
    world.send(.sink(1, .down(reason: "gone")))
    world.schedule("tea", in: 1) { $0.realert = Realert(every: 10 * Nanoseconds.second) }
    world.advance(seconds: 2)
    #expect(world.store.open.count == 1 && world.store.waiting.count == 1)
    world.isBlocked = true
    _ = answer(world, .snooze(Nanoseconds.minute), "tea")
    world.commitOne()
    world.commitOne()
    #expect(world.store.snoozed.count == 1 && world.store.open.count == 1)
    world.isBlocked = false
    world.deliveries = []
    world.restart()
    #expect(world.store.open.isEmpty && world.store.waiting.isEmpty)
    world.advance(seconds: 55)
    #expect(world.deliveries.isEmpty)
    world.advance(seconds: 5)
    #expect(world.deliveries.allSatisfy { $0.occurrence.id.snooze == 1 && $0.attempt == 1 })
    #expect(world.deliveries.count == 2)
  }
}
