import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct ResponseTests {
  private let buttons: AppRegistration = {
    var reply = NotificationAction(identifier: "reply", title: "Reply")
    reply.behavior = .textInput
    reply.activationMode = .background
    var delete = NotificationAction(identifier: "delete", title: "Delete")
    delete.requiresAuthentication = true
    return AppRegistration(
      categories: [ActionCategory(identifier: "chat", actions: [reply, delete])])
  }()

  /// Two plugins and the speaker, with one alert shown.
  private func world(_ change: (inout Notification) -> Void = { _ in }) -> World {
    let world = World { $0.sinks = World.sinks }
    world.request(.user(app: "app", .register(buttons)))
    world.schedule("tea", in: 1) {
      $0.category = "chat"
      change(&$0)
    }
    world.advance(seconds: 2)
    return world
  }

  private func opened(_ world: World) -> SessionID {
    world.open(7, .background)
    return 7
  }

  private func response(_ world: World, _ response: UserResponse, _ id: String = "tea") -> Reply? {
    world.request(.user(app: "app", .response(response, id)))
  }

  private func field(_ reply: Reply?) -> String? {
    if case .refused(.invalidField(let error)) = reply { error.field } else { nil }
  }

  @Test func D3_theDefaultActionReachesTheAppAndTakesTheAlertAwayEverywhere() {
    let world = world()
    let session = opened(world)
    #expect(response(world, .act(action: nil, text: nil)) == .done)
    #expect(world.events(in: session).map { $0.kind } == [.activated])
    #expect(Set(world.withdrawals.map { $0.sink }) == [0, 1])
    #expect(world.kinds("tea").filter { $0 == .activated }.count == 1)
    #expect(
      world.store.history.values.filter { $0.sink != Sink.app }.map { $0.state }
        == [.activated, .activated])
    #expect(response(world, .act(action: nil, text: nil)) == .refused(.notFound(identifier: "tea")))
  }

  @Test func D4_anotherActionArrivesWithItsText() {
    let world = world()
    let session = opened(world)
    #expect(response(world, .act(action: "reply", text: "soon")) == .done)
    let events = world.events(in: session)
    #expect(events.map { $0.kind } == [.handleAction])
    #expect(events.first?.action == "reply" && events.first?.text == "soon")
    #expect(events.first?.delivered != nil)
    #expect(
      world.store.history.values.first { $0.sink == "one" }?.reason == "action reply")
  }

  @Test func D4_whatAnActionDoesNotTakeIsRefusedByName() {
    let world = world()
    #expect(field(response(world, .act(action: "replay", text: nil))) == "action")
    #expect(field(response(world, .act(action: "delete", text: "x"))) == "text")
    #expect(field(response(world, .act(action: nil, text: "x"))) == "text")
    #expect(
      field(response(world, .act(action: "reply", text: String(repeating: "x", count: 16_385))))
        == "text")
    #expect(response(world, .dismiss, "coffee") == .refused(.notFound(identifier: "coffee")))
    // Nothing was disturbed by that.
    #expect(world.withdrawals.isEmpty)
    #expect(response(world, .act(action: "delete", text: nil)) == .done)
  }

  @Test func D3_aDismissalIsToldAndByTheOccurrenceOnly() {
    let world = world()
    let session = opened(world)
    world.deliveries = []
    world.schedule("tea", in: 1, repeats: .minute)
    world.advance(seconds: 62)
    let first = world.deliveries[0].occurrence.id
    let second = world.deliveries.last!.occurrence.id
    #expect(first != second)
    world.withdrawals = []
    #expect(response(world, .dismiss, first.text) == .done)
    #expect(Set(world.withdrawals.map { $0.occurrence }) == [first])
    #expect(world.events(in: session).map { $0.kind } == [.dismissed])
    #expect(response(world, .dismiss, "tea") == .done)
    #expect(Set(world.withdrawals.map { $0.occurrence }) == [first, second])
    #expect(response(world, .dismiss, second.text) == .refused(.notFound(identifier: second.text)))
  }

  @Test func N15_whatIsShownCanBePutAwayAfterARestart() {
    let world = world()
    world.restart()
    #expect(response(world, .dismiss) == .done)
    #expect(Set(world.withdrawals.map { $0.sink }) == [0, 1])
    world.schedule("milk", in: 1)
    world.advance(seconds: 2)
    world.restart()
    world.request(.cancel(app: "app", identifiers: ["milk"]))
    #expect(
      world.withdrawals.filter { $0.occurrence == world.deliveries.last!.occurrence.id }
        .map { $0.sink }.sorted() == [0, 1])
  }

  @Test func N15_aSinkThatIsDownTakesItBackInALaterLife() {
    let world = world()
    let id = world.deliveries[0].occurrence.id
    world.send(.sink(0, .down(reason: "killed")))
    #expect(response(world, .dismiss) == .done)
    #expect(world.store.owed.map { $0.sink } == ["one"])
    world.restart(sinksUp: false)
    world.withdrawals = []
    world.restart(sinksUp: false)
    #expect(world.withdrawals.isEmpty)
    world.send(.sink(0, .up))
    world.send(.sink(1, .up))
    #expect(world.withdrawals.map { $0.sink } == [0])
    #expect(world.withdrawals.first?.occurrence == id && world.store.owed.isEmpty)
    world.send(.sink(0, .down(reason: "killed")))
    world.send(.sink(0, .up))
    #expect(world.withdrawals.count == 1)
  }

  @Test func N15_aKillBeforeTheSinkHasTakenItBackLosesNoWithdrawal() {
    let world = world()
    let id = world.deliveries[0].occurrence.id
    world.takesBack = false
    #expect(response(world, .dismiss) == .done)
    #expect(Set(world.store.owed.map { $0.sink }) == ["one", "two"])
    world.takesBack = true
    world.withdrawals = []
    world.restart()
    #expect(world.withdrawals.map { $0.sink } == [0, 1])
    #expect(world.withdrawals.allSatisfy { $0.occurrence == id } && world.store.owed.isEmpty)
  }

  @Test(arguments: [UserResponse.snooze(Nanoseconds.minute), .act(action: "reply", text: "x")])
  func D4_D11_whatIsDoneTwiceAtOnceIsDoneOnce(_ response: UserResponse) {
    let world = world()
    let session = opened(world)
    let id = world.deliveries[0].occurrence.id
    // Two sinks, before the store has answered the first.
    world.isBlocked = true
    for sink in [0, 1] as [SinkIndex] {
      world.send(.sink(sink, .input(SinkInput(id, response, isLocked: false))))
    }
    world.isBlocked = false
    world.run()
    #expect(world.events(in: session).count <= 1)
    #expect(world.scheduler.snoozes.count + world.events(in: session).count == 1)
    #expect(world.withdrawals.count == 2)
    world.deliveries = []
    world.advance(seconds: 61)
    #expect(world.deliveries.count == (response.state == .snoozed ? 2 : 0))
  }

  @Test func D8_whatTheBooksCannotSayIsNotSaidToBeGone() {
    let world = world()
    var commands: [EngineCommand] = []
    world.scheduler.handle(
      .request(900, World.alice, .user(app: "app", .response(.dismiss, "tea"))), now: world.now,
      into: &commands)
    let tickets = commands.compactMap { command -> StoreTicket? in
      if case .store(let ticket, .question(.findShown)) = command { ticket } else { nil }
    }
    commands = []
    world.scheduler.handle(
      .store(tickets[0], .failed(reason: "disk full")), now: world.now, into: &commands)
    let replies = commands.compactMap { command -> Reply? in
      if case .reply(900, let reply) = command { reply } else { nil }
    }
    #expect(replies == [.refused(.storeUnavailable(reason: "disk full"))])
  }

  /// What only memory has would be silent after a restart: nobody is told that it comes again.
  @Test func D8_D11_aSnoozeThatTheDiskRefusesIsNoPromise() {
    let world = world()
    world.store.takesRecords = false
    let reply = world.request(.user(app: "app", .response(.snooze(Nanoseconds.minute), "tea")))
    guard case .refused(.storeUnavailable(let reason))? = reply else {
      Issue.record("\(String(describing: reply))")
      return
    }
    #expect(reason.hasSuffix("it is done, and a restart forgets it"))
    world.deliveries = []
    world.advance(seconds: 61)
    #expect(world.deliveries.count == 2)
  }

  @Test func A1_nobodyElseActsOnIt() {
    let world = world()
    let id = world.deliveries[0].occurrence.id.text
    for response in [
      UserResponse.act(action: nil, text: nil), .dismiss, .snooze(Nanoseconds.minute),
    ] {
      for name in ["tea", id] {
        #expect(
          world.request(.user(app: "app", .response(response, name)), by: World.bob)
            == .refused(.notOwner(app: "app")))
        #expect(
          world.request(.user(app: "bobs", .response(response, name)), by: World.bob)
            == .refused(.notFound(identifier: name)))
      }
    }
    #expect(world.withdrawals.isEmpty)
    #expect(world.request(.user(app: "app", .response(.dismiss, "tea")), by: World.root) == .done)
  }

  // MARK: Sinks

  private func input(
    _ world: World, _ sink: SinkIndex, _ response: UserResponse, _ id: OccurrenceID? = nil,
    isLocked: Bool = false
  ) {
    let id = id ?? world.deliveries[0].occurrence.id
    world.send(.sink(sink, .input(SinkInput(id, response, isLocked: isLocked))))
  }

  @Test func D5_aPluginActsOnWhatItWasGiven() {
    let world = world()
    let session = opened(world)
    input(world, 0, .act(action: "reply", text: "yes"))
    #expect(world.events(in: session).map { $0.text } == ["yes"])
    #expect(Set(world.withdrawals.map { $0.sink }) == [0, 1])
    #expect(world.events.last { $0.kind == .activated }?.sink == "one")
  }

  @Test func D5_aLockedSinkMayNotDoWhatAsksForWhoItIs() {
    let world = world()
    let session = opened(world)
    input(world, 0, .act(action: "delete", text: nil), isLocked: true)
    #expect(world.events(in: session).isEmpty && world.withdrawals.isEmpty)
    #expect(world.said.contains { $0.contains("delete asks for who it is") }, "\(world.said)")
    input(world, 0, .act(action: "reply", text: nil), isLocked: true)
    #expect(world.events(in: session).map { $0.text } == [""])
  }

  @Test func D5_aPluginSpeaksForNoOtherSinkAndForNothingUnknown() {
    let world = World {
      $0.sinks = World.sinks
      $0.sinks[1].wantsAlerts = false
      $0.sinks[1].wantsEverything = false
    }
    let session = opened(world)
    world.schedule("tea", in: 1)
    world.advance(seconds: 2)
    let id = world.deliveries[0].occurrence.id
    var other = id
    other.k += 1
    input(world, 1, .dismiss, id)
    input(world, 2, .dismiss, id)
    input(world, 0, .dismiss, other)
    input(world, 0, .snooze(0), id)
    #expect(world.events(in: session).isEmpty && world.withdrawals.isEmpty)
    #expect(world.said.filter { $0.contains("is refused") }.count == 4, "\(world.said)")
    input(world, 0, .dismiss, id)
    #expect(world.events(in: session).count == 1)
  }

  @Test func D5_aPluginActsWhileItStillShows() {
    let world = World()
    world.answer = { _ in .pending }
    let session = opened(world)
    world.schedule("tea", in: 1)
    world.advance(seconds: 2)
    input(world, 0, .act(action: nil, text: nil))
    #expect(world.events(in: session).map { $0.kind } == [.activated])
    #expect(world.store.history.values.filter { $0.sink == "one" }.map { $0.state } == [.activated])
    #expect(world.store.open.isEmpty)
  }

  // MARK: Repeating sounds

  /// Lets the speaker take a second for each sound.
  private func sounding(_ times: Int64) -> World {
    let world = World { $0.sinks = World.sinks }
    world.answer = { $0.sink == 2 ? nil : .done(note: nil) }
    world.schedule("bell", in: 1) {
      $0.soundName = "default"
      $0.repeatSound = times
    }
    world.advance(seconds: 2)
    return world
  }

  private func sounds(_ world: World) -> [Int32] {
    world.deliveries.filter { $0.sink == 2 }.map { $0.repetition }
  }

  private func endSound(_ world: World) {
    guard let last = world.deliveries.last(where: { $0.sink == 2 }) else { return }
    world.send(.sink(2, .answered(token: last.token, .done(note: "device x"))))
  }

  @Test func D11_theSoundComesAgainAtMostSoOften() {
    let world = sounding(2)
    for _ in 0..<5 {
      endSound(world)
      world.advance(seconds: 4)
    }
    #expect(sounds(world) == [0, 1, 2])
    let row = world.store.history.values.first { $0.sink == "speaker" }
    #expect(row?.state == .delivered && row?.attempts == 1)
    #expect(row?.reason == "device x; sounded again 2 times")
  }

  enum Ending: CaseIterable { case act, dismiss, snooze, cancel, stopSound, plugin }

  @Test(arguments: Ending.allCases, [true, false])
  func D11_acknowledgingStopsTheSound(_ ending: Ending, isPlaying: Bool) {
    let world = sounding(10)
    if !isPlaying { endSound(world) }
    switch ending {
    case .act: _ = response(world, .act(action: nil, text: nil), "bell")
    case .dismiss: _ = response(world, .dismiss, "bell")
    case .snooze: _ = response(world, .snooze(Nanoseconds.hour), "bell")
    case .cancel: world.request(.cancel(app: "app", identifiers: ["bell"]))
    case .stopSound: world.request(.stopSound(app: nil))
    case .plugin: input(world, 1, .dismiss)
    }
    if isPlaying {
      #expect(
        world.withdrawals.contains { $0.sink == 2 } || !world.stopped.isEmpty)
      endSound(world)
    }
    world.advance(seconds: 30)
    #expect(sounds(world) == [0])
    #expect(world.store.open.isEmpty)
  }

  @Test func D11_aSoundThatWasRepeatingRepeatsAfterARestart() {
    let world = sounding(1)
    world.restart()
    endSound(world)
    world.advance(seconds: 4)
    endSound(world)
    world.advance(seconds: 30)
    #expect(sounds(world) == [0, 0, 1])
    #expect(world.store.open.isEmpty)
  }
}
