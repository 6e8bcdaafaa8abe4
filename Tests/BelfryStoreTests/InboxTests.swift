import BelfryCore
import Foundation
import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryStore

/// Inboxes on a real file: appended to, read in pages, marked, bounded (P6 to P9).
struct InboxTests {
  private func bench() throws -> StoreBench {
    let bench = try StoreBench()
    bench.register()
    return bench
  }

  @Test func P6_anEntryIsKeptAsItCame() throws {
    let bench = try bench()
    let payload = #"{"aps":{"alert":"grüße \u0001 \" \\"},"n":9223372036854775807}"#
    bench.push(
      StoreBench.push(1, payload: payload, pruned: ["badge", "recordID"], kind: 4))
    bench.push(StoreBench.push(2))
    try bench.reopen()
    #expect(
      bench.page()?.entries == [
        InboxEntry(
          id: UUIDBits(high: 7, low: 1), position: 1, kind: 4, payload: payload,
          received: StoreBench.start.advanced(by: 1), pruned: ["badge", "recordID"]),
        InboxEntry(
          id: UUIDBits(high: 7, low: 2), position: 2, kind: 1,
          payload: #"{"aps":{"alert":"push 2"}}"#, received: StoreBench.start.advanced(by: 2)),
      ])
  }

  @Test func P9_theSameIdTwiceIsOneInEachInbox() throws {
    let bench = try bench()
    #expect(bench.push(StoreBench.push(1)) == .stored(shown: []))
    #expect(bench.push(StoreBench.push(1)) == .duplicate)
    #expect(bench.push(StoreBench.push(1, container: "other")) == .stored(shown: []))
    bench.register(2, "two")
    #expect(bench.push(StoreBench.push(1, app: 2)) == .stored(shown: []))
    var twin = StoreBench.push(1)
    twin.id.high = 8
    #expect(bench.push(twin) == .stored(shown: []))
    bench.mark(1)
    try bench.reopen()
    #expect(bench.push(StoreBench.push(1)) == .duplicate)
    #expect(bench.page()?.entries.map { $0.kind } == [1, InboxEntry.readKind])
  }

  @Test func P6_aDuplicateIsNotIntended() throws {
    let bench = try bench()
    var push = StoreBench.push(1)
    push.occurrence = StoreBench.occurrence(1)
    bench.push(push)
    push.occurrence = StoreBench.occurrence(2)
    #expect(bench.push(push) == .duplicate)
    try bench.reopen()
    #expect(bench.opened.occurrences.map { $0.occurrence } == [StoreBench.occurrence(1)])
    #expect(bench.opened.occurrences[0].sinks == nil && bench.opened.occurrences[0].slot == nil)
  }

  /// N1: what sinks show under its collapse id, so that it can be taken away.
  @Test func P6_N1_theAnswerTellsWhatIsShownUnderItsIdentifier() throws {
    let bench = try bench()
    var shown: [OccurrenceID] = []
    for id in 1...2 as ClosedRange<UInt64> {
      var push = StoreBench.push(id)
      push.occurrence = StoreBench.occurrence(id)
      #expect(bench.push(push).map { $0.shown } == shown)
      let row = HistoryRow(
        app: "app", identifier: "score", occurrence: StoreBench.occurrence(id).id, sink: "one",
        due: StoreBench.start, handedOver: StoreBench.start, acknowledged: StoreBench.start,
        state: .delivered, reason: nil, attempts: 1)
      bench.run(
        .fired(StoreBench.occurrence(id), app: 1, slot: nil, sinks: ["one"]),
        .settle(row, app: 1, shown: true, replaces: shown, closes: true))
      shown = [StoreBench.occurrence(id).id]
    }
    #expect(bench.shown().map { $0.shown.occurrence } == shown)
    #expect(bench.shown().first?.notification.push == StoreBench.occurrence(2).notification.push)
    try bench.reopen()
    #expect(bench.opened.occurrences.isEmpty)
  }

  @Test func P6_A2_anAppHasSixteenContainers() throws {
    let bench = try bench()
    bench.register(2, "two")
    for number in 1...16 {
      #expect(bench.push(StoreBench.push(1, container: "c\(number)")) == .stored(shown: []))
    }
    #expect(bench.push(StoreBench.push(1, container: "c17")) == .tooManyContainers)
    #expect(bench.push(StoreBench.push(2, container: "c16")) == .stored(shown: []))
    #expect(bench.push(StoreBench.push(1, app: 2, container: "c17")) == .stored(shown: []))
    #expect(bench.ids(container: "c17") == [])
  }

  // MARK: Readers

