import BelfryCore
import Foundation
import SchedulerFixtures
import Testing

@testable import BelfryStore

/// Whose turn it is in the store, and what it costs (A2).
@Suite struct StoreLinesTests {
  private var lines = StoreLines()

  private func asked(_ ticket: StoreTicket, by user: Int64) -> StoreWriter.Entry {
    .init(
      ticket: ticket, operation: .question(.find(app: 1, identifier: "\(ticket)")), user: user)
  }

  private func change(_ ticket: StoreTicket, _ change: StoreChange) -> StoreWriter.Entry {
    .init(ticket: ticket, operation: .change(change), user: 1)
  }

  /// The tickets of all that waits, in turns; each costs what `cost` says of its user.
  private mutating func drain(_ cost: (StoreWriter.Entry) -> Int64 = { _ in 1 }) -> [StoreTicket] {
    var taken: [StoreTicket] = []
    while let entry = lines.next() {
      taken.append(entry.ticket)
      lines.charge(cost(entry))
    }
    #expect(lines.isEmpty)
    return taken
  }

  @Test mutating func A2_usersTakeTurnsAndEachKeepsHisOrder() {
    lines.add([asked(1, by: 1), asked(2, by: 1), asked(3, by: 1), asked(4, by: 2)])
    lines.add([asked(5, by: 2), asked(6, by: 3)])
    #expect(drain() == [1, 4, 6, 2, 5, 3])
  }

  @Test mutating func A2_anothersFirstIsNotBehindThousands() {
    lines.add((1...15_360).map { asked($0, by: 1) })
    lines.add([asked(20_000, by: 2)])
    let taken = drain { _ in 50 }
    #expect(taken.prefix(2) == [1, 20_000] && taken.count == 15_361)
  }

  @Test mutating func A2_whoCostsMoreWaitsLonger() {
    lines.add((1...3).map { asked($0, by: 1) } + (4...9).map { asked($0, by: 2) })
    #expect(drain { $0.user == 1 ? 300 : 100 } == [1, 4, 5, 6, 2, 7, 8, 9, 3])
  }

  @Test mutating func A2_oneAtATimeIsChargedToo() {
    lines.add((1...4).map { asked($0, by: 2) } + [asked(11, by: 1)])
    var taken: [StoreTicket] = []
    while let entry = lines.next() {
      taken.append(entry.ticket)
      lines.charge(entry.user == 1 ? 250 : 100)
      // He comes back at once, with his debt.
      if entry.ticket == 11 { lines.add([asked(12, by: 1)]) }
    }
    #expect(taken == [1, 11, 2, 3, 12, 4])
  }

  @Test mutating func A2_whoComesLaterHasNothingSavedUp() {
    lines.add((1...6).map { asked($0, by: 1) })
    for _ in 1...3 {
      _ = lines.next()
      lines.charge(1000)
    }
    lines.add((11...13).map { asked($0, by: 2) })
    #expect(drain { _ in 1000 } == [11, 4, 12, 5, 13, 6])
  }

  /// What has happened is there for what is asked later: its slot may be another's by then.
  @Test mutating func D8_recordsGoFirstInTheirOrderWithWhoWaitsForThem() {
    lines.add([asked(1, by: 1)])
    #expect(!lines.hasOnlyRecords)
    for badge in 1...2 as ClosedRange<Int64> {
      lines.add([.init(ticket: 0, operation: .record(.setBadge(app: 1, badge)))])
    }
    lines.add([change(2, .commit(app: 1)), barrier(3)])
    lines.add([change(4, .registerApp(StoredApp(number: 2, name: "b", owner: 2, badge: 0)))])
    var badges: [Int64] = []
    for _ in 1...2 {
      if case .record(.setBadge(_, let badge))? = lines.next()?.operation { badges.append(badge) }
    }
    #expect(badges == [1, 2])
    #expect(drain() == [2, 3, 4, 1])
  }

  private func badge(by user: Int64) -> StoreWriter.Entry {
    .init(ticket: 0, operation: .record(.setBadge(app: 1, 1)), user: user)
  }

  private func barrier(_ ticket: StoreTicket, by user: Int64 = -1) -> StoreWriter.Entry {
    .init(ticket: ticket, operation: .question(.barrier(app: nil)), user: user)
  }

