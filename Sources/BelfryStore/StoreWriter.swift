import BelfryCore
import BelfrySystem

/// Carries out groups of operations, each group in one transaction, and keeps what the disk
/// refuses (D8). One thread at a time.
public final class StoreWriter: @unchecked Sendable {
  public struct Entry: Sendable {
    /// 0: not answered.
    public var ticket: StoreTicket
    public var operation: StoreOperation
    /// Whose turn it takes: a uid; below zero: the clock's own.
    public var user: Int64
    /// Something that stood before it was dropped.
    var isBehindLoss = false
    var isDropped = false
    /// In the order in which they came, from 1.
    var number: Int64 = 0
    /// Whose records go before it in any case, each user's up to that number.
    var follows: [(user: Int64, number: Int64)] = []

    public init(ticket: StoreTicket, operation: StoreOperation, user: Int64 = -1) {
      self.ticket = ticket
      self.operation = operation
      self.user = user
    }
  }

  public struct Answer: Hashable, Sendable {
    public var ticket: StoreTicket
    public var outcome: StoreOutcome
  }

  let store: Store
  let log: (LogLevel, String) -> Void
  /// Records that the disk refused, oldest first.
  private(set) var held: HeldRecords
  private var lost: Int64 = 0
  private var isRefused = false
  private var checkpointFails = false
  private var isSuspect = false
  /// The first group was carried out; then, what an earlier life left in the log was folded in.
  private var hasBegun = false
  private var hasFolded = false
  /// Room is kept for a disk that is full.
  private var hasReserve = false
  private var isReserveSpent = false
  /// When that is tried next, by the elapsed clock.
  private var nextReserve: Int64 = 0
  /// What the operator is to see of the store, as long as it is so.
  let notice: (StoreNotice) -> Void
  /// When damage was last mended, by the elapsed clock.
  var recoveredAt: Int64?
  /// The store is not where the next start looks for it, and could not be put there.
  var isDisplaced = false

  /// `heldLimit`: how many records wait in memory for the disk, large ones counted by their KiB; `log`
  /// is called on the same thread.
  public init(
    _ store: Store, heldLimit: Int = 10_000,
    notice: @escaping (StoreNotice) -> Void = { _ in },
    log: @escaping (LogLevel, String) -> Void
  ) {
    self.notice = notice
    self.store = store
    held = HeldRecords(limit: heldLimit)
    self.log = log
  }

  /// Records wait in memory for the disk, or the store for a place.
  public var isHolding: Bool { !held.isEmpty || isDisplaced }

  /// Tries to write what is held; it stays held if the disk still refuses.
  public func retry() {
    if let error = putBack() { return note(error) }
    do throws(StoreError) { try flushHeld() } catch { note(error) }
  }

  /// Carries out one group and returns its answers in order, all of them durable.
  public func carryOut(_ group: [Entry]) -> [Answer] { carryOut(StoreGroup(group)) }

  func carryOut(_ group: consuming StoreGroup) -> [Answer] {
    defer { for sentence in store.takeComplaints() { log(.error, sentence) } }
    hasBegun = true
    if let error = putBack() { return refuse(&group, error) }
    switch attempt(&group) {
    case .success(let answers):
      guard group.entries.contains(where: { !$0.operation.isRead }) else { return answers }
      // What was just committed must stand where the next start looks for it, before it is told.
      if let error = putBack() { return fail(group.entries, answers, error) }
      noteSuccess()
      return answers
    case .failure(let error): return refuse(&group, error)
    }
  }

  /// The commit went to a file that nobody will find.
  private func fail(_ group: [Entry], _ answers: [Answer], _ error: StoreError) -> [Answer] {
    note(error)
    return zip(group.filter { !$0.operation.isRecorded }, answers).map { entry, answer in
      entry.operation.isRead
        ? answer : Answer(ticket: entry.ticket, outcome: .failed(reason: error.reason))
    }
  }

  // MARK: Transactions

  /// `heldFirst`: what the disk has refused is written before.
  private func attempt(
    _ group: inout StoreGroup, heldFirst: Bool = true
  ) -> Result<[Answer], StoreError> {
    // Operations that fail by themselves, found in an earlier round that was rolled back.
    var failed: [Int: StoreError] = [:]
    while true {
      do throws(StoreError) {
        if let answers = try round(&group, &failed, heldFirst: heldFirst) {
          return .success(answers)
        }
      } catch {
        store.rollBack()
        if error.isDamage, recover(error) { continue }
        return .failure(error)
      }
      store.rollBack()
    }
  }