  /// Three readers at different points, through kills and restarts.
  @Test func P7_P8_readersAtDifferentPointsEachSeeAllOnce() throws {
    let first = try bench()
    first.push(1...10)
    let fresh: InboxToken? = nil
    let early = try #require(first.page(limit: 3)).token
    let late = try #require(first.page()).token
    let bench = try first.copied()
    bench.push(11...12)
    bench.mark(2, 5, 11)
    try bench.reopen()
    #expect(bench.ids(since: fresh) == [1, 3, 4, 6, 7, 8, 9, 10, 12, 2, 5, 11])
    #expect(bench.ids(since: early) == [4, 6, 7, 8, 9, 10, 12, 2, 5, 11])
    #expect(bench.ids(since: late) == [12, 2, 5, 11])
    // Each mark exactly once to each, whoever made it, and page by page.
    for start in [fresh, early, late] {
      var token = start
      var marks: [UInt64] = []
      while let page = bench.page(since: token, limit: 2) {
        marks += page.entries.filter { $0.kind == InboxEntry.readKind }.map { $0.id.low }
        token = page.token
        if !page.more { break }
      }
      #expect(marks == [2, 5, 11])
      #expect(bench.ids(since: token) == [])
    }
  }

  /// Killed between a page and whatever its reader makes of the token: the same again.
  @Test func P7_aPageIsTheSameAfterAKill() throws {
    let bench = try bench()
    bench.push(1...50)
    let token = try #require(bench.page(limit: 7)).token
    let before = try #require(bench.page(since: token, limit: 20))
    let after = try #require(try bench.copied().page(since: token, limit: 20))
    #expect(before.entries == after.entries && before.token == after.token && after.more)
  }

  @Test func P7_pagesEndAtTheirByteLimit() throws {
    let bench = try bench()
    let payload = "{\"x\":\"" + String(repeating: "x", count: 100_000) + "\"}"
    for id in 1...7 as ClosedRange<UInt64> {
      bench.push(StoreBench.push(id, payload: payload))
    }
    let first = try #require(bench.page())
    #expect(first.entries.map { $0.id.low } == [1, 2, 3, 4, 5] && first.more)
    let second = try #require(bench.page(since: first.token))
    #expect(second.entries.map { $0.id.low } == [6, 7] && !second.more)
    // One that is larger than a page goes by itself.
    let huge = "{\"x\":\"" + String(repeating: "x", count: 600_000) + "\"}"
    bench.push(StoreBench.push(8, payload: huge))
    bench.push(StoreBench.push(9))
    let third = try #require(bench.page(since: second.token))
    #expect(third.entries.map { $0.id.low } == [8] && third.more)
  }

  // MARK: Tokens

  @Test func P7_foreignTokensAreRefused() throws {
    let bench = try bench()
    bench.register(2, "two")
    bench.push(1...3)
    bench.push(StoreBench.push(1, app: 2))
    bench.push(StoreBench.push(1, container: "other"))
    let own = try #require(bench.page()).token
    for foreign in [
      InboxToken(name: own.name, position: 4), InboxToken(name: own.name, position: -1),
      InboxToken(name: own.name, position: .max), InboxToken(name: own.name, position: .min),
      InboxToken(name: own.name &+ 1, position: 1), InboxToken(name: 0, position: 0),
      InboxToken(name: StoreBench.blank.name, position: 1),
    ] {
      #expect(bench.fetch(since: foreign) == .foreign)
    }
    #expect(bench.fetch(since: own, app: 2) == .foreign)
    #expect(bench.fetch(since: own, container: "other") == .foreign)
    #expect(bench.fetch(since: own, container: "none") == .foreign)
    #expect(bench.fetch(since: InboxToken(name: own.name, position: 0)) != .foreign)
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<1000 {
      let token = InboxToken(
        name: random.next(), position: Int64(bitPattern: random.next()) % 5)
      #expect(bench.fetch(since: token) == .foreign, "seed \(seed): \(token)")
    }
  }

  @Test func P7_anInboxThatIsNotThereYetTakesItsOwnToken() throws {
    let bench = try bench()
    #expect(bench.fetch() == .page([], StoreBench.blank, moreComing: false))
    #expect(bench.fetch(since: StoreBench.blank) == .page([], StoreBench.blank, moreComing: false))
    bench.push(1...2)
    #expect(bench.ids(since: StoreBench.blank) == [1, 2])
    bench.push(3...5, limit: 3)
    #expect(bench.fetch(since: StoreBench.blank) == .expired)
    #expect(bench.ids() == [3, 4, 5])
  }

  // MARK: The limit

