import BelfryCore
import BelfrySystem
import BelfryWire

/// The conversation with one child, over the lives of its process: what waits to be sent, what was
/// handed over and is not answered, what it says and how much.
final class ChildConnection {
  /// Hears what the child says; set before anything else.
  unowned(unsafe) var child: ChildSupervisor?

  private(set) var running: ChildProcess?
  /// Waits for `ready`, or for room in the socket.
  private var outbox = Outbox()
  private var withdrawals = Withdrawals()
  /// Hand-overs that are not answered.
  private var open: Set<UInt64> = []
  private var flood = RateLimiter()
  /// Its pushes that are not answered.
  private var pushes = 0
  private static let maxPushes = 64
  /// A question about its health is not answered: whoever asks often asks once.
  private var isAskedForHealth = false

  /// Nothing waits to be sent.
  var isEmpty: Bool { outbox.isEmpty && withdrawals.isEmpty }
  /// Hand-overs wait for their answers, or to be sent.
  var hasWork: Bool { !open.isEmpty }
  /// Hand-overs are with the process.
  var hasSentWork: Bool { open.count > outbox.tokens.count }

  // MARK: A life of the process

  /// A process is asked for, which has nothing in hand.
  func begin() {
    flood = RateLimiter()
    open = Set<UInt64>(outbox.tokens)
    pushes = 0
    isAskedForHealth = false
  }

  /// The process is there: it is watched, and told of itself before anything else.
  func connect(
    _ start: ChildStart, first message: MessageToChild, _ loop: Loop
  ) throws(SystemError) {
    let running = ChildProcess(start) { [unowned(unsafe) self] in self.child?.note(.info, $0) }
    self.running = running
    running.output?.begin(loop)
    if let warning = start.warning { child?.note(.warning, warning) }
    running.socketWatch = try loop.watch(start.socket.raw, .readable) {
      [unowned(unsafe) self] in self.socketReady($0)
    }
    running.endWatch = try loop.watch(start.child.descriptor.raw, .readable) {
      [unowned(unsafe) self] _ in self.child?.reap()
    }
    outbox.prepend((try? message.encode()) ?? [])
    send(loop, only: 1)
  }

  func disconnect(_ loop: Loop) {
    if let running {
      if let watch = running.socketWatch { loop.unwatch(watch, running.socket) }
      running.output?.end(loop, now: SystemClock.elapsed())
      if let watch = running.endWatch { loop.unwatch(watch, running.child.descriptor.raw) }
    }
    running = nil
  }

  /// Forgets what waited for the process that has ended but what its next life must take back.
  /// Returns the hand-overs that never left.
  func clear(keepingWithdrawals: Bool) -> [UInt64] {
    let unsent = outbox.tokens
    outbox = Outbox()
    open = []
    if !keepingWithdrawals {
      withdrawals = Withdrawals()
    } else if let victim = withdrawals.restart() {
      child?.note(.error, "it ends whenever it is to take back \(victim.occurrence.text)")
      child?.withdrawalConfirmed()
    }
    return unsent
  }

  // MARK: Saying

  /// Puts a message in line; throws where it is longer than a packet may be.
  func append(_ message: MessageToChild) throws(WireError) {
    if case .withdraw(let token, let occurrence) = message {
      if !withdrawals.append(Withdrawals.Item(token: token, occurrence: occurrence)) {
        child?.note(.error, "too much is to be taken back: the oldest is left as it is")
        child?.withdrawalConfirmed()
      }
      return
    }
    outbox.append(try packet(of: message), token: message.token)
    if let token = message.token { open.insert(token) }
  }

  private func packet(of message: MessageToChild) throws(WireError) -> [UInt8] {
    guard case .deliver(let delivery) = message, let child else { return try message.encode() }
    return try child.owner.packer.pack(delivery)
  }

  /// The last thing it is told, after all that it is to take back.
  func appendStop() {
    while let item = withdrawals.nextOfAll {
      outbox.append(item.packet)
      withdrawals.noteSent()
    }
    outbox.append((try? MessageToChild.stop.encode()) ?? [])
  }

