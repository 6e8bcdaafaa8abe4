import Testing

@testable import BelfryCore

/// The table alone, without a scheduler around it.
@Suite struct RegionTableTests {
  private var table = RegionTable()

  private func row(
    _ slot: Slot, sequence: Int64 = 1, side: RegionSide = .unknown, radius: Double = 100
  ) -> StoredNotification {
    var notification = Notification()
    notification.region = CircularRegion(latitude: 52, longitude: 13, radius: radius)
    var row = StoredNotification(
      slot: slot, app: 1, uuid: UUIDBits(high: 0, low: UInt64(slot)), generation: 0,
      sequence: sequence, anchor: .distantFuture, firedThrough: -1, notification: notification)
    row.side = side
    return row
  }

  private static func fix(latitude: Double) -> LocationFix {
    LocationFix(latitude: latitude, longitude: 13, time: World.start)
  }

  @Test mutating func R3_N21_whatAFixChangesComesInTheOrderOfScheduling() {
    for (slot, sequence) in [(Slot(1), Int64(9)), (2, 3), (3, 5)] {
      table.enter(row(slot, sequence: sequence))
    }
    let crossings = table.locate(Self.fix(latitude: 52))
    #expect(crossings.map { $0.row.slot } == [2, 3, 1])
    #expect(crossings.allSatisfy { $0.change.to == .inside })
    #expect(table.locate(Self.fix(latitude: 52)).isEmpty)
    table.remove(2)
    #expect(table.locate(Self.fix(latitude: 53)).map { $0.row.slot } == [3, 1])
    #expect(table.side(of: Slot(2)) == nil && table.side(of: Slot(3)) == .outside)
  }

  @Test mutating func R3_aFixOfAnEarlierLifeDoesNotSayWhereTheBoardIs() {
    let region = CircularRegion(latitude: 52, longitude: 13, radius: 100)
    table.restore(Self.fix(latitude: 52))
    #expect(table.lastFix != nil && table.side(of: region) == .unknown)
    let again = table.judgeAgain()
    #expect(again.map { _ in true } == nil)
    _ = table.locate(Self.fix(latitude: 52))
    #expect(table.side(of: region) == .inside)
  }

  @Test mutating func D8_rowsAreReadByPagesAndWhatFailedIsReadAgain() {
    for slot in 1...300 { table.restore(Slot(slot)) }
    #expect(table.wantsLoad && !table.isLoaded)
    let first = table.beginLoad()
    #expect(first.count == 256 && !table.wantsLoad)
    table.failLoad()
    #expect(table.wantsLoad && table.beginLoad() == first)
    table.endLoad(first, unread: [7])
    #expect(table.beginLoad() == Array(257...300) + [7])
    table.endLoad(Array(257...300) + [7], unread: [])
    #expect(table.isLoaded && !table.wantsLoad)
  }

  @Test mutating func R5_fixesThatComeBeforeAllIsReadWaitInOrder() {
    table.wait(1, Self.fix(latitude: 1))
    table.wait(2, Self.fix(latitude: 2))
    #expect(table.nextWaiting()?.id == 1)
    // While the first is followed, the second waits for it.
    table.isFollowing = true
    #expect(table.nextWaiting() == nil)
    table.isFollowing = false
    #expect(table.nextWaiting()?.id == 2)
    #expect(table.nextWaiting() == nil)
  }

  @Test mutating func R3_theSameCircleKeepsItsSide() {
    table.enter(row(1, side: .inside))
    var previous = PendingSummary(
      slot: 1, app: 1, generation: 0, sequence: 1, anchor: .distantFuture, unit: nil,
      firedThrough: -1)
    #expect(table.sideKept(by: row(2), from: previous) == .inside)
    #expect(table.sideKept(by: row(2, radius: 101), from: previous) == nil)
    #expect(table.sideKept(by: row(2, side: .outside), from: previous) == .inside)
    previous.sequence = 2
    #expect(table.sideKept(by: row(2), from: previous) == nil)
  }

  @Test mutating func aRowThatHasLeftIsNotBroughtBack() {
    table.enter(row(1))
    table.remove(1)
    table.update(row(1))
    #expect(!table.contains(1) && table.locate(Self.fix(latitude: 52)).isEmpty)
  }
}
