import BelfryCore
import BelfrySystem
import BelfryWire
import Testing

@testable import BelfryDaemon

/// A daemon's part in supervision, with a loop of its own; processes are started when a test says so.
final class Supervisor: ChildOwner {
  let loop: Loop
  let packets = PacketBuffer()
  var packer = DeliveryPacker()
  private(set) var child: ChildSupervisor!
  /// What the scheduler would hear.
  var events: [SinkEvent] = []
  var logs: [String] = []
  /// What it pushed.
  var pushes: [PluginPush] = []
  /// Starts that were asked for.
  var asked: [UInt64] = []
  var discarded = 0
  private var reloads = 0
  /// Something waits for the child.
  var awaits = false
  /// Begins now, on CLOCK_BOOTTIME; a test moves it on.
  var now = SystemClock.elapsed()

  init(_ kind: Sink.Kind = .plugin) throws {
    loop = try Loop()
    let configuration = ChildConfiguration(
      name: kind == .speaker ? "speaker" : "plugin", file: "x", settings: [], runDirectory: "/run")
    child = ChildSupervisor(0, kind, configuration, owner: self)
    child.begin(now: now)
  }

  deinit {
    child.kill()
  }

  func start(_ child: ChildSupervisor, attempt: UInt64) {
    asked.append(attempt)
  }

  func discard(_ start: ChildStart) {
    discarded += 1
    start.child.killGroup()
    _ = try? start.child.reap(wait: true)
  }

  func isAwaited(_ child: ChildSupervisor) -> Bool { awaits }

  func child(_ child: ChildSupervisor, did event: SinkEvent) {
    events.append(event)
  }

  func child(_ child: ChildSupervisor, pushes push: PluginPush) {
    pushes.append(push)
  }

  func log(_ level: LogLevel, _ text: String) {
    logs.append(text)
  }

  /// Gives the child the process that it asked for last.
  func connect() throws -> TinyChild {
    let pair = try UnixSocket.pair(.packet)
    try pair.first.setNonBlocking(true)
    let tiny = try TinyChild(pair.second)
    child.started(
      ChildStart(tiny.take(), pair.first, file: "/x.so"), attempt: asked.last ?? 0, now: now)
    return tiny
  }

  /// Gives it one that says `ready`.
  func connectReady(_ capabilities: [String] = ["delivery/1"]) throws -> TinyChild {
    let tiny = try connect()
    try tiny.say(
      .ready(
        PluginSummary(
          id: "x", name: "x", version: "1", vendor: "", licence: "", capabilities: capabilities,
          wantsEverything: false)))
    try run("ready") { self.child.state == .running }
    return tiny
  }

  /// Lets the loop turn until `condition` holds.
  func run(_ what: Comment, until condition: () -> Bool) throws {
    if condition() { return }
    let deadline = SystemClock.elapsed() + 60 * Nanoseconds.second
    try loop.wake(NextWake(real: nil, elapsed: deadline))
    try loop.run(
      clock: { _ in if SystemClock.elapsed() >= deadline { loop.stop() } },
      settle: {
        if condition() { loop.stop() }
        return .wait
      })
    #expect(condition(), what)
  }

  /// Moves the time to the child's deadline.
  func pass() {
    now = max(now, child.deadline ?? now)
    child.tick(now: now)
  }

  /// Another configuration than any before.
  func reload() {
    reloads += 1
    let configuration = ChildConfiguration(
      name: "plugin", file: "x\(reloads)", settings: [], runDirectory: "/run")
    child.reload(configuration, inNewZone: false, now: now)
  }

  func deliver(_ token: UInt64) {
    child.send(.deliver(Supervisor.delivery(token)), now: now)
  }

  func withdraw(_ k: Int64) {
    child.send(.withdraw(token: 0, Supervisor.id(k)), now: now)
  }

  static func id(_ k: Int64) -> OccurrenceID {
    OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 0, k: k)
  }

  static func occurrence(_ k: Int64) -> Occurrence {
    var notification = Notification()
    notification.soundName = Notification.defaultSoundName
    return Occurrence(id: id(k), app: "a", notification: notification, due: .distantPast)
  }

  static func delivery(_ token: UInt64) -> DeliveryMessage {
    DeliveryMessage(
      token: token, parts: .sound, handedOver: .distantPast,
      deliveryContent: DeliveryContent(occurrence(Int64(token)), AlertText()))
  }
}

/// A process that only sleeps; the test speaks for it.
final class TinyChild {
  private var child: Child?
  private let socket: FileDescriptor
  let pid: Int32

  init(_ socket: consuming FileDescriptor) throws {
    let started = try Child.spawn(
      "/bin/sleep", arguments: ["sleep", "100"], environment: [], descriptors: [])
    pid = started.pid
    child = consume started
    self.socket = socket
  }

  func take() -> Child {
    child.take()!
  }

  func say(_ message: MessageFromChild) throws {
    _ = try socket.send(message.encode(), wait: true)
  }

  /// What has come; nil: nothing yet.
  func handle() throws -> MessageToChild? {
    guard !Poll.wait(socket.raw, .readable, milliseconds: 0).isEmpty,
      let bytes = try socket.receive(atMost: WorkerMessage.limit, wait: true)
    else { return nil }
    return try MessageToChild.decode(bytes)
  }

  func hearAll() throws -> [MessageToChild] {
    var all: [MessageToChild] = []
    while let message = try handle() { all.append(message) }
    return all
  }

  func sayGarbage() throws {
    _ = try socket.send([1, 2, 3], wait: true)
  }

  var descriptor: Int32 { socket.raw }

  func hangUp() {
    socket.shutDown()
  }

  func end() throws {
    try BelfrySystem.Process.signal(pid, .kill)
  }
}