  func askHealth() {
    guard !isAskedForHealth else { return }
    isAskedForHealth = true
    try? append(.health(token: 0))
  }

  /// Sends what the socket takes.
  func flush(_ loop: Loop) {
    while running != nil {
      send(loop, only: .max)
      guard outbox.isEmpty, let item = withdrawals.next else { return }
      outbox.append(item.packet)
      withdrawals.noteSent()
    }
  }

  private func send(_ loop: Loop, only most: Int) {
    guard let running else { return }
    switch running.send(&outbox, atMost: most) {
    case .done: running.wantsRoom(false, loop)
    case .blocked:
      running.wantsRoom(true, loop)
      if outbox.isOverfull { child?.interrupt("it takes no messages") }
    // The socket's end is told by reading.
    case .broken: break
    }
  }

  // MARK: Hearing

  private func socketReady(_ readiness: Readiness) {
    guard let running, let child else { return }
    if readiness.contains(.writable) { flush(child.owner.loop) }
    if !readiness.subtracting(.writable).isEmpty { receive(running, atMost: 32) }
  }

  /// What it said last still counts, also when it has ended.
  func receiveRest() {
    if let running { receive(running, atMost: .max) }
  }

  /// A bounded burst: one child's talk delays the others only so long.
  private func receive(_ running: ChildProcess, atMost count: Int) {
    guard let child else { return }
    let now = SystemClock.elapsed()
    var left = count
    while left > 0 {
      left -= 1
      switch running.receive(child.owner.packets) {
      case .nothing: return
      case .end: return closed(running, child, now: now)
      case .message(let message): take(message, child, now: now)
      case .garbled(let reason):
        return child.interrupt("it sent what is no message (\(reason))")
      }
      if child.state == .ending { return }
    }
  }

  /// It closed its socket; its end should follow.
  private func closed(_ running: ChildProcess, _ child: ChildSupervisor, now: Int64) {
    if let watch = running.socketWatch { child.owner.loop.unwatch(watch, running.socket) }
    running.socketWatch = nil
    child.lineClosed(now: now)
  }

  private func take(_ message: MessageFromChild, _ child: ChildSupervisor, now: Int64) {
    var isExpected = false
    switch message {
    case .answered(let token, let answer, _):
      isExpected = answer != .pending && open.remove(token) != nil
    case .calendar(let token, _): isExpected = open.remove(token) != nil
    case .withdrawn:
      isExpected = withdrawals.confirm()
      if isExpected { child.withdrawalConfirmed() }
      flush(child.owner.loop)
    case .log where !flood.allowsLine(now: now): return count(child, now: now)
    case .input where !flood.allowsInput(now: now):
      if flood.isFirstLostInput { child.note(.warning, "its user cannot be that fast: ignored") }
      return count(child, now: now)
    case .push(let push):
      guard admit(push, child, now: now) else { return count(child, now: now) }
      isExpected = true
    case .health: isAskedForHealth = false
    default: break
    }
    child.handle(message, now: now)
    if !isExpected { count(child, now: now) }
  }

  /// False: there are too many.
  private func admit(_ push: PluginPush, _ child: ChildSupervisor, now: Int64) -> Bool {
    pushes += 1
    guard pushes <= ChildConnection.maxPushes else {
      child.interrupt("it pushes more than may be under way")
      return false
    }
    if flood.allowsPush(now: now) { return true }
    let reason = "more than \(RateLimiter.pushes) pushes in a second"
    child.answer(push.token, .later(reason: reason, after: Nanoseconds.second), now: now)
    return false
  }

  /// What became of a push is about to be said.
  func notePushAnswered() {
    pushes -= 1
  }

  private func count(_ child: ChildSupervisor, now: Int64) {
    guard !flood.allowsMessage(now: now), child.state != .ending else { return }
    child.interrupt("it floods the clock with messages")
  }
}

extension Withdrawals.Item {
  fileprivate var packet: [UInt8] {
    (try? MessageToChild.withdraw(token: token, occurrence).encode()) ?? []
  }
}
