import BelfryCore
import BelfrySystem
import BelfryWire
import CLinux
import CPlugin

/// Serves one plugin for the clock: one thread, one poll(2) over the socketpair, the plugin's
/// descriptors and its timers.
final class Worker {
  /// A hand-over that the plugin answered `pending`.
  private struct Open {
    /// nil: a badge.
    var id: OccurrenceID?
    /// What to withdraw once this is shown.
    var replaces: String?
    var entered: Instant
  }

  let channel: ClockChannel
  private let sink: String
  let module: PluginModule
  let host: PluginHost
  private let completed: CompletedDeliveries
  private let entered: EnteredDeliveries
  private(set) var instance: UnsafeMutableRawPointer?
  private var open: [UInt64: Open] = [:]
  /// On CLOCK_BOOTTIME: when a worker that was asked to stop waits no longer for what is open.
  private var stopAt: Int64?

  /// How long `stop` waits for open deliveries.
  static let timeout = 400 * BelfryCore.Nanoseconds.millisecond

  /// Confines the process, loads the plugin and starts it.
  init(_ configuration: ChildConfiguration, channel: ClockChannel) throws(WorkerError) {
    let settings = try WorkerSettings(configuration.settings)
    let us = Process.uid
    let told = Child.Identity.taken()
    let identity = told ?? settings.identity
    // The one thing that is done in another user's stead: all else after becoming that.
    let isGiven = told.map { $0.uid != us } ?? false
    let folder =
      try isGiven ? RunFolder.inherited() : Self.folder(configuration, identity, channel)
    try Confinement.enter(settings, as: identity) { channel.log(.warning, $0) }
    completed = try Self.completed(folder, channel)
    entered = try Self.entered(folder)
    let file = try PluginFile.checked(configuration.file, uid: us)
    module = try PluginModule.load(file)
    let plugin = try PluginSettings(settings.plugin, keys: module.keys)
    do throws(SystemError) {
      host = try PluginHost(
        channel: channel, sink: configuration.name, settings: plugin,
        folder: folder, takesInput: module.input != nil,
        takesPushes: module.push != nil)
    } catch {
      throw WorkerError(error)
    }
    self.channel = channel
    sink = configuration.name
    try start()
  }

  /// Without what it has completed a plugin shows all the same.
  private static func completed(
    _ folder: RunFolder?, _ channel: ClockChannel
  ) throws(WorkerError) -> CompletedDeliveries {
    do throws(SystemError) {
      do throws(SystemError) {
        return try CompletedDeliveries(in: folder)
      } catch {
        channel.log(.error, error.text + ": after a crash a delivery may be shown again")
        return try CompletedDeliveries(in: nil)
      }
    } catch {
      throw WorkerError(error)
    }
  }

  private static func entered(_ folder: RunFolder?) throws(WorkerError) -> EnteredDeliveries {
    do throws(SystemError) {
      return try EnteredDeliveries(in: folder)
    } catch {
      throw WorkerError(error)
    }
  }

  /// nil: none can be had, as on a read-only disk; it goes without.
  private static func folder(
    _ configuration: ChildConfiguration, _ identity: Child.Identity?, _ channel: ClockChannel
  ) throws(WorkerError) -> RunFolder? {
    let name = configuration.name
    guard !name.isEmpty, !name.utf8.contains(0x2F), name.utf8.first != 0x2E else {
      throw WorkerError(.settings, "`\(name)` is no name for a plugin: use letters and digits")
    }
    do throws(SystemError) {
      return try RunFolder(
        name, in: configuration.runDirectory, owner: identity.map { ($0.uid, $0.gid) })
    } catch {
      if error.code != SystemError.readOnly {
        channel.log(.error, error.text + ": after a crash a delivery may be shown again")
      }
      return nil
    }
  }

  private func start() throws(WorkerError) {
    guard let start = module.descriptor.pointee.start else { return }
    var answer = Self.emptyAnswer
    let status = start(host.pointer, &instance, &answer)
    guard status == BELFRY_DONE else {
      let reason = answer.text.line()
      throw WorkerError(
        .start, reason.isEmpty ? "the plugin did not start and gave no reason" : reason)
    }
  }

