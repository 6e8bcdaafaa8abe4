import BelfryCore
import CFaultVFS
import Foundation
import Testing

@testable import BelfryStore

/// A store thread over a store of its own, and what it answers.
private final class ThreadBench: @unchecked Sendable {
  let bench: StoreBench
  let thread: StoreThread
  let log: LogLines
  private let answers: Answers

  init(_ settings: StoreThread.Settings = ThreadBench.quick) throws {
    let bench = try StoreBench(vfs: "fault")
    bench.register()
    let answers = Answers()
    let log = LogLines()
    thread = try StoreThread.start(
      bench.opened.store, settings: settings,
      log: { level, line in log.add(level, line) }, answer: { answers.add($0) })
    self.bench = bench
    self.answers = answers
    self.log = log
  }

  /// Retries often, so that a test need not wait.
  static var quick: StoreThread.Settings {
    var settings = StoreThread.Settings()
    settings.linger = 5
    settings.firstRetry = 20
    settings.lastRetry = 40
    return settings
  }

  func schedule(_ slots: ClosedRange<Slot>) {
    thread.submit(
      slots.map {
        .init(
          ticket: StoreTicket($0), operation: .change(.schedule(row($0, "n\($0)"), ifAdded: .none)))
      })
  }

  /// The answer to one question.
  func ask(_ operation: StoreOperation) -> StoreOutcome? {
    let ticket = answers.nextQuestion()
    thread.submit(ticket, operation)
    guard wait({ self.answers.outcome(of: ticket) != nil }) else { return nil }
    return answers.outcome(of: ticket)
  }

  var answered: [StoreTicket] { answers.tickets }
  func outcome(of ticket: StoreTicket) -> StoreOutcome? { answers.outcome(of: ticket) }

  /// Whether the thread, which is the one that answers, is in a poll(2) without a time limit.
  var sleepsForEver: Bool {
    let call = try? String(contentsOfFile: "/proc/\(answers.thread)/syscall", encoding: .utf8)
    // The number, the entries, their count, and the limit: -1 for poll, none for ppoll.
    let words = (call ?? "").split(separator: " ")
    guard words.count > 4 else { return false }
    #if arch(x86_64)
      return words[0] == "7" && words[3].hasSuffix("ffffffff")
    #else
      return words[0] == "73" && words[3] == "0x0"
    #endif
  }

  func identifiers() -> [String] {
    guard case .listed(let rows, _)? = ask(.question(.list(apps: nil, cursor: 0, limit: 1000)))
    else {
      return []
    }
    return rows.map { $0.identifier }
  }
}

private final class Answers: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: [StoreWriter.Answer] = []
  private var question: StoreTicket = 1_000_000

  private var answering = ""

  /// On the store thread.
  func add(_ answers: [StoreWriter.Answer]) {
    lock.withLock {
      stored += answers
      answering =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    }
  }
  /// Its folder under /proc, `PID/task/TID`.
  var thread: String { lock.withLock { answering } }
  var tickets: [StoreTicket] { lock.withLock { stored.map { $0.ticket } } }
  func outcome(of ticket: StoreTicket) -> StoreOutcome? {
    lock.withLock { stored.first { $0.ticket == ticket }?.outcome }
  }
  func nextQuestion() -> StoreTicket {
    lock.withLock {
      question += 1
      return question
    }
  }
}

/// Waits for a condition, with a deadline far beyond what it takes.
private func wait(_ condition: () -> Bool) -> Bool {
  let deadline = Date().addingTimeInterval(60)
  while !condition() {
    if Date() > deadline { return false }
    Thread.sleep(forTimeInterval: 0.001)
  }
  return true
}

extension FaultTests {
  @Test func D8_nothingIsAnsweredBeforeItsCommitIsSynced() throws {
    try Faults.alone {
      let store = try ThreadBench()
      cfault_block_syncs(60_000)
      store.schedule(1...100)
      #expect(wait { cfault_is_blocked() == 1 })
      store.schedule(101...200)
      store.thread.submit(0, .record(.setBadge(app: 1, 3)))
      // Nobody who asks waits for the disk.
      #expect(cfault_is_blocked() == 1)
      #expect(store.answered.isEmpty)
      let syncs = cfault_syncs()
      cfault_block_syncs(0)
      #expect(wait { store.answered.count == 200 })
      #expect(store.answered == (1...200).map { StoreTicket($0) })
      // What waited together was written together.
      #expect(cfault_syncs() - syncs <= 3)
      store.thread.stop()
      cfault_reset(0)
      try store.bench.openAgain()
      #expect(store.bench.listed().count == 200)
      #expect(store.bench.opened.apps.first?.badge == 3)
    }
  }

