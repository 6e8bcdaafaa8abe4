/// The board's clock: how far it can be believed, when it was set, and when the kernel is asked
/// about it (T8, T9).
struct ClockMonitor {
  /// How often the kernel is asked while something is held.
  static let askInterval = 5 * Nanoseconds.second
  /// real − elapsed is constant between two settings of the clock; less than this is the time
  /// between the two readings.
  static let smallestStep = Nanoseconds.millisecond

  /// The real clock is not where it would be by running alone.
  struct Step: Equatable {
    /// By how much it went forward; back where negative.
    var nanoseconds: Int64
    /// By more than can be counted.
    var isHuge: Bool

    /// Somebody set it. A clock that runs wrong is no step, or what is held would be written down
    /// again and again.
    var isSet: Bool { isHuge || nanoseconds.magnitude >= UInt64(Nanoseconds.second) }
    var isBack: Bool { nanoseconds < 0 }
  }

  private var trust: ClockTrust
  /// real − elapsed at the last event but for what lies between two readings; nil: none yet.
  private var lastOffset: Int64?
  private var lastState: ClockState?
  /// When the kernel was last asked, and is to be asked next, on the elapsed clock.
  private var lastAsked = Int64.min
  private var nextAsk: Int64?
  /// How often the clock was set.
  private(set) var steps: Int64 = 0

  init(_ configuration: EngineConfiguration) {
    trust = ClockTrust(
      known: configuration.knownTime, trustAfter: configuration.trustAfter,
      isTrusted: configuration.isClockTrusted)
  }

  // MARK: How far it can be believed

  var isTrusted: Bool { trust.isTrusted }
  /// As the kernel said last.
  var isSynchronised: Bool { trust.isSynchronised }
  /// The newest time known from before.
  var known: Instant { trust.known }

  func state(at now: ClockReading) -> ClockState { trust.state(at: now) }

  /// Whether an entry has to wait for a better clock.
  func holds(_ entry: PendingTable.Entry, at now: ClockReading) -> Bool {
    trust.holds(entry, at: now)
  }

  /// Why, in words that go on after "held:".
  func reason(at now: ClockReading) -> String { trust.reason(at: now) }

  /// What it shows may be wrong by any time.
  func isDoubtful(at now: ClockReading) -> Bool {
    !isTrusted && state(at: now) != .synchronised
  }

  /// It is known to be wrong.
  func isWrong(at now: ClockReading) -> Bool {
    !isTrusted && state(at: now) == .untrusted
  }

  /// How many of those that go by the clock cannot fire by it as it is.
  func heldCount(of clocked: (once: Int, repeating: Int), at now: ClockReading) -> Int {
    guard !isTrusted else { return 0 }
    switch state(at: now) {
    case .untrusted: return clocked.once + clocked.repeating
    case .plausible: return clocked.once
    case .synchronised: return 0
    }
  }

  /// The time to write down, as far as it is known; a clock that is known to be wrong says nothing
  /// of that, or the next start would believe it (T9).
  func timeToKeep(at now: ClockReading) -> Instant {
    isWrong(at: now) ? known : now.real
  }

  /// The store knows this time from before.
  mutating func learn(_ time: Instant) {
    trust.known = max(known, time)
  }

  // MARK: What an event tells

  /// nil: it was not set since the last event.
  mutating func noteStep(_ now: ClockReading) -> Step? {
    let offset = now.real.nanoseconds(since: Instant(nanoseconds: now.elapsed))
    guard let before = lastOffset else {
      lastOffset = offset
      return nil
    }
    let (change, isHuge) = offset.subtractingReportingOverflow(before)
    guard isHuge || change.magnitude >= UInt64(Self.smallestStep) else { return nil }
    lastOffset = offset
    let step = Step(nanoseconds: change, isHuge: isHuge)
    if step.isSet { steps += 1 }
    return step
  }

  /// True: its state has changed, and with it what is held.
  mutating func noteState(_ now: ClockReading) -> Bool {
    let state = state(at: now)
    guard state != lastState else { return false }
    lastState = state
    return isDoubtful(at: now)
  }

  /// True: trust has been reached by waiting.
  mutating func reachTrust(_ now: ClockReading) -> Bool {
    trust.reachTrust(now)
  }

  /// The kernel's answer; true: trust has been reached by it.
  mutating func take(synchronised: Bool, _ turn: inout Turn) -> Bool {
    if synchronised != isSynchronised {
      turn.log(
        .info, synchronised ? "the clock is synchronised" : "the clock is no longer synchronised")
    }
    return trust.take(synchronised: synchronised, now: turn.now)
  }

  /// An operator trusts it.
  mutating func trustFromNow() {
    trust.trust()
  }

  // MARK: Asking the kernel

  mutating func ask(_ turn: inout Turn) {
    lastAsked = turn.now.elapsed
    turn.emit(.askClock)
  }

  /// T9: every so often while something is held, never otherwise.
  mutating func ask(whileHeld count: Int, _ turn: inout Turn) {
    if count == 0 {
      nextAsk = nil
    } else if turn.now.elapsed >= nextAsk ?? .min {
      ask(&turn)
      nextAsk = turn.now.elapsed + Self.askInterval
    }
  }

  /// Before something fires, so that the history tells the state; never a wake-up of its own.
  mutating func refresh(_ turn: inout Turn) {
    let interval = isSynchronised ? 10 * Nanoseconds.minute : Nanoseconds.minute
    if lastAsked == .min || turn.now.elapsed - lastAsked >= interval { ask(&turn) }
  }

  /// When the kernel is to be asked, and when the clock will be believed by waiting alone.
  func nextWake(_ now: ClockReading) -> NextWake {
    guard let ask = nextAsk else { return NextWake(real: nil, elapsed: nil) }
    return switch state(at: now) {
    // T9: then it is plausible, then trusted.
    case .untrusted: NextWake(real: known, elapsed: ask)
    case .plausible: NextWake(real: nil, elapsed: min(ask, trust.trustAfter))
    case .synchronised: NextWake(real: nil, elapsed: ask)
    }
  }
}
