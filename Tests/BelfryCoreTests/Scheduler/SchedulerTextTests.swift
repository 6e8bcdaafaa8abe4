import Testing

@testable import BelfryCore

struct SchedulerTextTests {
  private func profile(_ language: String?, _ tables: String...) -> AppProfile {
    var profile = AppProfile(id: "app")
    profile.language = language
    profile.tables = tables.map { try! StringsTable(Array($0.utf8)) }
    return profile
  }

  @Test func L1_textsAreLookedUpAtTheHandOver() {
    let world = World()
    world.schedule("tea", in: 10) { $0.alertTitle = "KITCHEN" }
    world.send(.app(profile("de", "tea = \"Tee\"; KITCHEN = \"Küche\";")))
    // Prepared, and then the table changes.
    world.advance(seconds: 9)
    world.send(.app(profile("de-AT", "tea = \"Jause\"; KITCHEN = \"Kuchl\";")))
    world.advance(seconds: 2)
    #expect(
      world.deliveries.map { $0.text }
        == [AlertText(body: "Jause", title: "Kuchl", action: "Anzeigen")])
    // What is kept stays as it was scheduled.
    #expect(world.deliveries.first?.occurrence.notification.alertBody == "tea")
    world.send(.appGone("app"))
    world.schedule("tea", in: 10)
    world.advance(seconds: 11)
    #expect(world.deliveries.last?.text == AlertText(body: "tea", action: "View"))
  }

  @Test func L1_whatWaitsForItsSinkIsLookedUpWhenItGoesOut() {
    let world = World()
    world.send(.sink(0, .down(reason: "test")))
    world.send(.app(profile(nil, "tea = \"old\";")))
    world.schedule("tea")
    world.send(.app(profile(nil, "tea = \"new\";")))
    world.send(.sink(0, .up))
    #expect(world.deliveries.map { $0.text.body } == ["new"])
  }

  @Test func L1_anotherAppsTableIsNotAsked() {
    let world = World()
    world.send(.app(profile("fr", "tea = \"thé\";")))
    world.schedule("tea", app: "other")
    #expect(world.deliveries.map { $0.text } == [AlertText(body: "tea", action: "View")])
  }

  @Test func N7_L1_anEmptyTextShowsNothing() {
    let world = World { $0.sinks = World.sinks }
    world.send(.app(profile(nil, "tea = \"%d\";")))
    world.schedule("tea") { $0.soundName = "default" }
    #expect(world.deliveries.map { $0.sink } == [1, 2])
    #expect(world.deliveries.allSatisfy { $0.parts == .sound })
  }

  @Test func N8_theDaemonsLanguageIsThatOfAppsWithout() {
    let world = World { $0.language = "ru" }
    world.schedule("tea")
    world.send(.app(profile(nil)))
    world.schedule("tea")
    world.send(.app(profile("es")))
    world.schedule("tea")
    #expect(world.deliveries.map { $0.text.action } == ["Просмотр", "Просмотр", "Ver"])
  }

  @Test func L2_datesAreOfTheZoneThatTheBoardIsIn() throws {
    let world = World()
    world.send(.boardZone("X", try ZoneRules(posix: "XXX-1")))
    #expect(world.watchedZones.board == false)
    world.schedule("date", in: 10) {
      $0.alertBody = "%@"
      $0.alertLocalizationArgs = [.date(World.start)]
    }
    // Followed from when it is near, so that the right zone is known.
    #expect(world.watchedZones.board)
    world.send(.boardZone("Y", try ZoneRules(posix: "YYY5:30")))
    world.advance(seconds: 11)
    #expect(world.deliveries.map { $0.text.body } == ["2026-03-01 06:30"])
  }
}