  /// One pass over the group, inside a transaction from the first operation on that writes; nil: an
  /// operation failed half done, so it is in `failed` now and everything must be rolled back and done
  /// again without it.
  private func round(
    _ group: inout StoreGroup, _ failed: inout [Int: StoreError], heldFirst: Bool
  ) throws(StoreError) -> [Answer]? {
    var answers: [Answer] = []
    var isBegun = false
    var index = 0
    while let entry = group.entry(index, cost: store.cost) {
      defer { index += 1 }
      if !isBegun {
        if entry.operation.isRead {
          answers.append(read(entry))
          continue
        }
        if heldFirst { try flushHeld() }
        try store.begin()
        isBegun = true
      }
      if let error = failed[index] {
        failAlone(entry, error, &answers)
        continue
      }
      if entry.isBehindLoss {
        let outcome = StoreOutcome.failed(
          reason: "too much waited for the disk, and some of it was dropped")
        answers.append(Answer(ticket: entry.ticket, outcome: outcome))
        continue
      }
      let before = store.totalChanges
      do throws(StoreError) {
        let outcome = try store.carryOut(entry.operation)
        if let outcome { answers.append(Answer(ticket: entry.ticket, outcome: outcome)) }
      } catch {
        if error.concernsTheDisk || mayRecover(error) { throw error }
        suspect(error)
        guard store.isInTransaction, store.totalChanges == before else {
          failed[index] = error
          return nil
        }
        failAlone(entry, error, &answers)
      }
    }
    if isBegun { try store.commit() }
    return answers
  }

  private func failAlone(_ entry: Entry, _ error: StoreError, _ answers: inout [Answer]) {
    if entry.operation.isRecorded {
      lost += 1
      log(.error, "a record cannot be written and is dropped: \(error.reason)")
    } else {
      answers.append(Answer(ticket: entry.ticket, outcome: .failed(reason: error.reason)))
    }
  }

  // MARK: When the disk refuses

  /// Reads are answered without a transaction, the rest fails or is held.
  private func refuse(_ group: inout StoreGroup, _ error: StoreError) -> [Answer] {
    note(error)
    var answers: [Answer] = []
    var index = 0
    while let entry = group.entry(index, cost: store.cost) {
      index += 1
      if entry.operation.isRecorded {
        held.append(entry)
      } else if entry.operation.isRead {
        answers.append(read(entry))
      } else {
        let outcome =
          knownPush(entry.operation) ?? (error.code == .full ? writeToReserve(entry) : nil)
          ?? .failed(reason: error.reason)
        answers.append(Answer(ticket: entry.ticket, outcome: outcome))
      }
    }
    lost += held.dropSurplus(log)
    return answers
  }

  /// On a full disk: what makes room, or is of root's or belfryd's own user's apps, gets what is kept
  /// for it; nil: it is neither, or there is not enough.
  private func writeToReserve(_ entry: Entry) -> StoreOutcome? {
    guard
      entry.operation.makesRoom || entry.user == 0
        || entry.user == store.share.exempt.map({ Int64($0) })
    else { return nil }
    StoreReserve.spend(for: store.file.path)
    (hasReserve, isReserveSpent) = (false, true)
    // Behind all that has happened before it: what is held says which rows are still there.
    var alone = StoreGroup([entry])
    guard case .success(let answers) = attempt(&alone), putBack() == nil else { return nil }
    return answers.first?.outcome
  }

  /// A push that its inbox has is a duplicate, whatever the disk takes (P9); nil: any other
  /// operation, or it cannot be told.
  private func knownPush(_ operation: StoreOperation) -> StoreOutcome? {
    guard case .change(.push(let push)) = operation else { return nil }
    do throws(StoreError) {
      return try store.has(push) ? .pushed(.duplicate) : nil
    } catch {
      suspect(error)
      return nil
    }
  }

  private func read(_ entry: Entry) -> Answer {
    if let outcome = findShown(entry.operation) {
      return Answer(ticket: entry.ticket, outcome: outcome)
    }
    do throws(StoreError) {
      let outcome = try store.carryOut(entry.operation)
      return Answer(ticket: entry.ticket, outcome: outcome ?? .failed(reason: "not a read"))
    } catch {
      if mayRecover(error) {
        store.rollBack()
        if recover(error) { return read(entry) }
      }
      suspect(error)
      log(.error, error.reason)
      return Answer(ticket: entry.ticket, outcome: .failed(reason: error.reason))
    }
  }

