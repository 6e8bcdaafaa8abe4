import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct SettingsTests {
  private func category(
    _ identifier: String, _ actions: [String], minimal: [String]? = nil
  ) -> ActionCategory {
    ActionCategory(
      identifier: identifier,
      actions: actions.map { NotificationAction(identifier: $0, title: $0) }, minimal: minimal)
  }

  private func refusal(_ world: World, _ registration: AppRegistration) -> FieldError? {
    let reply = world.request(.user(app: "app", .register(registration)))
    guard case .refused(.invalidField(let error)) = reply else { return nil }
    return error
  }

  private func parts(_ world: World) -> [(String, DeliveryParts)] {
    defer { world.deliveries = [] }
    return world.deliveries.map { (world.configuration.sinks[Int($0.sink)].name, $0.parts) }
  }

  @Test func D5_anAppThatNeverRegisteredHasAllThree() {
    let world = World { $0.sinks = World.sinks }
    let nothing = Reply.settings(isRegistered: false, AppRegistration())
    #expect(world.request(.user(app: "app", .settings)) == nothing)
    world.schedule("a", in: 1) {
      $0.soundName = "default"
      $0.applicationIconBadgeNumber = 4
    }
    world.advance(seconds: 2)
    #expect(world.request(.user(app: "app", .settings)) == nothing)
    let all: DeliveryParts = [.alert, .badge, .sound]
    let given = parts(world)
    #expect(given.map { $0.0 } == ["one", "two", "speaker"])
    #expect(given.map { $0.1 } == [all, all, .sound])
    #expect(world.badges.map { $0.value } == [4])
  }

  struct Cut: CustomTestStringConvertible {
    var settings: AppSettings
    var sinks: [String]
    var parts: [DeliveryParts]
    var testDescription: String { "\(settings.rawValue)" }
  }

  /// Sink `two` also wants what has no alert.
  static let cuts = [
    Cut(
      settings: .alert, sinks: ["one", "two"],
      parts: [.alert, .alert]),
    Cut(settings: .sound, sinks: ["two", "speaker"], parts: [.sound, .sound]),
    Cut(settings: .badge, sinks: ["two"], parts: [.badge]),
    Cut(
      settings: [.alert, .sound], sinks: ["one", "two", "speaker"],
      parts: [[.alert, .sound], [.alert, .sound], .sound]),
    Cut(settings: [], sinks: ["two"], parts: [[]]),
  ]

  @Test(arguments: cuts) func D5_settingsCutWhatIsDueAtItsDue(_ row: Cut) {
    let world = World { $0.sinks = World.sinks }
    world.schedule("a", in: 10) {
      $0.soundName = "default"
      $0.applicationIconBadgeNumber = 4
    }
    // After it was scheduled and prepared.
    world.advance(seconds: 9.9)
    world.request(.user(app: "app", .register(AppRegistration(settings: row.settings))))
    world.advance(seconds: 1)
    let given = parts(world)
    #expect(given.map { $0.0 } == row.sinks)
    #expect(given.map { $0.1 } == row.parts)
    #expect(world.badges.isEmpty == !row.settings.contains(.badge))
    let badge: Int64 = row.settings.contains(.badge) ? 4 : 0
    #expect(world.request(.user(app: "app", .badge)) == .badge(badge))
  }

  @Test func D5_whatMayNotBeShownAtAllSaysSoInTheHistory() {
    let world = World()
    world.request(.user(app: "app", .register(AppRegistration(settings: []))))
    world.schedule("a", in: 1) { $0.soundName = "default" }
    world.advance(seconds: 2)
    let rows = world.store.history.values
    #expect(rows.map { $0.state } == [.discarded])
    #expect(rows.first?.reason == "settings leave out: alert, sound")
  }

  @Test func D5_registeringAgainReplacesAndIsKept() {
    let world = World()
    let first = AppRegistration(settings: .all, categories: [category("a", ["x"])])
    let second = AppRegistration(
      settings: [.alert, .badge],
      categories: [category("b", ["y", "z", "w"], minimal: ["w"]), category("c", [])])
    #expect(world.request(.user(app: "app", .register(first))) == .registered(.all))
    #expect(world.request(.user(app: "app", .register(second))) == .registered([.alert, .badge]))
    #expect(
      world.request(.user(app: "app", .settings)) == .settings(isRegistered: true, second))
    world.restart()
    #expect(
      world.request(.user(app: "app", .settings)) == .settings(isRegistered: true, second))
  }

  @Test func D5_theOperatorBoundsWhatAnAppRegisters() {
    let world = World { $0.sinks = World.sinks }
    world.request(.user(app: "app", .setBadge(3)))
    var profile = AppProfile(id: "app")
    profile.allowed = [.alert]
    world.send(.app(profile))
    #expect(
      world.request(.user(app: "app", .register(AppRegistration(settings: [.alert, .sound]))))
        == .registered(.alert))
    // The badge is kept and not shown.
    #expect(world.badges.map { $0.value } == [3, 0])
    #expect(world.request(.user(app: "app", .badge)) == .badge(3))
    world.send(.appGone("app"))
    #expect(
      world.request(.user(app: "app", .settings))
        == .settings(isRegistered: true, AppRegistration(settings: [.alert, .sound])))
    world.request(.user(app: "app", .register(AppRegistration())))
    #expect(world.badges.map { $0.value } == [3, 0, 3])
  }

  @Test func N10_aNotificationOffersTheActionsOfItsCategory() {
    let world = World()
    let meal = category("meal", ["eat", "skip", "later", "never"])
    let short = category("short", ["a", "b", "c"], minimal: ["c", "a"])
    world.request(.user(app: "app", .register(AppRegistration(categories: [meal, short]))))
    for (name, category) in [("1", "meal"), ("2", "short"), ("3", "unknown"), ("4", nil)] {
      world.schedule(name, in: 1) { $0.category = category }
    }
    world.advance(seconds: 2)
    let actions = world.deliveries.map { $0.actions }
    #expect(
      actions.map { $0.map { $0.action.identifier } } == [
        ["eat", "skip", "later", "never"], ["a", "b", "c"], [], [],
      ])
    #expect(
      actions.map { $0.filter { $0.isMinimal }.map { $0.action.identifier } } == [
        ["eat", "skip"], ["a", "c"], [], [],
      ])
  }

  @Test func D5_brokenCategoriesAreRefusedByTheirPath() {
    let world = World()
    let five = category("many", ["1", "2", "3", "4", "5"])
    let rows: [([ActionCategory], String, FieldError.Code)] = [
      ([category("fine", ["a"]), five], "categories[1].actions", .outOfRange),
      ([category("", [])], "categories[0].identifier", .malformed),
      ([category("a\u{7}", [])], "categories[0].identifier", .malformed),
      ([category("a", []), category("a", [])], "categories[1].identifier", .conflict),
      ([category("a", ["x", ""])], "categories[0].actions[1].identifier", .malformed),
      ([category("a", ["x", "x"])], "categories[0].actions[1].identifier", .conflict),
      (
        [category("a", ["x", "y", "z"], minimal: ["x", "y", "z"])], "categories[0].minimal",
        .outOfRange
      ),
      ([category("a", ["x"], minimal: ["y"])], "categories[0].minimal[0]", .unknown),
      ([category("a", ["x"], minimal: ["x", "x"])], "categories[0].minimal[1]", .conflict),
      ((0...64).map { category("\($0)", []) }, "categories", .outOfRange),
      (
        (1...17).map {
          ActionCategory(
            identifier: "\($0)",
            actions: (1...4).map {
              NotificationAction(identifier: "\($0)", title: String(repeating: "x", count: 1000))
            })
        }, "categories", .tooLong
      ),
    ]
    for (categories, path, code) in rows {
      let error = refusal(world, AppRegistration(categories: categories))
      #expect(error?.field == path && error?.code == code, "\(path): \(String(describing: error))")
    }
    var untitled = category("a", ["x"])
    untitled.actions[0].title = ""
    #expect(
      refusal(world, AppRegistration(categories: [untitled]))?.field
        == "categories[0].actions[0].title")
    untitled.actions[0].title = String(repeating: "x", count: 1025)
    #expect(
      refusal(world, AppRegistration(categories: [untitled]))?.field
        == "categories[0].actions[0].title")
    for text in ["", "\0", String(repeating: "x", count: 1025)] {
      untitled.actions[0].title = "x"
      untitled.actions[0].buttonTitle = text
      #expect(
        refusal(world, AppRegistration(categories: [untitled]))?.field
          == "categories[0].actions[0].buttonTitle")
    }
    #expect(
      world.request(.user(app: "app", .settings))
        == .settings(isRegistered: false, AppRegistration()))
  }
}
