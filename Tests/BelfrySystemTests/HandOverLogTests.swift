import BelfryCore
import BelfrySystem
import TestSupport
import Testing

@Suite struct HandOverLogTests {
  private func id(_ k: Int64, snooze: Int32 = 0) -> OccurrenceID {
    OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 3, k: k, snooze: snooze)
  }

  /// A life that has just begun.
  private struct Life {
    let log: HandOverLog
    let mayHave: (OccurrenceID, String) -> Bool

    init(in folder: String, boot: Int64) {
      log = HandOverLog(in: folder, boot: boot)
      mayHave = log.takeEarlier()
    }

    func insert(_ id: OccurrenceID, _ sink: String) { log.insert(id, sink) }
  }

  private func has(_ life: Life, _ k: Int64, _ sink: String = "one") -> Bool {
    life.mayHave(id(k), sink)
  }

  @Test func D7_theNextLifeOfABootKnowsWhatWasHandedOver() throws {
    let scratch = try Scratch()
    let first = Life(in: scratch.path, boot: 7)
    // Nobody knows what was before.
    #expect(has(first, 1) && has(first, 2))
    first.insert(id(1), "one")
    first.insert(id(3, snooze: 1), "two")
    let second = Life(in: scratch.path, boot: 7)
    #expect(has(second, 1) && !has(second, 1, "two") && !has(second, 2) && !has(second, 3, "two"))
    #expect(second.mayHave(id(3, snooze: 1), "two"))
    second.insert(id(2), "one")
    let third = Life(in: scratch.path, boot: 7)
    #expect(has(third, 1) && has(third, 2) && !has(third, 3))
  }

  @Test func D7_anotherBootKnowsNothing() throws {
    let scratch = try Scratch()
    Life(in: scratch.path, boot: 7).insert(id(1), "one")
    let other = Life(in: scratch.path, boot: 8)
    #expect(has(other, 1) && has(other, 2))
    #expect(try Files.list(scratch.path) == ["handed-over.8"])
    #expect(!has(Life(in: scratch.path, boot: 8), 1))
  }

  @Test(arguments: [1, 2, 5])
  func D7_theNewestAreKept(_ lives: Int64) throws {
    let scratch = try Scratch()
    _ = Life(in: scratch.path, boot: 7)
    let count = Int64(HandOverLog.capacity) + 100
    var log = Life(in: scratch.path, boot: 7)
    for k in 0..<count {
      if k % (count / lives) == 0 { log = Life(in: scratch.path, boot: 7) }
      log.insert(id(k), "one")
    }
    let reader = Life(in: scratch.path, boot: 7)
    #expect((101..<count).allSatisfy { has(reader, $0) })
    #expect(!has(reader, 0) && !has(reader, count))
    #expect(
      try Files.status(scratch.path + "/handed-over.7").size == Int64(HandOverLog.capacity * 8))
  }

  /// What cannot be read or written is believed by nobody.
  @Test func D7_withoutAFileEverythingMayHaveBeenHandedOver() throws {
    let scratch = try Scratch()
    let nowhere = Life(in: scratch.path + "/nowhere", boot: 7)
    nowhere.insert(id(1), "one")
    #expect(has(nowhere, 2))
    let long = [UInt8](repeating: 1, count: HandOverLog.capacity * 8 + 1)
    try Files.write(long, to: scratch.path + "/handed-over.7")
    #expect(has(Life(in: scratch.path, boot: 7), 2))
    #expect(!has(Life(in: scratch.path, boot: 7), 2))
  }
}