  @Test(arguments: [
    (CFAULT_FULL, "full"), (CFAULT_READ_ONLY, "read-only"), (CFAULT_INPUT_OUTPUT, "I/O error"),
  ])
  func D8_whileTheDiskRefusesSchedulesFailReadsAnswerRecordsWait(fault: Int, word: String) throws {
    try Faults.alone {
      let store = try ThreadBench()
      store.schedule(1...2)
      #expect(wait { store.answered.count == 2 })
      cfault_set_fault(Int32(fault))
      store.schedule(3...4)
      store.thread.submit(
        0, .record(.fired(row(1, "n1").occurrence(), app: 1, slot: 1, sinks: ["screen"])))
      #expect(wait { store.answered.count == 4 })
      for ticket in [3, 4] as [StoreTicket] {
        guard case .failed(let reason)? = store.outcome(of: ticket) else {
          Issue.record("\(ticket) did not fail")
          continue
        }
        #expect(reason.contains(word), "\(reason)")
      }
      #expect(store.ask(.question(.find(app: 1, identifier: "n2"))) == .found(row(2, "n2")))
      #expect(store.ask(.question(.load([1, 2]))) == .loaded([row(1, "n1"), row(2, "n2")]))
      #expect(store.identifiers() == ["n1", "n2"])
      // Mended: what was held is written without being asked again.
      cfault_set_fault(Int32(CFAULT_NONE))
      #expect(wait { store.log.contains("written again") })
      #expect(store.identifiers() == ["n2"])
      store.schedule(5...5)
      #expect(wait { store.outcome(of: 5) == .scheduled(.added(discarded: nil)) })
      store.thread.stop()
      try store.bench.openAgain()
      #expect(store.bench.listed().map { $0.identifier } == ["n2", "n5"])
      #expect(store.bench.opened.occurrences.map { $0.sinks } == [["screen"]])
      #expect(try store.bench.integrity() == "ok")
    }
  }

