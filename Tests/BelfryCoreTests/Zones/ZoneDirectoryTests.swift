import Testing

@testable import BelfryCore

@Suite struct ZoneDirectoryTests {
  private static let west = try? ZoneRules(posix: "AAA5")
  private static let east = try? ZoneRules(posix: "BBB-5")

  private func turn(elapsed seconds: Int64 = 0) -> Turn {
    var turn = Turn(configuration: EngineConfiguration())
    var commands: [EngineCommand] = []
    let elapsed = seconds * Nanoseconds.second
    turn.begin(
      now: ClockReading(real: Instant(nanoseconds: elapsed), elapsed: elapsed), lending: &commands)
    return turn
  }

  private func isReady(
    _ zones: inout ZoneDirectory, _ name: String, _ turn: inout Turn, users: Int = 0
  ) -> Bool? {
    try? zones.isReady(name, &turn) { _ in users }
  }

  @Test func T2_aZoneIsAskedForOnceAndHoldsWhileItIsFreshOrInUse() throws {
    let rules = try #require(Self.west)
    var zones = ZoneDirectory()
    var turn = turn(elapsed: 10)
    let before = [isReady(&zones, "A/A", &turn), isReady(&zones, "A/A", &turn)]
    #expect(before == [false, false] && turn.commandCount == 1)
    let number = zones.noteAnswer("A/A", turn.now)
    let isChange = zones.change(number, to: rules, name: "A/A", isUsed: false)
    #expect(!isChange && !zones.isChanging && zones.rules(of: "A/A") == rules)
    let fresh = isReady(&zones, "A/A", &turn)
    var later = self.turn(elapsed: 11)
    let used = isReady(&zones, "A/A", &later, users: 1)
    #expect(fresh == true && used == true && later.commandCount == 0)
    // Nobody watched it meanwhile.
    let stale = isReady(&zones, "A/A", &later)
    #expect(stale == false && later.commandCount == 1)
  }

  @Test func A4_whoAsksForAZoneThatIsNotThereIsToldWhyOnce() {
    var zones = ZoneDirectory()
    var turn = turn(elapsed: 10)
    _ = isReady(&zones, "No/No", &turn)
    let number = zones.noteAnswer("No/No", turn.now)
    zones.noteUnavailable(number, "there is no zone No/No", isUsed: false, &turn)
    let refused = isReady(&zones, "No/No", &turn)
    #expect(refused == nil)
    // It may be there when somebody asks again.
    var commands: [EngineCommand] = []
    turn.begin(now: turn.now, lending: &commands)
    let again = isReady(&zones, "No/No", &turn)
    #expect(again == false)
  }

  @Test func T7_entriesOfAChangedZoneAreStaleUntilTheyHaveBeenLookedAt() throws {
    let (west, east) = (try #require(Self.west), try #require(Self.east))
    var zones = ZoneDirectory()
    var turn = turn()
    let number = zones.number(of: "A/A")
    _ = zones.change(number, to: west, name: "A/A", isUsed: false)
    let mark = zones[number].mark
    #expect(zones.isOther(number, east) && !zones.isOther(number, west))
    let isChange = zones.change(number, to: east, name: "A/A", isUsed: true)
    #expect(isChange && zones.isChanging)
    #expect(zones.isStale(number, isMarked: mark) && !zones.isStale(number, isMarked: !mark))
    #expect(zones.rules(of: number, isMarked: mark) == west)
    #expect(zones.rules(of: number, isMarked: !mark) == east)
    zones.noteSeen(number)
    zones.endChanges(&turn)
    #expect(!zones.isChanging && !zones.isStale(number, isMarked: mark))
    #expect(turn.commandCount == 1)
  }

  @Test func T7_whatIsToBeWatchedIsToldWheneverItChanges() {
    var zones = ZoneDirectory()
    var turn = turn()
    let number = zones.number(of: "A/A")
    zones.tellInUse(haveChanged: true, hasQuietHours: false, &turn) { $0 == number ? 1 : 0 }
    zones.tellInUse(haveChanged: true, hasQuietHours: false, &turn) { $0 == number ? 1 : 0 }
    #expect(turn.commandCount == 1)
    zones.followDates()
    zones.tellInUse(haveChanged: false, hasQuietHours: false, &turn) { _ in 0 }
    var commands: [EngineCommand] = []
    turn.end(returning: &commands)
    guard case .watchZones(true, [])? = commands.last else {
      Issue.record("the board is not watched"); return
    }
    #expect(commands.count == 2)
  }
}