  static var emptyAnswer: belfry_answer {
    var answer = belfry_answer()
    answer.size = UInt32(MemoryLayout<belfry_answer>.size)
    return answer
  }

  /// What the plugin says of itself, asked after it was started.
  func summary() -> PluginSummary {
    let wants = module.delivery?.pointee.wants.map { $0(instance) } ?? 0
    return module.summary(wantsEverything: wants & BELFRY_WANTS_EVERYTHING != 0)
  }

  /// Serves until the clock says stop.
  func serve() throws(WorkerError) {
    while true {
      host.eventLoop.runTimers()
      if isFinished { return stop() }
      var entries = [
        Poll.Entry(channel.descriptor, .readable),
        Poll.Entry(host.messages.descriptor, .readable),
      ]
      entries += host.eventLoop.entries()
      do throws(SystemError) {
        _ = try Poll.wait(&entries, milliseconds: timeout)
      } catch {
        throw WorkerError(error)
      }
      if entries[0].ready.contains(.invalid) {
        throw WorkerError(.contract, "the plugin closed descriptor 3, which is not its own")
      }
      if !entries[0].ready.isEmpty { try receive() }
      if !entries[1].ready.isEmpty { settle() }
      host.eventLoop.run(entries[2...]) { channel.log(.warning, $0) }
    }
  }

  /// A burst of messages, but not so many that the plugin's own duties wait for long.
  private func receive() throws(WorkerError) {
    for _ in 0..<16 {
      do throws(WireError) {
        guard let message = try channel.receive(wait: false) else { return }
        handle(message)
      } catch {
        throw WorkerError(.system, "a message of the clock's: \(error.reason)")
      }
    }
  }

  private func handle(_ message: MessageToChild) {
    switch message {
    case .deliver(let delivery): deliver(delivery)
    case .soon: break  // Receiving it is all that it is for.
    case .badge(let token, let app, let value): badge(token, app, value)
    case .withdraw(let token, let id):
      withdraw(token, id.deliveryID(sink: sink))
      channel.send(.withdrawn)
    case .health(let token):
      // What it has said stands before what it is.
      settle()
      health(token)
    case .calendar(let token, let question):
      channel.send(.calendar(token: token, answer(question)))
    case .pushed(let token, let answer): pushed(token, answer)
    case .stop: stopAt = SystemClock.elapsed() + Self.timeout
    case .configure, .prepareSound, .keepAwake, .rest, .stopSounds: break
    }
  }
}

// Deliveries.
extension Worker {
  private func deliver(_ delivery: DeliveryMessage) {
    let id = delivery.deliveryContent.id
    if let entered = completed.entered(id) {
      return channel.send(.answered(token: delivery.token, .done(note: nil), entered: entered))
    }
    guard let functions = module.delivery?.pointee else {
      let reason = "the plugin has no delivery/1: it shows no alerts"
      return channel.send(
        .answered(
          token: delivery.token, .failed(reason: reason), entered: SystemClock.real()))
    }
    var delivery = delivery
    delivery.attempt = entered.begin(id, told: delivery.attempt)
    let frame = DeliveryMarshaller(
      delivery, sink: sink, context: context, now: SystemClock.now())
    let updates = delivery.replaces != nil && functions.update != nil
    var answer = Self.emptyAnswer
    var entered = Instant.distantPast
    let status = frame.withDelivery { pointer in
      entered = SystemClock.real()
      return updates
        ? functions.update!(instance, pointer, &answer)
        : functions.show(instance, pointer, &answer)
    }
    let open = Open(id: id, replaces: updates ? nil : delivery.replaces, entered: entered)
    conclude(delivery.token, open, PluginAnswer(status, answer))
  }