  @Test mutating func A2_whatWasAskedIsNotBehindWhatGoesOnHappening() {
    lines.add([badge(by: 1), asked(1, by: 2), asked(2, by: 2)])
    var places: [Int] = []
    for place in 0..<1000 {
      // Each that is written is followed by another.
      lines.add([badge(by: 1)])
      if let ticket = lines.next()?.ticket, ticket > 0 { places.append(place) }
      lines.charge(50)
    }
    #expect(places.count == 2 && places.allSatisfy { (4...12).contains($0) })
    // Asked of the same apps later, it finds what has happened before.
    let waiting = lines.count
    lines.add([asked(3, by: 1), asked(4, by: 3)])
    let taken = drain { _ in 50 }
    #expect(taken.firstIndex(of: 3) == waiting + 1 && taken.firstIndex(of: 4) ?? .max < 12)
  }

  @Test mutating func A2_nobodyWaitsForWhatHappensToOthers() {
    lines.add((1...10_000).map { _ in badge(by: 1) })
    lines.add([badge(by: 2), barrier(1, by: 2), asked(2, by: 2), barrier(3)])
    let taken = drain { _ in 10 }
    #expect(taken.firstIndex(of: 1) ?? .max < 8 && taken.firstIndex(of: 2) ?? .max < 120)
    #expect(taken.firstIndex(of: 3) == 10_003)
  }

  /// The number of a row that is nobody's any more may be another's by then.
  @Test mutating func A2_aRowsNumberIsFreeBeforeAnotherTakesIt() {
    lines.add((1...100).map { _ in badge(by: 1) })
    lines.add([
      .init(ticket: 1, operation: .record(.finish(7, app: 1, generation: 0)), user: 1),
      .init(
        ticket: 2, operation: .change(.schedule(row(7, "n"), ifAdded: .none)), user: 2),
      .init(
        ticket: 3, operation: .change(.schedule(row(8, "m"), ifAdded: .none)), user: 3),
    ])
    let taken = drain { _ in 100 }
    #expect(taken.firstIndex(of: 3) ?? .max < 10 && taken.firstIndex(of: 1) == 101)
    #expect(taken.last == 2)
  }

  /// Whether the second may never be carried out before the first, which came before it.
  private func isBound(_ first: StoreWriter.Entry, _ second: StoreWriter.Entry) -> Bool {
    if [first, second].contains(where: { $0.operation.isEnd }) { return true }
    let isSameUser = first.user == second.user
    if first.operation.isAsked {
      return second.operation.isAsked && isSameUser
    }
    // What waits for all holds up nothing itself.
    if isSameUser { return first.user > 0 || !first.operation.isFence }
    if second.user < 0, second.operation.isAsked || second.operation.isFence { return true }
    if first.user < 0, !first.operation.isFence, second.operation.isFence { return true }
    if case .record(.finish(let freed, _, _)) = first.operation,
      case .change(.schedule(let row, _, _)) = second.operation
    {
      return freed == row.slot
    }
    return false
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func D8_A2_whatConcernsTheSameKeepsItsOrder(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var lines = StoreLines()
    var entries: [StoreWriter.Entry] = []
    var taken: [StoreTicket] = []
    while entries.count < 400 || !lines.isEmpty {
      if entries.count < 400, Int.random(in: 0..<3, using: &random) > 0 {
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          let entry = some(StoreTicket(entries.count + 1), &random)
          entries.append(entry)
          lines.add([entry])
        }
      }
      for _ in 0..<Int.random(in: 0...16, using: &random) {
        guard let entry = lines.next() else { break }
        taken.append(entry.ticket)
        lines.charge(Int64.random(in: 1...400, using: &random))
      }
    }
    #expect(taken.sorted() == entries.map { $0.ticket })
    var places = [Int](repeating: 0, count: entries.count + 1)
    for (place, ticket) in taken.enumerated() { places[Int(ticket)] = place }
    var passed = 0
    for (index, second) in entries.enumerated() {
      for first in entries[..<index] where places[Int(first.ticket)] > places[Int(second.ticket)] {
        passed += 1
        if isBound(first, second) { Issue.record("\(second) before \(first)") }
      }
    }
    // Or it is a single line, which nothing could break.
    #expect(passed > 500)
  }

