import BelfryCore
import BelfrySystem
import BelfryWire

/// What the supervision of children needs of the daemon.
protocol ChildOwner: AnyObject {
  var loop: Loop { get }
  var packets: PacketBuffer { get }
  /// Has the process started by the helper thread; `SupervisedChild.started` or `failedToStart`
  /// follows.
  func start(_ child: SupervisedChild, attempt: UInt64)
  /// Has a process that is not wanted any more killed and reaped.
  func discard(_ start: ChildStart)
  /// For the scheduler.
  func child(_ child: SupervisedChild, did event: SinkEvent)
  func log(_ level: LogLevel, _ text: String)
}

/// One child of the clock: its start, its messages, its end, and when it starts again.
///
/// A worker runs as long as the daemon does; the speaker is started for a sound and stopped when
/// idle. Times are those of CLOCK_BOOTTIME, in nanoseconds. The clock's thread alone.
final class SupervisedChild {
  enum State: Equatable {
    /// Nothing runs and nothing is to: the speaker without work.
    case idle
    /// The helper was asked, or the child has not said `ready`.
    case starting(deadline: Int64)
    case running
    /// Was told to stop; killed at the deadline.
    case leaving(deadline: Int64)
    /// Its process group was killed; not reaped yet.
    case ending
    case backingOff(until: Int64)
    /// Ended too often; tried again when something is due for it, not before `not`.
    case quarantined(not: Int64)
    /// The daemon ends.
    case stopped
  }

  let index: SinkIndex
  let kind: Sink.Kind
  var configuration: ChildConfiguration
  unowned(unsafe) let owner: any ChildOwner

  private(set) var state = State.idle
  private(set) var summary: PluginSummary?
  private(set) var health: (status: UInt32, text: String)?
  /// Why it ended, was refused or could not start, last.
  private(set) var lastReason: String?
  /// How often it was started again.
  private(set) var restarts: Int64 = 0

  private var attempt: UInt64 = 0
  private var backOff = BackOff()
  private var startedAt: Int64 = 0
  private var running: RunningChild?
  /// The scheduler was told that it may hand over.
  private var isUp = false
  /// Waits for `ready`, or for room in the socket.
  private var outbox = Outbox()
  /// Hand-overs that are not answered.
  private(set) var open: Set<UInt64> = []
  private var idleAt: Int64?
  /// A question about its health is not answered: whoever asks often asks once.
  private var isAskedForHealth = false
  private var flood = FloodGate()
  private var endReason: String?
  private var isRefused = false
  private var isFinal = false

  /// How long a child may take until `ready`, the card being cold.
  static let startPatience = 30 * Duration.second
  /// How long a child may take to end after it closed its socket, or was told to stop.
  static let endPatience = Duration.second / 2
  /// How long the speaker stays without work.
  static let idlePatience = 10 * Duration.second
  /// Between tries of a quarantined child.
  static let quarantine = 10 * Duration.minute

  init(
    _ index: SinkIndex, _ kind: Sink.Kind, _ configuration: ChildConfiguration,
    owner: any ChildOwner
  ) {
    self.index = index
    self.kind = kind
    self.configuration = configuration
    self.owner = owner
  }

  var name: String { configuration.name }
  /// The plugin's file as it was found, or as it was named.
  var file: String { running?.file ?? configuration.file }
  var pid: Int32? { running?.child.pid }
  var isSpeaker: Bool { kind == .speaker }

  /// When `tick` must be called; nil: not at all.
  var deadline: Int64? {
    switch state {
    case .starting(let deadline), .leaving(let deadline), .backingOff(let deadline): deadline
    case .running: idleAt
    case .idle, .ending, .quarantined, .stopped: nil
    }
  }

  // MARK: From the daemon

  /// Once: a worker starts, the speaker waits for work.
  func begin(now: Int64) {
    if isSpeaker {
      rise()
    } else {
      launch(now: now)
    }
  }

  /// Something is due for it soon.
  func prepare(_ occurrence: Occurrence, now: Int64) {
    if case .quarantined(let not) = state, now >= not { launch(now: now) }
    guard isSpeaker, let sound = occurrence.notification.soundName else { return }
    send(.prepareSound(app: occurrence.app, name: sound), now: now)
  }

  /// Hands a message over, or keeps it until the child is ready; a child that is down gets it again
  /// from the scheduler once it is up.
  func send(_ message: MessageToChild, now: Int64) {
    switch state {
    case .idle:
      guard isSpeaker, message.isWork else { return }
      launch(now: now)
    case .leaving:
      guard isSpeaker, message.isWork else { return }
    case .starting, .running: break
    case .ending, .backingOff, .quarantined:
      // What was shown in an earlier life must still be taken back in the next one.
      guard !isSpeaker, message.isWithdrawal, outbox.count < 1000 else { return }
    case .stopped: return
    }
    if let token = message.token { open.insert(token) }
    idleAt = nil
    do throws(WireError) {
      outbox.append(try message.encode())
    } catch {
      refuse(message, error.reason)
    }
    if state == .running { flush(now: now) }
    touchIdle(now: now)
  }