  @Test func D8_readersDoNotPutOffTheNextTry() throws {
    try Faults.alone {
      var settings = ThreadBench.quick
      settings.firstRetry = 200
      settings.lastRetry = 200
      let store = try ThreadBench(settings)
      store.schedule(1...1)
      #expect(wait { store.answered.count == 1 })
      cfault_set_fault(Int32(CFAULT_FULL))
      store.thread.submit(
        0, .record(.fired(row(1, "n1").occurrence(), app: 1, slot: 1, sinks: ["screen"])))
      #expect(wait { store.log.contains("records are held") })
      cfault_set_fault(Int32(CFAULT_NONE))
      // Asked without a pause: the thread is never left alone for as long as a try is away.
      #expect(
        wait { store.ask(.question(.load([1]))) != nil && store.log.contains("written again") })
      store.thread.stop()
    }
  }

  @Test func D8_theNextWriteTakesWhatIsHeldWithIt() throws {
    try Faults.alone {
      let bench = try StoreBench(vfs: "fault")
      bench.register()
      bench.run(.schedule(row(1, "a"), ifAdded: .none))
      cfault_set_fault(Int32(CFAULT_FULL))
      bench.run(.fired(row(1, "a").occurrence(), app: 1, slot: 1, sinks: ["screen"]))
      #expect(bench.keeper.isHolding)
      #expect(bench.log.lines.count == 1)
      cfault_set_fault(Int32(CFAULT_NONE))
      // In the order in which it happened: the old row is gone before the new one is looked at.
      let outcome = bench.run(.schedule(row(2, "a", body: "new"), ifAdded: .none))
      #expect(outcome == [.scheduled(.added(discarded: nil))])
      #expect(!bench.keeper.isHolding)
      #expect(bench.listed() == [row(2, "a", body: "new")])
    }
  }

  @Test(arguments: [CFAULT_FULL, CFAULT_READ_ONLY, CFAULT_INPUT_OUTPUT])
  func P9_D8_aPushThatItsInboxHasIsADuplicate(fault: Int) throws {
    try Faults.alone {
      let bench = try StoreBench(vfs: "fault")
      bench.register()
      #expect(bench.push(StoreBench.push(1)) == .stored(shown: []))
      cfault_set_fault(Int32(fault))
      #expect(bench.push(StoreBench.push(1)) == .duplicate)
      #expect(bench.push(StoreBench.push(1, container: "other")) == nil)
      #expect(bench.push(StoreBench.push(2)) == nil)
      #expect(!bench.keeper.isHolding)
    }
  }

  @Test(arguments: [CFAULT_FULL, CFAULT_READ_ONLY, CFAULT_INPUT_OUTPUT])
  func D8_whatCameToBeShownMeanwhileIsFound(fault: Int) throws {
    try Faults.alone {
      let bench = try StoreBench(vfs: "fault")
      bench.register()
      bench.run(.schedule(row(1, "a"), ifAdded: .none), .schedule(row(2, "b"), ifAdded: .none))
      bench.run(.intend(row(2, "b").occurrence(), app: 1, slot: 2))
      cfault_set_fault(Int32(fault))
      for slot in 1...2 as ClosedRange<Slot> {
        let shown = row(slot, slot == 1 ? "a" : "b")
        bench.run(
          .fired(shown.occurrence(), app: 1, slot: slot, sinks: ["one"]),
          .settle(shown.settled("one"), app: 1, shown: true, replaces: [], closes: true))
      }
      #expect(bench.keeper.isHolding)
      let id = row(2, "b").occurrence().id
      for look in [StoreQuestion.findShown(app: 1, "b", nil), .findShown(app: nil, nil, id)] {
        guard case .shown(let rows, nil)? = bench.run(look).first else {
          Issue.record("not answered")
          return
        }
        #expect(rows.map { $0.shown.occurrence } == [id])
        #expect(rows.first?.notification.alertBody == "body of b")
      }
      bench.run(.markHandled(id, app: 1, identifier: "b", .dismissed, reason: nil))
      #expect(bench.run(.findShown(app: 1, "b", nil)) == [.shown([], cursor: nil)])
      #expect(bench.keeper.isHolding && bench.shown().isEmpty)
      cfault_set_fault(Int32(CFAULT_NONE))
      bench.keeper.retry()
      #expect(bench.shown().map { $0.shown.identifier } == ["a"])
      #expect(bench.history().map { $0.state } == [.delivered, .dismissed])
    }
  }

  @Test func D8_theRefusalIsSaidOnceAndItsEndOnce() throws {
    try Faults.alone {
      let bench = try StoreBench(vfs: "fault")
      bench.register()
      cfault_set_fault(Int32(CFAULT_FULL))
      for slot in 1...5 as ClosedRange<Slot> {
        bench.run(.schedule(row(slot, "n\(slot)"), ifAdded: .none))
      }
      #expect(bench.log.lines.count == 1)
      cfault_set_fault(Int32(CFAULT_NONE))
      bench.run(.schedule(row(6, "n6"), ifAdded: .none))
      bench.run(.schedule(row(7, "n7"), ifAdded: .none))
      #expect(bench.log.lines.count == 2)
      #expect(bench.log.contains("written again: nothing was lost"))
      #expect(bench.listed().map { $0.identifier } == ["n6", "n7"])
    }
  }

  @Test(arguments: [CFAULT_FULL, CFAULT_INPUT_OUTPUT])
  func D8_theClockStartsFromBooksThatCannotBeWritten(fault: Int) throws {
    try Faults.alone {
      let bench = try StoreBench(vfs: "fault")
      bench.register()
      bench.run(.schedule(row(1, "a"), ifAdded: .none))
      bench.keeper.close()
      cfault_set_fault(Int32(fault))
      try bench.openAgain()
      #expect(bench.pending.map { $0.slot } == [1])
      #expect(bench.run(.load([1])) == [.loaded([row(1, "a")])])
      guard case .failed = bench.run(.schedule(row(2, "b"), ifAdded: .none))[0] else {
        Issue.record("was acknowledged")
        return
      }
      // Also from a log that could not be folded in.
      cfault_set_fault(Int32(CFAULT_NONE))
      bench.run(.schedule(row(3, "c"), ifAdded: .none))
      cfault_set_fault(Int32(fault))
      try bench.reopen()
      #expect(bench.pending.map { $0.slot } == [1, 3])
      cfault_set_fault(Int32(CFAULT_NONE))
      #expect(try bench.integrity() == "ok")
    }
  }

  @Test func D8_whatIsHeldIsBoundedAndTheLossIsLoud() throws {
    try Faults.alone {
      let bench = try StoreBench(vfs: "fault")
      bench.register()
      let keeper = StoreWriter(bench.opened.store, heldLimit: 80) { level, line in
        bench.log.add(level, line)
      }
      cfault_set_fault(Int32(CFAULT_INPUT_OUTPUT))
      for badge in 1...100 as ClosedRange<Int64> {
        let badges = StoreOperation.record(.setBadge(app: 1, badge))
        _ = keeper.carryOut([.init(ticket: 0, operation: badges)])
      }
      cfault_set_fault(Int32(CFAULT_NONE))
      keeper.retry()
      #expect(!keeper.isHolding)
      #expect(bench.log.contains("held records are dropped"))
      #expect(bench.log.contains("22 records were lost"))
      keeper.close()
      try bench.openAgain()
      #expect(bench.opened.apps.first?.badge == 100)
    }
  }

  @Test func D8_aFailedCommitChangesNothingAndIsNotHalfThere() throws {
    try Faults.alone {
      let bench = try StoreBench(vfs: "fault")
      bench.run(.schedule(row(1, "a"), ifAdded: .none))
      cfault_set_fault(Int32(CFAULT_INPUT_OUTPUT))
      let outcomes = bench.run(
        .change(.cancel(app: 1, identifiers: ["a"])),
        .change(.schedule(row(2, "b"), ifAdded: .none)),
        .question(.find(app: 1, identifier: "a")))
      #expect(outcomes.count == 3)
      #expect(outcomes[2] == .found(row(1, "a")))
      cfault_set_fault(Int32(CFAULT_NONE))
      #expect(bench.listed() == [row(1, "a")])
      #expect(try bench.integrity() == "ok")
    }
  }

  /// One user's many are in the line; what the clock needs and what another asks are not behind them.
  @Test func A2_anotherWaitsForOneGroupAndTheClockForTheOneInHand() throws {
    try Faults.alone {
      let store = try ThreadBench()
      store.schedule(1...2)
      #expect(wait { store.answered.count == 2 })
      cfault_block_syncs(60_000)
      store.schedule(3...3)
      #expect(wait { cfault_is_blocked() == 1 })
      let value = row(1, "n1", body: "another").notification
      let cancel = StoreOperation.change(.cancelEqual(app: 1, value))
      store.thread.submit((1000..<3000).map { .init(ticket: $0, operation: cancel, user: 1000) })
      let schedule = StoreOperation.change(.schedule(row(4, "b"), ifAdded: .none))
      store.thread.submit([.init(ticket: 5000, operation: schedule, user: 1001)])
      store.thread.submit([.init(ticket: 5001, operation: .question(.load([1])))])
      cfault_block_syncs(0)
      #expect(wait { store.answered.count == 2005 })
      let cancels = store.answered.filter { $0 != 3 }.dropFirst(2)
      // Behind what was in hand, and with the first group after it.
      #expect(cancels.first == 5001)
      #expect(cancels.prefix(257).contains(5000))
      let isInOrder = cancels.filter { $0 < 3000 } == Array(1000..<3000)
      #expect(isInOrder)
      #expect(store.outcome(of: 5000) == .scheduled(.added(discarded: nil)))
      store.thread.stop()
    }
  }

  @Test func T12_withNothingAskedTheThreadNeverWakes() throws {
    try Faults.alone {
      let store = try ThreadBench(StoreThread.Settings())
      store.schedule(1...10)
      #expect(wait { store.answered.count == 10 })
      #expect(wait { store.sleepsForEver })
      #expect(store.ask(.question(.barrier(app: nil))) == .loaded([]))
      store.thread.stop()
    }
  }
}
