import Testing

@testable import BelfryCore

/// N19: what names its sinks goes to these alone.
@Suite struct NamedSinksTests {
  private func world() -> World { World { $0.sinks = World.sinks } }

  private func ring(
    _ world: World, to names: [String], _ change: (inout Notification) -> Void = { _ in }
  ) {
    world.schedule("tea", in: 1) {
      $0.soundName = "default"
      $0.sinks = names
      change(&$0)
    }
    world.advance(seconds: 2)
  }

  @Test(arguments: [
    ([], [0, 1, 2]), (["two"], [1]), (["one", "speaker"], [0, 2]), (["speaker"], [2]),
  ])
  func N19_onlyTheseGetIt(_ names: [String], _ sinks: [SinkIndex]) {
    let world = world()
    ring(world, to: names)
    #expect(world.deliveries.map { $0.sink } == sinks)
  }

  @Test func N19_D1_anAppInTheForegroundIsNotAsked() {
    let world = world()
    world.open(1)
    ring(world, to: ["two"])
    #expect(world.words(in: 1).isEmpty && world.deliveries.map { $0.sink } == [1])
  }

  @Test func N19_aNameThatNobodyHasIsRefused() {
    let world = world()
    for names in [["thre"], ["one", "ONE"], ["app"]] {
      var notification = world.alert("tea", in: 1)
      notification.sinks = names
      guard
        case .refused(.invalidField(let error)) =
          world.request(.schedule(app: "app", notification))
      else {
        Issue.record("\(names) is not refused")
        continue
      }
      #expect(error.field == "sinks" && error.reason.contains("known are speaker, one, two"))
    }
    var many = world.alert("tea", in: 1)
    many.sinks = Array(repeating: "one", count: 17)
    #expect(throws: FieldError.self) { try many.validated() }
    many.sinks = ["one", "two", "one"]
    #expect(throws: FieldError("sinks", .conflict, "\"one\" stands in the list twice")) {
      try many.validated()
    }
    #expect(world.listed().isEmpty)
  }

  /// D9: it is not lost without a word, and the others get it.
  @Test(arguments: [["two"], ["one", "two"]])
  func N19_D9_whatHasGoneFromTheConfigurationIsSaid(_ names: [String]) {
    let world = world()
    world.schedule("tea", in: 60) { $0.sinks = names }
    world.configuration.sinks = [World.sinks[0], World.sinks[2]]
    world.restart()
    world.advance(seconds: 61)
    #expect(world.deliveries.count == names.count - 1)
    let rows = world.store.history.values.map { "\($0.sink) \($0.state) \($0.reason ?? "")" }
    #expect(rows.contains("two failed sink-removed") && rows.count == names.count)
    #expect(world.store.open.isEmpty)
  }

  @Test func N19_whatNobodyShowsIsWarnedOf() {
    let world = world()
    let reply = world.schedule("tea", in: 1) { $0.sinks = ["speaker"] }
    #expect(reply?.warnings == ["nothing shows it: none of its sinks shows alerts"])
    #expect(world.schedule("cake", in: 1) { $0.sinks = ["one"] }?.warnings == [])
    let bell = world.schedule("bell", in: 1) {
      ($0.alertBody, $0.soundName, $0.sinks) = (nil, "default", ["one"])
    }
    let silent = ["its sound is not heard: the speaker is none of its sinks"]
    #expect(bell?.warnings == silent)
    // Steps of a ladder name sinks, too.
    for later in [["two"], ["speaker"], []] {
      let stairs = world.schedule("stairs", in: 1) {
        $0.soundName = "default"
        $0.ladder = [
          LadderStep(after: 0, sinks: ["one"]),
          LadderStep(after: Nanoseconds.minute, sinks: later),
        ]
      }
      #expect(stairs?.warnings == (later == ["two"] ? silent : []), "\(later)")
    }
    var profile = AppProfile(id: "app")
    profile.allowed = [.badge]
    world.send(.app(profile))
    #expect(
      world.schedule("hidden", in: 1)?.warnings == ["nothing shows it: settings leave out: alert"])
  }

  /// E6: a step goes to its own sinks, or to every one, whatever its notification names.
  @Test func N19_E6_aStepHasSinksOfItsOwn() {
    let world = world()
    ring(world, to: ["two"]) {
      $0.soundName = nil
      $0.ladder = [
        LadderStep(after: 10 * Nanoseconds.second),
        LadderStep(after: 20 * Nanoseconds.second, sinks: ["one"]),
      ]
    }
    world.advance(seconds: 20)
    #expect(world.deliveries.map { $0.sink } == [1, 0, 1, 0])
  }
}