  /// The scheduler gives it up: the whole process group ends.
  func interrupt(_ reason: String, now: Int64) {
    owner.log(.warning, "\(name): \(reason): its process is ended")
    endReason = reason
    kill()
  }

  /// Its section of the configuration has changed, or the operator wants another try.
  func reload(_ configuration: ChildConfiguration, now: Int64) {
    let isChanged = configuration != self.configuration
    self.configuration = configuration
    switch state {
    case .quarantined, .backingOff:
      backOff = BackOff()
      launch(now: now)
    case .starting, .running:
      guard isChanged else { return }
      backOff = BackOff()
      endReason = "its configuration changed"
      kill()
    case .idle, .leaving, .ending, .stopped: break
    }
  }

  /// The daemon ends: finish what is in hand.
  func stop(now: Int64) {
    isFinal = true
    if running == nil {
      state = .stopped
    } else if state != .ending {
      outbox.append((try? MessageToChild.stop.encode()) ?? [])
      state = .leaving(deadline: now + SupervisedChild.endPatience)
      flush(now: now)
    }
    isUp = false
  }

  var isGone: Bool { running == nil }

  /// Ends the whole process group at once.
  func kill() {
    guard let running else { return }
    running.child.killGroup()
    state = .ending
  }

  /// A deadline passed.
  func tick(now: Int64) {
    guard let deadline, now >= deadline else { return }
    switch state {
    case .starting:
      endReason = "it was not ready within \(SupervisedChild.startPatience / Duration.second) s"
      if running == nil { ended(nil, now: now) } else { kill() }
    case .leaving: kill()
    case .backingOff:
      if isSpeaker {
        state = .idle
        rise()
      } else {
        launch(now: now)
      }
    case .running:
      idleAt = nil
      outbox.append((try? MessageToChild.stop.encode()) ?? [])
      state = .leaving(deadline: now + SupervisedChild.endPatience)
      flush(now: now)
    case .idle, .ending, .quarantined, .stopped: break
    }
  }
}

// Starting and ending.
extension SupervisedChild {
  private func launch(now: Int64) {
    attempt += 1
    startedAt = now
    isRefused = false
    endReason = nil
    flood = FloodGate()
    open = []
    isAskedForHealth = false
    state = .starting(deadline: now + SupervisedChild.startPatience)
    owner.start(self, attempt: attempt)
  }

  /// The helper's answer; one that comes too late is killed.
  func started(_ start: ChildStart, attempt: UInt64, now: Int64) {
    guard attempt == self.attempt, case .starting = state else {
      return owner.discard(start)
    }
    let running = RunningChild(start)
    self.running = running
    do throws(SystemError) {
      running.socketWatch = try owner.loop.watch(start.socket.raw, .readable) {
        [unowned(unsafe) self] in self.socketReady($0)
      }
      running.endWatch = try owner.loop.watch(start.child.descriptor.raw, .readable) {
        [unowned(unsafe) self] _ in self.reap()
      }
      var configuration = configuration
      configuration.file = start.file
      let first = try? MessageToChild.configure(configuration).encode()
      outbox.prepend(first ?? [])
      flush(now: now, only: 1)
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
    if isRefusal { owner.log(.error, "\(name) is not used: \(reason)") }
    endReason = reason
    ended(nil, now: now)
  }

  /// Its process has ended: what it left of its group goes before the number is free.
  private func reap() {
    guard let running else { return }
    running.child.killGroup()
    guard let end = try? running.child.reap() else { return }
    let now = SystemClock.elapsed()
    // What it said last still counts.
    receive(running, atMost: .max, now: now)
    ended(end, now: now)
  }

  private func ended(_ end: Child.End?, now: Int64) {
    let wanted = leaveLoop()
    let wasUp = isUp
    let hadWork = !open.isEmpty
    open = []
    idleAt = nil
    if isFinal {
      state = .stopped
      return
    }
    if case .leaving = state, isSpeaker, !hadWork, end == .exited(0) {
      return rest(wanted, now: now)
    }
    if isSpeaker, !hadWork, end == .exited(0), outbox.isEmpty { return rest(wanted, now: now) }
    outbox = Outbox()
    let reason = endReason ?? end.map { $0.text } ?? "it could not be started"
    lastReason = reason
    isUp = false
    restarts += 1
    fallBack(reason, now: now)
    if wasUp { owner.child(self, did: .down(reason: reason)) }
  }

  /// The speaker has gone as it should.
  private func rest(_ hasWork: Bool, now: Int64) {
    state = .idle
    if hasWork { launch(now: now) }
  }

  private func fallBack(_ reason: String, now: Int64) {
    if isRefused {
      state = .quarantined(not: now + SupervisedChild.quarantine)
      return
    }
    if let delay = backOff.ended(after: now - startedAt) {
      state = .backingOff(until: now + delay)
      owner.log(
        .warning, "\(name) ended: \(reason); it starts again in \(Duration.text(delay))")
    } else {
      state = .quarantined(not: now + SupervisedChild.quarantine)
      owner.log(
        .error,
        "\(name) ended \(backOff.ends) times in a row: \(reason); it stays down until something is "
          + "due for it or SIGHUP")
    }
  }

  /// True: something waits to be sent.
  private func leaveLoop() -> Bool {
    if let running {
      if let watch = running.socketWatch { owner.loop.unwatch(watch, running.socket) }
      if let watch = running.endWatch { owner.loop.unwatch(watch, running.child.descriptor.raw) }
    }
    running = nil
    return !outbox.isEmpty
  }

  private func rise() {
    if isUp { return }
    isUp = true
    owner.child(self, did: .up)
  }
}

// Messages.
extension SupervisedChild {
  private func socketReady(_ readiness: Readiness) {
    guard let running else { return }
    let now = SystemClock.elapsed()
    if readiness.contains(.writable) { flush(now: now) }
    if !readiness.subtracting(.writable).isEmpty { receive(running, atMost: 32, now: now) }
  }

