import BelfryCore
import BelfrySystem
import BelfryWire

/// One child of the clock: its start, its messages, its end, and when it starts again.
///
/// A worker runs as long as the daemon does; the speaker is started for a sound and stopped when
/// idle. Times are those of CLOCK_BOOTTIME, in nanoseconds. The clock's thread alone.
final class ChildSupervisor {
  let index: SinkIndex
  let kind: Sink.Kind
  var configuration: ChildConfiguration
  unowned(unsafe) let owner: any ChildOwner

  private(set) var state = ChildState.idle
  private(set) var summary: PluginSummary?
  private(set) var health: (status: UInt32, text: String)? {
    didSet { if isSpeaker { owner.child(self, did: .device(missing: missingDevice)) } }
  }
  /// Why it ended, was refused or could not start, last.
  private(set) var lastReason: String?

  private var plan = RestartPlan()
  private var attempt: UInt64 = 0
  /// The scheduler was told that it may hand over.
  private var isUp = false
  /// And why it may not, since it last might.
  private var toldDown: String?
  private let line = ChildConnection()
  private var idleAt: Int64?
  private var endReason: String?
  private var isRefused = false
  private var isFinal = false
  /// It runs with a configuration that has changed since.
  private var isOutdated = false
  /// It ends only to be started with that.
  private var isRenewed = false

  init(
    _ index: SinkIndex, _ kind: Sink.Kind, _ configuration: ChildConfiguration,
    owner: any ChildOwner
  ) {
    self.index = index
    self.kind = kind
    self.configuration = configuration
    self.owner = owner
    line.child = self
  }

  var name: String { configuration.name }
  /// How often it was started again.
  var restarts: Int64 { plan.count }
  /// The plugin's file as it was found, or as it was named.
  var file: String { line.running?.file ?? configuration.file }
  var pid: Int32? { line.running?.child.pid }
  var isSpeaker: Bool { kind == .speaker }
  var isGone: Bool { line.running == nil }
  /// Of its process; nil: none runs.
  var life: Int32? { line.running?.life }
  var output: ChildOutput? { line.running?.output }

  /// When `tick` must be called; nil: not at all.
  var deadline: Int64? {
    switch state {
    case .starting(let deadline), .settling(let deadline), .leaving(let deadline),
      .backingOff(let deadline):
      deadline
    case .running: idleAt
    // Nothing is ever due for one that is only asked (N6), or that pushes.
    case .quarantined(let not): worksUnasked || owner.isAwaited(self) ? not : nil
    case .idle, .ending, .stopped: nil
    }
  }

  // MARK: From the daemon

  /// What is known of its health before it has been started, nil: nothing; it says better later.
  func presume(degraded text: String?) {
    health = text.map { (1, $0) }
  }

  /// Once: a worker starts, the speaker waits for work.
  func begin(now: Int64) {
    if isSpeaker {
      markUp()
    } else {
      launch(now: now)
    }
  }

  /// Something is due for it, now or soon: one that is down is tried, whatever its back-off says (D9).
  func prepare(_ occurrence: Occurrence, now: Int64) {
    retry(now: now)
    guard isSpeaker, let sound = occurrence.soundName else { return }
    send(.prepareSound(app: occurrence.app, name: sound), now: now)
  }

  /// Hands a message over, or keeps it until the child is ready; a child that is down gets it again
  /// from the scheduler once it is up.
  func send(_ message: MessageToChild, now: Int64) {
    switch state {
    case .idle where isSpeaker:
      guard message.isWork else { return }
      launch(now: now)
    case .leaving where isSpeaker:
      guard message.isWork else { return }
    case .starting, .running, .settling: break
    case .idle, .leaving, .ending, .backingOff, .quarantined:
      // What was shown in an earlier life must still be taken back in the next one.
      guard !isSpeaker, message.isWithdrawal else { return }
    case .stopped: return
    }
    idleAt = nil
    do throws(WireError) {
      try line.append(message)
    } catch {
      refuse(message, error.reason)
    }
    if state == .running { line.flush(owner.loop) }
    touchIdle(now: now)
  }

  /// The scheduler gives it up: the whole process group ends.
  func interrupt(_ reason: String) {
    note(.warning, "\(reason): its process is ended")
    endReason = reason
    kill()
  }