  private func badge(_ token: UInt64, _ app: String, _ value: Int64) {
    guard let changed = module.badge?.pointee.changed else {
      return channel.send(
        .answered(
          token: token, .failed(reason: "the plugin has no badge/1"),
          entered: SystemClock.real()))
    }
    var answer = Self.emptyAnswer
    let entered = SystemClock.real()
    let status = withText(app) { text in
      var badge = belfry_badge()
      badge.size = UInt32(MemoryLayout<belfry_badge>.size)
      badge.token = token
      badge.value = value
      badge.app = text
      return changed(instance, &badge, &answer)
    }
    conclude(token, Open(id: nil, replaces: nil, entered: entered), PluginAnswer(status, answer))
  }

  /// Tells the clock, and keeps what is still open or now completed.
  private func conclude(_ token: UInt64, _ hand: Open, _ answer: PluginAnswer) {
    if answer.status == BELFRY_PENDING {
      open[token] = hand
    } else if answer.status == BELFRY_DONE, let id = hand.id {
      do throws(SystemError) {
        try completed.insert(id, entered: hand.entered)
      } catch {
        channel.log(.error, error.text + ": after a crash this delivery may be shown again")
      }
    }
    channel.send(.answered(token: token, answer.answer, entered: hand.entered))
    if answer.status == BELFRY_DONE, let replaced = hand.replaces { withdraw(0, replaced) }
  }

  /// What the plugin completed since the last time.
  private func settle() {
    for message in host.messages.drain() {
      switch message {
      case .completion(let completion): settle(completion)
      case .report(let id, let response): tell(response, id)
      case .push(let push): channel.send(.push(push))
      }
    }
  }

  private func settle(_ completion: Completion) {
    guard let hand = open.removeValue(forKey: completion.token) else {
      return channel.log(
        .warning,
        "the plugin answered token \(completion.token), which awaits no answer: ignored")
    }
    conclude(completion.token, hand, completion.answer)
  }

  /// What its user did, as locked as it is now (D5).
  private func tell(_ response: UserResponse, _ id: OccurrenceID) {
    host.reportTaken()
    let isLocked = context & BELFRY_CONTEXT_LOCKED != 0
    channel.send(.input(SinkInput(id, response, isLocked: isLocked)))
  }

  /// As the plugin says; one without input/1 shows all actions there are.
  private var context: UInt32 {
    module.input.map { $0.pointee.context(instance) } ?? 0
  }

  private func withdraw(_ token: UInt64, _ id: String) {
    let isOpen = open.removeValue(forKey: token) != nil
    guard let function = module.delivery?.pointee.withdraw else { return }
    var answer = Self.emptyAnswer
    let status = withText(id) { text in
      var withdrawal = belfry_withdrawal()
      withdrawal.size = UInt32(MemoryLayout<belfry_withdrawal>.size)
      withdrawal.token = isOpen ? token : 0
      withdrawal.id = text
      return function(instance, &withdrawal, &answer)
    }
    if status != BELFRY_DONE {
      channel.log(.warning, "\(id) was not withdrawn: \(answer.text.line())")
    }
  }

  private func health(_ token: UInt64) {
    guard let check = module.health?.pointee.check else {
      return channel.send(.health(token: token, status: 0, text: ""))
    }
    var answer = Self.emptyAnswer
    let status = check(instance, &answer)
    let known = (BELFRY_HEALTH_GOOD...BELFRY_HEALTH_FAILED).contains(status)
    channel.send(
      .health(
        token: token, status: UInt32(known ? status : BELFRY_HEALTH_FAILED),
        text: answer.text.line()))
  }

  func withText<Result>(_ string: String, _ body: (belfry_text) -> Result) -> Result {
    var string = string
    return string.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        body(belfry_text(bytes: $0.baseAddress, size: UInt32($0.count)))
      }
    }
  }
}

// The end.
extension Worker {
  private var isFinished: Bool {
    guard let stopAt else { return false }
    return open.isEmpty || SystemClock.elapsed() >= stopAt
  }

  private var timeout: Int32? {
    let duty = host.eventLoop.timeout
    guard let stopAt else { return duty }
    let left = max(0, stopAt - SystemClock.elapsed()) / BelfryCore.Nanoseconds.millisecond + 1
    return min(Int32(left), duty ?? .max)
  }

  private func stop() {
    module.descriptor.pointee.stop?(instance)
  }
}