  /// A bounded burst: one child's talk delays the others only so long.
  private func receive(_ running: RunningChild, atMost count: Int, now: Int64) {
    var left = count
    while left > 0 {
      left -= 1
      switch running.receive(owner.packets) {
      case .nothing: return
      case .end: return closed(running, now: now)
      case .message(let message): take(message, now: now)
      case .garbled(let reason):
        interrupt("it sent what is no message (\(reason))", now: now)
        return
      }
      if state == .ending { return }
    }
  }

  /// It closed its socket; its end should follow.
  private func closed(_ running: RunningChild, now: Int64) {
    if let watch = running.socketWatch { owner.loop.unwatch(watch, running.socket) }
    running.socketWatch = nil
    switch state {
    case .starting, .running: state = .leaving(deadline: now + SupervisedChild.endPatience)
    default: break
    }
  }

  private func take(_ message: MessageFromChild, now: Int64) {
    switch message {
    case .answered(let token, let answer, _):
      if answer != .pending, open.remove(token) == nil { count(now: now) }
      owner.child(self, did: .answered(token: token, answer))
      touchIdle(now: now)
      return
    case .ready(let summary): ready(summary, now: now)
    case .refused(let reason):
      isRefused = true
      endReason = reason
      owner.log(.error, "\(name) is not used: \(reason)")
    case .started(let token, let note):
      owner.child(self, did: .started(token: token, note: note))
    case .log(let level, let text):
      if flood.allowsLine(now: now) { owner.log(level, "\(name): \(text)") }
    case .health(_, let status, let text):
      health = (status, text)
      isAskedForHealth = false
    case .calendar(let token, let answer):
      if open.remove(token) == nil { count(now: now) }
      owner.child(self, did: .calendar(token: token, answer))
      return
    }
    count(now: now)
  }

  private func count(now: Int64) {
    guard !flood.allowsMessage(now: now), state != .ending else { return }
    interrupt("it floods the clock with messages", now: now)
  }

  private func ready(_ summary: PluginSummary, now: Int64) {
    guard case .starting = state else { return }
    self.summary = summary
    state = .running
    lastReason = nil
    if !isSpeaker {
      owner.child(
        self,
        did: .described(
          wantsAlerts: summary.capabilities.contains("delivery/1"),
          wantsBadges: summary.capabilities.contains("badge/1"),
          wantsEverything: summary.wantsEverything, calendars: summary.calendars))
    }
    askHealth(now: now)
    flush(now: now)
    touchIdle(now: now)
    rise()
  }

  /// Asks `health/1`, for whoever looks at it next.
  func askHealth(now: Int64) {
    guard state == .running, !isAskedForHealth,
      summary?.capabilities.contains("health/1") == true
    else { return }
    isAskedForHealth = true
    send(.health(token: 0), now: now)
  }

  private func touchIdle(now: Int64) {
    guard isSpeaker, state == .running else { return }
    idleAt = open.isEmpty && outbox.isEmpty ? now + SupervisedChild.idlePatience : nil
  }

  private func flush(now: Int64, only most: Int = .max) {
    guard let running else { return }
    switch running.send(&outbox, atMost: most) {
    case .done: running.wantsRoom(false, owner.loop)
    case .blocked:
      running.wantsRoom(true, owner.loop)
      if outbox.isOverfull { interrupt("it takes no messages", now: now) }
    // The socket's end is told by reading.
    case .broken: break
    }
  }

  /// Cannot be sent at all: longer than a packet may be.
  private func refuse(_ message: MessageToChild, _ reason: String) {
    owner.log(.error, "\(name): a message cannot be sent: \(reason)")
    guard let token = message.token else { return }
    open.remove(token)
    owner.child(self, did: .answered(token: token, .failed(reason: reason)))
  }
}

extension MessageToChild {
  /// Of a hand-over, which is answered.
  var token: UInt64? {
    switch self {
    case .deliver(let delivery): delivery.token
    case .badge(let token, _, _): token
    case .calendar(let token, _): token
    default: nil
    }
  }

  var isWithdrawal: Bool {
    if case .withdraw = self { true } else { false }
  }

  /// Worth starting the speaker for.
  var isWork: Bool {
    switch self {
    case .deliver, .badge, .prepareSound: true
    default: false
    }
  }
}
