import BelfryCore
import BelfrySystem

/// The thread that owns all of SQLite: operations in from any thread, answers out after their
/// commit.
///
/// It sleeps while nothing is asked. A barrier is answered without touching the disk, in its
/// turn: a watchdog's question.
public final class StoreThread: @unchecked Sendable {
  public struct Settings: Sendable {
    /// Operations in one transaction, and what they may cost, in pages: nobody waits longer for them.
    public var group = 256
    public var budget: Int64 = 2048
    /// The same where nobody waits for an answer.
    public var recordsBudget: Int64 = 8192
    /// Records that wait for the disk, in the queue and out of it.
    public var held = 10_000
    /// How long records alone wait for company, in milliseconds: what a firing and its answers
    /// write then shares pages and one fsync.
    public var linger: Int32 = 100
    /// Between tries while the disk refuses, in milliseconds: the first, doubling up to the last.
    public var firstRetry: Int32 = 1000
    public var lastRetry: Int32 = 60_000

    public init() {}
  }

  private let mutex = Mutex()
  private let bell: EventDescriptor
  private let settings: Settings
  private let log: @Sendable (LogLevel, String) -> Void
  private let answer: @Sendable ([StoreWriter.Answer]) -> Void
  // Under the mutex.
  private var queue: [StoreWriter.Entry] = []
  private var shutdown = false
  /// So many records were dropped, and not counted yet.
  private var dropped: Int64 = 0
  /// The bell has been rung, or is about to be, for what is in the queue.
  private var rung = false
  /// Of what is in the queue somebody asks something that is not about what has happened.
  private var isAsked = false
  /// Records have a while yet before they are written: more of them need not wake the thread.
  private var isLingering = false
  // Set once by `start`.
  private var thread: Thread?
  // The thread's own.
  private var lines = StoreLines()

  /// A notification 64 levels deep is read and written on it.
  #if BELFRY_LEAN
    private static let stackSize = 256 << 10
  #else
    // Code that is not optimised, or watched by a sanitizer, takes several times as much.
    private static let stackSize = 2 << 20
  #endif

  private init(
    settings: Settings, log: @escaping @Sendable (LogLevel, String) -> Void,
    answer: @escaping @Sendable ([StoreWriter.Answer]) -> Void
  ) throws(SystemError) {
    bell = try EventDescriptor()
    self.settings = settings
    self.log = log
    self.answer = answer
  }

  /// Starts the thread, which takes the store over; nobody else touches it from here on.
  ///
  /// `answer` gets each group's answers, in the order of turns, `log` is called with sentences for the
  /// operator, and `notice` with the store's condition when it changes; all on the store thread.
  @export(interface)
  public static func start(
    _ store: Store, settings: Settings = Settings(),
    notice: @escaping @Sendable (StoreNotice) -> Void = { _ in },
    log: @escaping @Sendable (LogLevel, String) -> Void,
    answer: @escaping @Sendable ([StoreWriter.Answer]) -> Void
  ) throws(SystemError) -> StoreThread {
    let this = try StoreThread(settings: settings, log: log, answer: answer)
    let keeper = StoreWriter(store, heldLimit: settings.held, notice: notice, log: log)
    this.thread = try Thread.start(name: "books", stackSize: Self.stackSize) {
      this.run(keeper)
    }
    return this
  }

  /// Queues operations that belong together: they get into one transaction where they fit. From any
  /// thread; never waits for the disk.
  @export(interface)
  public func submit(_ entries: [StoreWriter.Entry]) {
    if entries.isEmpty { return }
    let rings = mutex.withLock {
      queue += entries
      isAsked = isAsked || entries.contains { $0.operation.isAsked }
      // Answered ones are bounded by who waits for them; records are bounded here.
      dropped += HeldRecords.dropSurplus(&queue, limit: 2 * settings.held, log)
      if rung { return false }
      if isLingering, queue.count < settings.group,
        !entries.contains(where: { !$0.operation.isRecorded })
      {
        return false
      }
      rung = true
      return true
    }
    if rings { bell.ring() }
  }

  @export(interface)
  public func submit(_ ticket: StoreTicket, _ operation: StoreOperation) {
    submit([StoreWriter.Entry(ticket: ticket, operation: operation)])
  }

  /// Operations that wait for the thread.
  public var count: Int { mutex.withLock { queue.count } }

  /// Carries out what is queued, closes the file and waits for that; once, from another thread.
  @export(interface)
  public func stop() {
    mutex.withLock { shutdown = true }
    bell.ring()
    thread?.join()
  }