  /// Its section, or the environment, may have changed, and the operator wants another try. What it has
  /// in hand it finishes; a speaker that plays goes on.
  func reload(_ configuration: ChildConfiguration, inNewZone: Bool, now: Int64) {
    let isChanged = configuration != self.configuration || inNewZone && !isSpeaker
    self.configuration = configuration
    switch state {
    case .quarantined, .backingOff:
      plan.reset()
      launch(now: now)
    case .starting, .running:
      guard isChanged else { return }
      if isSpeaker {
        isOutdated = true
        return touchIdle(now: now)
      }
      plan.reset()
      endReason = "its configuration changed"
      isRenewed = !isGone
      if state == .running, line.hasSentWork {
        state = .settling(deadline: now + ChildSupervisor.settleTimeout)
      } else {
        kill()
      }
    case .idle, .settling, .leaving, .ending, .stopped: break
    }
  }

  /// What the speaker is told at its next start, which comes as soon as it has nothing in hand.
  func configure(_ configuration: ChildConfiguration, now: Int64) {
    guard configuration != self.configuration else { return }
    self.configuration = configuration
    isOutdated = !isGone
    touchIdle(now: now)
  }

  /// The daemon ends: finish what is in hand.
  func stop(now: Int64) {
    isFinal = true
    if isGone {
      state = .stopped
    } else if state != .ending {
      leave(now: now)
    }
    isUp = false
  }

  private func leave(now: Int64) {
    state = .leaving(deadline: now + ChildSupervisor.endTimeout)
    line.appendStop()
    line.flush(owner.loop)
  }

  /// Ends the whole process group at once.
  func kill() {
    guard let running = line.running else { return }
    running.child.killGroup()
    state = .ending
  }

  /// A deadline passed.
  func tick(now: Int64) {
    guard let deadline, now >= deadline else { return }
    switch state {
    case .starting:
      endReason = "it was not ready within \(ChildSupervisor.startTimeout / Nanoseconds.second) s"
      if isGone { ended(nil, now: now) } else { kill() }
    case .settling, .leaving: kill()
    case .backingOff, .quarantined: revive(now: now)
    case .running:
      idleAt = nil
      leave(now: now)
    case .idle, .ending, .stopped: break
    }
  }
}

// Starting and ending.
extension ChildSupervisor {
  private func launch(now: Int64) {
    attempt += 1
    plan.noteStart(now: now)
    (isRefused, isOutdated, isRenewed) = (false, false, false)
    endReason = nil
    line.begin()
    state = .starting(deadline: now + ChildSupervisor.startTimeout)
    owner.start(self, attempt: attempt)
  }

  /// The worker thread's answer; one that comes too late is killed.
  func started(_ start: ChildStart, attempt: UInt64, now: Int64) {
    guard attempt == self.attempt, case .starting = state else {
      return owner.discard(start)
    }
    var configuration = configuration
    configuration.file = start.file
    do throws(SystemError) {
      try line.connect(start, first: .configure(configuration), owner.loop)
    } catch {
      endReason = error.text
      owner.discard(start)
      ended(nil, now: now)
    }
  }

  /// The helper could not start it; `isRefusal`: nor will it the next time.
  func failedToStart(_ reason: String, _ isRefusal: Bool, attempt: UInt64, now: Int64) {
    guard attempt == self.attempt, case .starting = state else { return }
    self.isRefused = isRefusal
    endReason = reason
    ended(nil, now: now)
  }

  /// Its process has ended: what it left of its group goes before the number is free.
  func reap() {
    guard let running = line.running else { return }
    running.child.killGroup()
    guard let end = try? running.child.reap() else { return }
    line.receiveRest()
    ended(end, now: SystemClock.elapsed())
  }

  private func ended(_ end: Child.End?, now: Int64) {
    line.disconnect(owner.loop)
    idleAt = nil
    if isFinal {
      state = .stopped
      return
    }
    if isSpeaker, !line.hasSentWork, end == .exited(0) {
      if case .leaving = state { return rest(now: now) }
      if line.isEmpty { return rest(now: now) }
    }
    let unsent = line.clear(keepingWithdrawals: !isSpeaker)
    let reason = endReason ?? end.map { $0.text } ?? "it could not be started"
    lastReason = reason
    if isRenewed {
      state = .idle
      note(.notice, "it is started anew: \(reason)")
    } else {
      let decision = plan.ended(
        name, reason, isAwaited: owner.isAwaited(self), isRefused: isRefused,
        worksUnasked: worksUnasked, now: now)
      state = decision.state
      if let line = decision.line { owner.log(line.level, line.text) }
    }
    defer { if isRenewed { launch(now: now) } }
    // Also of one that never came up: nothing is to wait for what it might know (N6).
    guard toldDown != reason else { return }
    isUp = false
    toldDown = reason
    owner.child(self, did: .down(reason: reason, unsent: unsent))
  }

