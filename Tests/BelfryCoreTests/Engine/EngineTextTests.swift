import Testing

@testable import BelfryCore

struct EngineTextTests {
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
    world.schedule("tea") {
      $0.soundName = "default"
      $0.alertBodyIsFormat = true
    }
    #expect(world.deliveries.map { $0.sink } == [1, 2])
    #expect(world.deliveries.allSatisfy { $0.parts == .sound })
  }

  @Test(arguments: ["", " ", "\n\t ", "%@", "%d %s", "\u{200B}\u{A0}\u{FEFF}"])
  func A4_N7_aBodyThatWouldShowNothingIsRefused(_ body: String) {
    let world = World()
    func blank(_ change: (inout Notification) -> Void = { _ in }) -> Notification {
      var note = world.alert("a", in: 60)
      note.alertBody = body
      note.alertBodyIsFormat = true
      change(&note)
      return note
    }
    func isRefused(_ request: Request, _ field: String) -> Bool {
      guard case .refused(.invalidField(let error)) = world.request(request) else { return false }
      return error.field == field && error.code == .malformed
    }
    #expect(isRefused(.schedule(app: "app", blank()), "alertBody"))
    #expect(isRefused(.presentNow(app: "app", blank()), "alertBody"))
    #expect(
      isRefused(
        .replaceAll(app: "app", [world.alert("b", in: 9), blank()]), "notifications[1].alertBody"))
    #expect(!isRefused(.schedule(app: "app", blank { $0.alertTitle = "Title" }), "alertBody"))
    #expect(world.store.rows.count == 1)
    let others: [(inout Notification) -> Void] = [
      { $0.soundName = "default" }, { $0.applicationIconBadgeNumber = 3 },
      { $0.userInfo = ["room": .integer(7)] },
    ]
    for change in others {
      #expect(!isRefused(.schedule(app: "app", blank(change)), "alertBody"))
    }
  }

  @Test func A4_L1_aKeyWhoseTextIsThereIsABody() {
    let world = World()
    world.send(.app(profile(nil, "\"%@\" = \"Tea\";")))
    world.schedule("tea") { $0.alertBody = "%@" }
    #expect(world.deliveries.map { $0.text.body } == ["Tea"])
  }

  @Test func P4_aKeyThatNobodyHasGivesWayToTheLiteralBesideIt() {
    let world = World()
    world.send(.app(profile(nil, "BED = \"Bed %@\";")))
    for key in ["BED", "ROOM"] {
      world.push(
        world.pushed(nil) { pushed in
          pushed.notification.alertBody = key
          pushed.notification.alertLocalizationArgs = [.string("7")]
          pushed.literals.body = "somebody %@ calls"
          pushed.notification.alertTitle = key
        })
    }
    #expect(world.deliveries.map { $0.text.body } == ["Bed 7", "somebody %@ calls"])
    // Without one the key is shown, as ever.
    #expect(world.deliveries.map { $0.text.title } == ["Bed %@", "ROOM"])
  }

  @Test func A4_L1_whatTurnsOutToBeEmptyIsNotCalledDelivered() {
    let world = World { $0.sinks = World.sinks }
    world.send(.app(profile(nil, "tea = \"\"; gong = \" %d \";")))
    world.schedule("tea")
    world.schedule("gong") {
      $0.fireDate = nil
      $0.alertBodyIsFormat = true
    }
    #expect(world.deliveries.isEmpty)
    #expect(world.kinds("tea") == [.discarded] && world.kinds("gong") == [.discarded])
    #expect(world.events.allSatisfy { $0.reason == "alertBody came out empty: nothing to show" })
    #expect(world.store.history.values.map { $0.state } == [.discarded, .discarded])
  }

  @Test func A4_L1_whatIsEmptyAndCountsOnlyCounts() {
    let world = World()
    world.send(.app(profile(nil, "tea = \"\";")))
    world.schedule("tea") { $0.applicationIconBadgeNumber = 4 }
    #expect(world.kinds("tea") == [.delivered])
    #expect(world.events.last?.reason == "alertBody came out empty: only the badge")
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
