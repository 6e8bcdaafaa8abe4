import BelfryCore
import BelfryServer
import BelfrySystem
import BelfryWire

/// Beginning, running, and what comes by the local socket.
extension Daemon {
  /// Handles these signals from now on.
  func watch(_ signals: consuming SignalDescriptor) throws(SystemError) {
    let raw = signals.descriptor.raw
    self.signals = consume signals
    _ = try loop.watch(raw, .readable) { [unowned(unsafe) self] _ in self.readSignals() }
    _ = try loop.watch(mailbox.descriptor, .readable) { [unowned(unsafe) self] _ in
      self.readMailbox()
    }
    _ = try loop.watch(server.descriptor, .readable) { [unowned(unsafe) self] _ in
      self.serverIsReadable = true
    }
    try watchManifests()
    try watchTables()
    try watchDays()
    watchConfiguration()
  }

  private func readSignals() {
    while let signal = try? signals?.read() { take(signal) }
  }

  /// Starts the children and the scheduler, and says that we are ready.
  func begin(watchdog interval: Int64?) {
    let now = SystemClock.elapsed()
    _ = addChildren()
    storeCondition.setAside = DamagedFiles.beside(paths.store)
    for file in storeCondition.setAside {
      log(.warning, "books that were set aside lie at \(file) until somebody moves or removes them")
    }
    presumeDevice()
    // E3: before anything could fire.
    feed(.days(days.files))
    feed(.clock)
    for child in children { child.begin(now: now) }
    if let interval { watchdog = Watchdog(interval: interval, now: now) }
    notifier.ready()
    _ = settle()
    // Reading the store took more than keeping what was in it does.
    Process.trimMemory()
  }

  /// For whoever asks for the status next: taking such a file away is how one says that it was seen.
  func lookForDamagedFiles() {
    blockingWorker.run { [mailbox, path = paths.store] in
      mailbox.send(.setAside(DamagedFiles.beside(path)))
    }
  }

  /// Returns when the daemon has stopped; the exit status.
  func run() -> Int32 {
    do throws(SystemError) {
      try loop.run(clock: { clock(stepped: $0) }, settle: { settle() })
      return 0
    } catch {
      log(.error, "the loop ended: \(error.text)")
      return StartFailure.Status.failed.rawValue
    }
  }

  /// What clients ask, a bounded turn of it; true: there is more.
  func serve() -> Bool {
    guard shutdown == nil else {
      server.flush(elapsed: SystemClock.elapsed())
      return false
    }
    if serverIsReadable || server.hasWork || server.deadline != nil {
      serverIsReadable = false
      do throws(SystemError) {
        try server.turn(elapsed: SystemClock.elapsed()) { incoming in
          feed(.request(incoming.id, incoming.peer, incoming.request))
        }
        for request in server.takeAbandoned() { feed(.abandoned(request)) }
        for ended in server.takeEndedSessions() {
          feed(
            .sessionClosed(
              ended.session, isUnread: ended.isUnread, readThrough: ended.readThrough))
        }
      } catch {
        log(.error, "the local socket: \(error.text)")
      }
      submitEntries()
    }
    server.flush(elapsed: SystemClock.elapsed())
    return server.hasWork
  }

  /// A large message is read by a thread of its own: the helper may be needed meanwhile.
  func readElsewhere(_ message: UnreadMessage) {
    reader.run { [mailbox] in mailbox.send(.message(message.read())) }
  }

  func take(_ message: ReadMessage) {
    guard shutdown == nil else { return }
    server.take(message) { incoming in
      feed(.request(incoming.id, incoming.peer, incoming.request))
    }
  }

  func answer(_ id: RequestID, _ reply: Reply) {
    if let whole = sounds.complete(id, reply, now: SystemClock.elapsed()) { send(id, whole) }
  }

  func answer(_ replies: [(id: RequestID, reply: Reply)]) {
    for (id, reply) in replies { send(id, reply) }
  }

  private func send(_ id: RequestID, _ reply: Reply) {
    server.send(id, reply)
    guard let point = Failpoint.after(reply), failpoints.isChosen(point) else { return }
    server.flush(elapsed: SystemClock.elapsed())
    failpoints.reach(point)
  }

  func publish(_ event: WatchEvent) {
    server.publish(event, owner: scheduler.owner(of: event.app) ?? 0)
  }
}