  /// Writes what is held, a bounded group at a time.
  private func flushHeld() throws(StoreError) {
    if held.isEmpty { return }
    while !held.isEmpty {
      var chunk = StoreGroup(Array(held.entries.prefix(256)))
      if case .failure(let error) = attempt(&chunk, heldFirst: false) { throw error }
      held.removeFirst(chunk.entries.count)
    }
    noteSuccess()
  }

  /// Records were dropped before they came here.
  func note(lost count: Int64) { lost += count }

  func note(_ error: StoreError) {
    suspect(error)
    guard !isRefused else { return }
    isRefused = true
    notice(.refused(error.reason))
    log(.error, "\(error.reason): alerts go on, new schedules are refused, records are held")
  }

  /// Damage makes the next start check the whole file.
  private func suspect(_ error: StoreError) {
    guard error.code == .damaged, !isSuspect else { return }
    isSuspect = true
    IntegrityMark.raise(store.file.path)
  }

  private func noteSuccess() {
    guard isRefused else { return }
    isRefused = false
    notice(.accepted)
    let report =
      lost == 0
      ? "nothing was lost" : counted(lost, "record was lost", many: "records were lost")
    log(.notice, "the books are written again: \(report)")
    lost = 0
  }

  // MARK: The log's size

  /// Folds the log into the file when it is long enough to be worth it and nobody waits.
  ///
  /// 1,000 pages of 1 KiB: a page that changed often is then written once, and the fold takes a
  /// slow card well under a second. Until nobody waits the log grows, up to 4,000 pages. What an
  /// earlier life left in it is folded in soon, since this one has none of it in memory should
  /// somebody empty the log; but what is due at the start is read before.
  public func tidy(idle: Bool) {
    let now = SystemClock.elapsed()
    // Not for each call that spends it, or calls would hold up what the clock needs.
    if idle, hasBegun, !hasReserve, now >= nextReserve, store.file.refusal == nil {
      nextReserve = now + 60 * Nanoseconds.second
      hasReserve = StoreReserve.make(for: store.file.path, orLess: isReserveSpent)
    }
    let isDue = store.logFrames >= (idle ? 1000 : 4000) || idle && hasBegun && !hasFolded
    guard isDue, store.file.refusal == nil else { return }
    hasFolded = true
    // Into one that was cut nothing is folded: it would look whole, and only the log has it all.
    if let error = putBack() { return note(error) }
    do throws(StoreError) {
      try store.checkpoint()
      checkpointFails = false
    } catch {
      // Nothing is lost: the log has it. Said once.
      if !checkpointFails { log(.warning, "the books' log cannot be folded in: \(error.reason)") }
      checkpointFails = true
      suspect(error)
    }
  }

  /// A last try for what is held, then the file is closed.
  public func close() {
    retry()
    for sentence in store.takeComplaints() { log(.error, sentence) }
    if !held.isEmpty {
      log(.error, counted(held.entries.count, "record") + " could not be written before the end")
    }
    store.end()
  }
}

extension StoreOperation {
  /// Not answered, and held while the disk refuses.
  var isRecorded: Bool { if case .record = self { true } else { false } }

  /// Leaves less than there was.
  var makesRoom: Bool {
    guard case .change(let change) = self else { return false }
    switch change {
    case .cancel, .cancelEqual, .cancelAll, .markRead: return true
    case .replaceAll(_, let rows, _, _): return rows.isEmpty
    case .schedule, .registerApp, .push, .commit: return false
    }
  }

  /// Writes nothing.
  var isRead: Bool { if case .question = self { true } else { false } }
}

/// What `StoreWriter` needs of the store beside its operations.
extension Store {
  func begin() throws(StoreError) {
    try writeAgain()
    if !countsBytes { try countBytes() }
    try statement(.begin).run()
  }

  func commit() throws(StoreError) { try statement(.commit).run() }

  func rollBack() {
    oldestHistory = nil
    historyShares = nil
    resetAll()
    database.rollBack()
  }

  var isInTransaction: Bool { database.isInTransaction }
  var totalChanges: Int64 { database.totalChanges }
  /// What all work so far has cost whoever asked for it: pages looked at and written.
  var cost: Int64 { database.cost - nobodysCost }
  var logFrames: Int32 { database.logFrames }
  func checkpoint() throws(StoreError) {
    try database.checkpoint()
    place?.noteGrowth()
  }
}