  // MARK: On the thread

  private func run(_ keeper: StoreWriter) {
    var deadline: Int64?
    var retry = Retry(settings)
    while true {
      let isLast = take(keeper)
      if !isLast, lines.hasOnlyRecords, lines.count < settings.group, !keeper.isHolding,
        let rest = lingering(&deadline)
      {
        if linger() { _ = Poll.wait(bell.descriptor.raw, .readable, milliseconds: rest) }
        continue
      }
      deadline = nil
      carryOut(keeper)
      if isLast, lines.isEmpty { break }
      let isIdle = lines.isEmpty && count == 0
      keeper.tidy(idle: isIdle)
      retry.plan(isHolding: keeper.isHolding)
      if isIdle {
        _ = Poll.wait(bell.descriptor.raw, .readable, milliseconds: retry.milliseconds)
      }
      if retry.isDue() { keeper.retry() }
    }
    keeper.close()
  }

  /// What the clock needs first, then a group of all else.
  private func carryOut(_ keeper: StoreWriter) {
    if lines.hasLoads { carryOut(keeper) { [unowned(unsafe) self] in lines.nextLoad() } }
    if lines.isEmpty { return }
    var hasAnswer = false
    carryOut(keeper) { [unowned(unsafe) self] in
      // Who asks waits for one commit: not for all that has happened before he came, nor for more of it.
      if lines.hasAsked ? false : hasAnswer || mutex.withLock({ isAsked }) { return nil }
      let entry = lines.next()
      hasAnswer = hasAnswer || entry?.operation.isAsked ?? false
      return entry
    }
  }

  private func carryOut(_ keeper: StoreWriter, _ take: @escaping () -> StoreWriter.Entry?) {
    let budget = lines.hasOnlyRecords ? settings.recordsBudget : settings.budget
    let answers = keeper.carryOut(
      StoreGroup(most: settings.group, budget: budget, take: take) {
        [unowned(unsafe) self] in lines.charge($0)
      })
    if !answers.isEmpty { answer(answers) }
  }

  /// False: something has come that must be looked at first.
  private func linger() -> Bool {
    mutex.withLock {
      isLingering = queue.isEmpty && !shutdown
      return isLingering
    }
  }

  /// Lines up what has been queued; true: nothing comes after it.
  private func take(_ keeper: StoreWriter) -> Bool {
    bell.clear()
    var taken: [StoreWriter.Entry] = []
    var lost: Int64 = 0
    let isLast = mutex.withLock {
      swap(&taken, &queue)
      rung = false
      isAsked = false
      isLingering = false
      lost = dropped
      dropped = 0
      return shutdown
    }
    lines.add(taken)
    keeper.note(lost: lost + lines.dropSurplus(2 * settings.held, log))
    return isLast
  }

  /// Milliseconds until records have waited long enough; nil: they have.
  private func lingering(_ deadline: inout Int64?) -> Int32? {
    let now = SystemClock.elapsed()
    let end = deadline ?? now + Int64(settings.linger) * Nanoseconds.millisecond
    deadline = end
    let rest = (end - now) / Nanoseconds.millisecond
    return rest > 0 ? Int32(rest) : nil
  }
}

/// When what is held is tried again: by the clock, however often readers ring meanwhile.
private struct Retry {
  private let first: Int64
  private let last: Int64
  private var pause: Int64
  private var deadline: Int64?

  init(_ settings: StoreThread.Settings) {
    first = Int64(settings.firstRetry) * Nanoseconds.millisecond
    last = Int64(settings.lastRetry) * Nanoseconds.millisecond
    pause = first
  }

  /// A try is ahead as long as records wait.
  mutating func plan(isHolding: Bool) {
    if !isHolding {
      pause = first
      deadline = nil
    } else if deadline == nil {
      deadline = SystemClock.elapsed() + pause
    }
  }

  /// Until the next try, rounded up; nil: none is ahead.
  var milliseconds: Int32? {
    guard let deadline else { return nil }
    let rest = deadline - SystemClock.elapsed() + Nanoseconds.millisecond - 1
    return Int32(max(0, rest / Nanoseconds.millisecond))
  }

  /// True once for each try, and the pause before the next one is twice as long.
  mutating func isDue() -> Bool {
    guard let deadline, SystemClock.elapsed() >= deadline else { return false }
    self.deadline = nil
    pause = min(last, pause * 2)
    return true
  }
}