  /// The speaker has gone as it should.
  private func rest(now: Int64) {
    state = .idle
    if !line.isEmpty { launch(now: now) }
  }

  private var worksUnasked: Bool {
    guard let summary else { return false }
    return !summary.calendars.isEmpty || summary.capabilities.contains("push/1")
  }

  /// Tries one that is down, at most once a second.
  private func retry(now: Int64) {
    plan.noteAsked(now: now)
    switch state {
    case .backingOff(let until): state = .backingOff(until: min(until, plan.nextTry(now: now)))
    case .quarantined: state = .backingOff(until: plan.nextTry(now: now))
    default: return
    }
    if let deadline, deadline <= now { revive(now: now) }
  }

  private func revive(now: Int64) {
    // The speaker starts for a sound.
    guard isSpeaker else { return launch(now: now) }
    state = .idle
    markUp()
  }

  private func markUp() {
    if isUp { return }
    isUp = true
    toldDown = nil
    owner.child(self, did: .up)
  }
}

// What the line tells.
extension ChildSupervisor {
  func note(_ level: LogLevel, _ text: String) {
    owner.log(level, "\(name): \(text)")
  }

  /// It has taken back the oldest of what it was to, or that was given up.
  func withdrawalConfirmed() {
    owner.child(self, did: .withdrawalConfirmed)
  }

  func lineClosed(now: Int64) {
    switch state {
    case .starting, .running, .settling:
      state = .leaving(deadline: now + ChildSupervisor.endTimeout)
    default: break
    }
  }

  func handle(_ message: MessageFromChild, now: Int64) {
    switch message {
    case .answered(let token, let answer, _):
      owner.child(self, did: .answered(token: token, answer))
      if case .settling = state, !line.hasSentWork { kill() }
      touchIdle(now: now)
    case .withdrawn: touchIdle(now: now)
    case .ready(let summary): ready(summary, now: now)
    case .refused(let reason): endReason = reason
    case .started(let token, let note):
      owner.child(self, did: .started(token: token, note: note))
    case .log(let level, let text): note(level, text)
    case .health(_, let status, let text): health = (status, text)
    case .input(let input): owner.child(self, did: .input(input))
    case .push(let push):
      // What it says last, and will not hear of any more, it says again in its next life.
      if state == .running { owner.child(self, pushes: push) }
    case .calendar(let token, let answer):
      owner.child(self, did: .calendar(token: token, answer))
    }
  }

  private func ready(_ summary: PluginSummary, now: Int64) {
    guard case .starting = state else { return }
    self.summary = summary
    state = .running
    plan.noteReady()
    owner.child(self, did: .ready(after: now - plan.startedAt))
    if !isSpeaker {
      owner.child(
        self,
        did: .described(
          wantsAlerts: summary.capabilities.contains("delivery/1"),
          wantsBadges: summary.capabilities.contains("badge/1"),
          wantsEverything: summary.wantsEverything, calendars: summary.calendars,
          concurrency: Int32(clamping: max(0, summary.concurrency))))
    }
    askHealth()
    line.flush(owner.loop)
    touchIdle(now: now)
    markUp()
  }

  /// Tells it what became of a push of this life's.
  func answer(_ token: UInt64, _ answer: PluginPushAnswer, now: Int64) {
    line.notePushAnswered()
    send(.pushed(token: token, answer), now: now)
  }

  /// Asks `health/1`, for whoever looks at it next.
  func askHealth() {
    guard state == .running, summary?.capabilities.contains("health/1") == true else { return }
    line.askHealth()
    line.flush(owner.loop)
  }

  private func touchIdle(now: Int64) {
    guard isSpeaker, state == .running else { return }
    let timeout = isOutdated ? 0 : ChildSupervisor.idleTimeout
    idleAt = line.isEmpty && !line.hasWork ? now + timeout : nil
  }
}