  private func some(
    _ ticket: StoreTicket, _ random: inout SeededRandom
  ) -> StoreWriter.Entry {
    let user = Int64.random(in: 1...4, using: &random)
    let slot = Slot.random(in: 1...6, using: &random)
    let nobodys = Int.random(in: 0..<4, using: &random) == 0
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return .init(ticket: ticket, operation: .record(.forgetApp(1)), user: user)
    case 1..<6: return barrier(ticket, by: nobodys ? -1 : user)
    case 6..<8: return .init(ticket: ticket, operation: .record(.limitBytes(1)))
    case 8..<15:
      return .init(
        ticket: ticket, operation: .record(.finish(slot, app: 1, generation: 0)), user: user)
    case 15..<22:
      return .init(
        ticket: ticket, operation: .change(.schedule(row(slot, "n"), ifAdded: .none)), user: user)
    case 22..<30: return asked(ticket, by: nobodys ? -1 : user)
    default:
      return .init(ticket: ticket, operation: .record(.setBadge(app: 1, 1)), user: user)
    }
  }

  private static let uses = StoreOperation.record(.noteUse(1, Instant(nanoseconds: 0)))

  @Test func D8_whoHoldsMostLosesMostAndReportsGoFirst() {
    var held = HeldRecords(limit: 100)
    var dropped: Int64 = 0
    for number in 0..<300 {
      if number.isMultiple(of: 10) { held.append(badge(by: 1)) }
      held.append(.init(ticket: 0, operation: Self.uses, user: 1))
      if number < 20 { held.append(badge(by: 2)) }
      if number < 10 { held.append(.init(ticket: 0, operation: Self.uses, user: 3)) }
      dropped += held.dropSurplus { _, _ in }
    }
    #expect(held.entries.count <= 100 && dropped >= 250)
    #expect(held.entries.filter { $0.user == 2 }.count == 20)
    #expect(held.entries.filter { $0.user == 3 }.count == 10)
    let kept = held.entries.filter {
      if case .record(.setBadge) = $0.operation { $0.user == 1 } else { false }
    }
    #expect(kept.count == 30)
  }

  @Test func D8_whatMovesARowIsNoReport() throws {
    let row = HistoryRow(
      app: "a", identifier: "n",
      occurrence: OccurrenceID(uuid: UUIDBits(high: 1, low: 1), generation: 0, k: 0),
      sink: "", due: Instant(nanoseconds: 0), handedOver: nil, acknowledged: nil, state: .skipped,
      reason: nil, attempts: 0)
    let records: [StoreRecord] = [
      .passOver(
        row, app: 1, slot: 1, generation: 0, firedThrough: nil, finishes: true, pause: nil),
      .passOver(row, app: 1, slot: 1, generation: 0, firedThrough: 4, finishes: false, pause: nil),
      .settle(row, app: 1, shown: false, replaces: [], closes: true),
    ]
    var held = HeldRecords(limit: 40)
    for record in records { held.append(.init(ticket: 0, operation: .record(record), user: 1)) }
    for _ in 0..<200 {
      held.append(.init(ticket: 0, operation: Self.uses, user: 1))
      _ = held.dropSurplus { _, _ in }
    }
    #expect(held.entries.count <= 40)
    let reports = held.entries.filter {
      if case .record(.noteUse) = $0.operation { true } else { false }
    }
    #expect(held.entries.count - reports.count == 3)
  }

  @Test func D8_whoWaitsBehindADroppedRecordHearsThatItIsNotWritten() throws {
    let bench = try StoreBench()
    bench.register()
    var line = (1...20).map { _ in badge(by: 1) } + [change(7, .commit(app: 1))]
    #expect(HeldRecords.dropSurplus(&line, limit: 16) { _, _ in } > 0)
    #expect(line.last?.isBehindLoss == true)
    guard case .failed(let reason)? = bench.keeper.carryOut(line).last?.outcome else {
      return #expect(Bool(false))
    }
    #expect(reason.contains("dropped"))
  }

  @Test func D8_A2_largeRecordsCountByTheirSize() {
    var held = HeldRecords(limit: 100)
    var alert = Notification()
    alert.alertBody = String(repeating: "x", count: 30_000)
    for number in 0..<10 {
      let occurrence = Occurrence(
        id: OccurrenceID(uuid: UUIDBits(high: 1, low: UInt64(number)), generation: 0, k: 0),
        app: "a",
        notification: alert, due: Instant(nanoseconds: 0))
      held.append(
        .init(ticket: 0, operation: .record(.fired(occurrence, app: 1, slot: nil, sinks: []))))
      _ = held.dropSurplus { _, _ in }
    }
    #expect((1...3).contains(held.entries.count))
  }

  @Test mutating func A2_whatTheClockNeedsIsNoPartOfTheOtherTurns() {
    lines.add((1...3).map { asked($0, by: 1) })
    let loads = (4...6).map { (ticket: StoreTicket) in
      StoreWriter.Entry(
        ticket: ticket, operation: .question(.load([7])), user: ticket == 6 ? 2 : 1)
    }
    lines.add(loads)
    #expect(lines.hasLoads)
    var taken: [StoreTicket] = []
    while let entry = lines.nextLoad() {
      taken.append(entry.ticket)
      lines.charge(16)
    }
    #expect(taken == [4, 6, 5] && !lines.hasLoads)
    #expect(drain() == [1, 2, 3])
  }

  @Test func A2_whoAsksIsAnsweredBeforeAllThatHasHappenedIsWritten() throws {
    let bench = try StoreBench()
    bench.register()
    let store = bench.opened.store
    let written = Written()
    let thread = try StoreThread.start(store, log: { _, _ in }) { answers in
      for answer in answers { written.note(store.totalChanges, at: answer.ticket) }
    }
    thread.submit(
      (1...5000).map { _ in badge(by: 1) } + [
        .init(
          ticket: 1, operation: .change(.schedule(row(1, "n"), ifAdded: .none)), user: 2),
        barrier(2),
      ])
    thread.stop()
    let changes = try (1...2).map { try #require(written.changes(at: $0)) }
    #expect(changes[1] - changes[0] > 3000)
  }

  /// The name of an app that goes is free for whoever comes later, and what was asked of it is done.
  @Test mutating func A1_nothingPassesAnAppsEnd() {
    lines.add([asked(1, by: 1), change(2, .cancelAll(app: 1))])
    lines.add([.init(ticket: 3, operation: .record(.forgetApp(1)))])
    lines.add([change(4, .registerApp(StoredApp(number: 2, name: "a", owner: 2, badge: 0)))])
    lines.add([asked(5, by: 2), asked(6, by: 1)])
    lines.add([.init(ticket: 7, operation: .record(.setBadge(app: 2, 1)))])
    #expect(drain() == [1, 2, 3, 4, 7, 5, 6])
  }

  @Test mutating func A2_aGroupEndsOnceItHasCostEnough() throws {
    let bench = try StoreBench()
    bench.register()
    let body = String(repeating: "x", count: 16_000)
    lines.add(
      (1...100).map { slot in
        change(StoreTicket(slot), .schedule(row(slot, "n\(slot)", body: body), ifAdded: .none))
      })
    var left = lines
    var costs: [Int64] = []
    let answers = bench.keeper.carryOut(
      StoreGroup(most: 256, budget: 200, take: { left.next() }, charge: { costs.append($0) }))
    // Each is 16 pages to write and those of the trees.
    #expect((3...12).contains(answers.count) && costs.count == answers.count)
    #expect(costs.allSatisfy { (16...64).contains($0) })
    #expect(bench.listed().count == answers.count && left.count == 100 - answers.count)
    try bench.openAgainAfterKill()
    #expect(bench.listed().count == answers.count)
  }
}

/// What had been changed when somebody was answered.
private final class Written: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [StoreTicket: Int64] = [:]
  func changes(at ticket: StoreTicket) -> Int64? { lock.withLock { noted[ticket] } }
  func note(_ changes: Int64, at ticket: StoreTicket) {
    lock.withLock { noted[ticket] = changes }
  }
}

extension StoreOperation {
  fileprivate var isEnd: Bool { if case .record(.forgetApp) = self { true } else { false } }
  fileprivate var isFence: Bool { if case .question(.barrier) = self { true } else { false } }
}

extension StoreBench {
  fileprivate func openAgainAfterKill() throws {
    kill()
    try openAgain()
  }
}
