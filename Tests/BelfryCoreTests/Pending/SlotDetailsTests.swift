import Testing

@testable import BelfryCore

@Suite struct SlotDetailsTests {
  private let id = OccurrenceID(uuid: UUIDBits(high: 0, low: 1), generation: 0, k: 2)

  private func row(_ slot: Slot) -> StoredNotification {
    StoredNotification(
      slot: slot, app: 1, uuid: UUIDBits(high: 0, low: 1), generation: 0, sequence: 1,
      anchor: Instant(nanoseconds: 0), firedThrough: -1, notification: Notification())
  }

  /// What very many entries may have at a time is small, and an entry without details has nothing.
  @Test func whatManyHaveTakesLittle() {
    #expect(MemoryLayout<SlotDetails>.stride <= 48)
    #expect(SlotDetails().isEmpty)
  }

  @Test func aSlotOfWhichNothingIsSaidIsNotKept() {
    var table = SlotDetailTable()
    _ = table[7]
    #expect(table.count == 0)
    table[7].wasHeld = true
    table[7].missedFrom = PlannedOccurrence(k: 1, due: Instant(nanoseconds: 5))
    #expect(table.count == 1)
    table[7].wasHeld = false
    #expect(table.count == 1)
    table[7].missedFrom = nil
    #expect(table.count == 0)
  }

  @Test func everythingGoesWithItsSlot() {
    var table = SlotDetailTable()
    let calendar = KnownDays(
      CalendarQuestion(
        calendar: "hebrew", anchorDay: 0, unit: .month, count: 1))
    table[3].elapsedDue = .at(5)
    table[3].wasHeld = true
    table[3].wasDueAtOnce = true
    table[3].firedThrough = 4
    table[3].calendar = calendar
    table[3].content = .loaded(row(3), preparedAs: id)
    table[3].intentTicket = 9
    table[3].missedFrom = PlannedOccurrence(k: 1, due: Instant(nanoseconds: 5))
    table[3].lastRecorded = 6
    table[3].earlyIntent = id
    table[3].possiblyDelivered = [id]
    #expect(table.unplannedCount == 1)
    let freed = table.free(3)
    #expect(freed === calendar)
    #expect(table.count == 0 && table.unplannedCount == 0)
    let again = table.free(3)
    #expect(table[3].isEmpty && again == nil)
  }

  @Test func D7_contentGoesWithTheQuestionForItsIntentAndNothingElse() {
    var table = SlotDetailTable()
    table[3].content = .loaded(row(3), preparedAs: id)
    table[3].intentTicket = 9
    table[3].possiblyDelivered = [id]
    table[3].firedThrough = 4
    guard case .loaded(_, let prepared?) = table.dropContent(of: 3) else {
      Issue.record("no content"); return
    }
    #expect(prepared == id)
    #expect(table[3].content == nil && table[3].intentTicket == nil)
    #expect(table[3].possiblyDelivered == [id] && table[3].firedThrough == 4)
    for slot: Slot in [3, 4] {
      let content = table.dropContent(of: slot)
      #expect(content == nil)
    }
  }

  @Test func T8_T10_allThatWasMissedIsTakenAtOnce() {
    var table = SlotDetailTable()
    for slot: Slot in 1...5 {
      table[slot].missedFrom = PlannedOccurrence(k: Int64(slot), due: Instant(nanoseconds: 0))
    }
    table[2].lastRecorded = 1
    let missed = table.takeMissed()
    #expect(Set(missed.map { $0.oldest.k }) == [1, 2, 3, 4, 5])
    let more = table.takeMissed()
    #expect(more.isEmpty)
    #expect(table.count == 1 && table[2].lastRecorded == 1)
  }

  @Test func T9_theTableTellsWhatGoesByTheElapsedClock() {
    var table = SlotDetailTable()
    table[1].elapsedDue = .at(10)
    table[2].elapsedDue = .notBefore(20)
    table[3].wasHeld = true
    let dues = table.elapsedDues.sorted { $0.slot < $1.slot }
    #expect(dues.map { $0.due } == [.at(10), .notBefore(20)])
  }

  @Test func D7_aSuspectIsRemovedOnce() {
    var table = SlotDetailTable()
    let other = OccurrenceID(uuid: UUIDBits(high: 0, low: 1), generation: 0, k: 3)
    table[1].possiblyDelivered = [id, other]
    #expect(table.suspectCount == 2)
    for _ in 0..<2 { table[1].removeSuspect(id) }
    #expect(table[1].possiblyDelivered == [other])
  }
}