  @Test func P6_P7_theOldestGoesAndTokensBeforeItExpire() throws {
    let bench = try bench()
    bench.push(1...5, limit: 5)
    let tokens = (1...5).compactMap { bench.page(limit: Int32($0))?.token }
    bench.push(6...7, limit: 5)
    #expect(bench.ids() == [3, 4, 5, 6, 7])
    #expect(
      tokens.map { bench.fetch(since: $0) == .expired } == [true, false, false, false, false])
    #expect(bench.ids(since: tokens[1]) == [3, 4, 5, 6, 7])
    try bench.reopen()
    #expect(bench.fetch(since: tokens[0]) == .expired)
    #expect(bench.ids(since: tokens[4]) == [6, 7])
    // One that went may come again: nobody remembers it.
    #expect(bench.push(StoreBench.push(1, limit: 5)) == .stored(shown: []))
    #expect(bench.ids() == [4, 5, 6, 7, 1])
  }

  /// A mark that went is missed by whoever had not seen it.
  @Test func P7_P8_aMarkThatWentExpiresTokensToo() throws {
    let bench = try bench()
    bench.push(1...3, limit: 3)
    let token = try #require(bench.page()).token
    bench.mark(1)
    bench.push(4...5, limit: 3)
    #expect(bench.ids() == [1, 4, 5])
    #expect(bench.ids(since: token) == [1, 4, 5])
    bench.push(6...6, limit: 3)
    #expect(bench.fetch(since: token) == .expired)
    #expect(try bench.integrity() == "ok")
  }

  @Test func P6_A2_theBytesOfAnInboxAreBounded() throws {
    let bench = try bench()
    let payload = "{\"x\":\"" + String(repeating: "x", count: 5000) + "\"}"
    for id in 1...20 as ClosedRange<UInt64> {
      bench.push(StoreBench.push(id, payload: payload, limit: 10))
    }
    #expect(bench.ids() == [13, 14, 15, 16, 17, 18, 19, 20])
    // The newest stays, whatever it takes.
    let huge = "{\"x\":\"" + String(repeating: "x", count: 60_000) + "\"}"
    bench.push(StoreBench.push(21, payload: huge, limit: 10))
    #expect(bench.ids() == [21])
    bench.push(StoreBench.push(22, payload: huge, limit: 1))
    #expect(bench.ids() == [22])
    #expect(bench.page()?.entries.first?.position == 22)
  }

  @Test func P6_aLowerLimitHoldsFromTheNextPushOn() throws {
    let bench = try bench()
    bench.push(1...500)
    bench.push(StoreBench.push(501, limit: 3))
    #expect(bench.ids() == [499, 500, 501])
    #expect(try bench.opened.store.database.integer("SELECT count(*) FROM entry") == 3)
  }

  /// What an inbox says of itself is what is in it, whatever happened to it.
  @Test func P6_P8_countsStayTrue() throws {
    let bench = try bench()
    let seed = TestSeed.here()
    var state = seed
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    for _ in 0..<600 {
      if next(3) == 0 {
        bench.mark(next(80), next(80))
      } else {
        let payload = "\"" + String(repeating: "p", count: Int(next(9000))) + "\""
        bench.push(
          StoreBench.push(next(80), container: "c\(next(2))", payload: payload, limit: 20))
      }
    }
    let database = bench.opened.store.database
    let wrong = try database.integer(
      """
      SELECT count(*) FROM inbox WHERE (entries, bytes, last) IS NOT (
        SELECT count(*), sum(ifnull(length(payload), 0)), max(key) & 0xFFFFFFFFFF
        FROM entry WHERE entry.inbox = inbox.number)
      """)
    #expect(wrong == 0, "seed \(seed)")
    #expect(try database.integer("SELECT count(*) FROM inbox WHERE entries > 20") == 0)
    #expect(try bench.integrity() == "ok")
  }

  // MARK: The end

  @Test func A1_P6_aForgottenAppTakesItsInboxesAlong() throws {
    let bench = try bench()
    bench.register(2, "two")
    bench.push(1...3)
    bench.push(1...3, container: "other")
    bench.push(StoreBench.push(9, app: 2))
    let token = try #require(bench.page()).token
    bench.run(.forgetApp(1))
    let database = bench.opened.store.database
    #expect(try database.integer("SELECT count(*) FROM entry") == 1)
    #expect(try database.integer("SELECT count(*) FROM inbox") == 1)
    bench.register()
    #expect(bench.fetch(since: token) == .foreign)
    bench.push(1...1)
    #expect(bench.fetch(since: token) == .foreign)
    #expect(bench.ids() == [1])
  }

  /// D8: what is there is read while nothing can be written.
  @Test func D8_P7_aRefusingDiskIsRead() throws {
    let bench = try bench()
    bench.push(1...3)
    try bench.opened.store.database.execute("PRAGMA query_only = ON")
    guard case .failed? = bench.run(.push(StoreBench.push(4))).first,
      case .failed? = bench.mark(1)
    else {
      Issue.record("written")
      return
    }
    #expect(bench.ids() == [1, 2, 3])
    try bench.opened.store.database.execute("PRAGMA query_only = OFF")
    #expect(bench.push(StoreBench.push(4)) == .stored(shown: []))
    #expect(bench.ids() == [1, 2, 3, 4])
  }
}

extension PushOutcome {
  fileprivate var shown: [OccurrenceID] {
    if case .stored(let shown) = self { shown.map { $0.occurrence } } else { [] }
  }
}

/// A file, if it is there.
func copy(_ path: String, to target: String) throws {
  guard FileManager.default.fileExists(atPath: path) else { return }
  try FileManager.default.copyItem(atPath: path, toPath: target)
}
