import BelfryCore
import BelfrySystem
import BelfryWire
import Testing

@testable import BelfryDaemon

@Suite struct SupervisionTests {
  @Test func aWorkerIsToldOfItselfFirstAndOfTheRestWhenItIsReady() throws {
    let clock = try Supervisor()
    #expect(clock.asked == [1] && clock.events.isEmpty)
    let tiny = try clock.connect()
    clock.deliver(7)
    guard case .configure(let told)? = try tiny.handle() else {
      return #expect(Bool(false), "no configure")
    }
    #expect(told.file == "/x.so")
    #expect(try tiny.handle() == nil)
    try tiny.say(.ready(summary))
    try clock.run("ready") { clock.child.state == .running }
    #expect(try tiny.handle() == .deliver(Supervisor.delivery(7)))
    #expect(clock.events.last == .up)
  }

  @Test func D8_oneThatNeverComesUpIsKilledAndStartedAgainLaterEachTime() throws {
    let clock = try Supervisor()
    var delays: [Int64] = []
    for attempt in 1...UInt64(BackOff.timeout) {
      #expect(clock.asked.last == attempt)
      _ = try clock.connect()
      // Nothing is said until the deadline, which ends its process.
      #expect(clock.child.deadline == clock.now + ChildSupervisor.startTimeout)
      clock.pass()
      #expect(clock.child.state == .ending)
      try clock.run("reaped") { clock.child.state != .ending }
      guard case .backingOff(let until) = clock.child.state else { break }
      delays.append(until - SystemClock.elapsed())
      clock.pass()
    }
    for (delay, wanted) in zip(delays, [0.25, 0.5, 1, 2, 4, 8, 16, 32, 60]) {
      #expect(delay <= Int64(wanted * 1e9) && delay > Int64(wanted * 1e9) - Nanoseconds.second)
    }
    #expect(delays.count == BackOff.timeout - 1)
    guard case .quarantined = clock.child.state else {
      return #expect(Bool(false), "not in quarantine but \(clock.child.state.word)")
    }
    // It never was up, so once is enough to hear that it is down.
    #expect(clock.events == [.down(reason: "it was not ready within 30 s", unsent: [])])
    #expect(clock.child.deadline == nil)
    #expect(clock.logs.last?.contains("it stays down until something is due for it") == true)
    // D9: what is due tries it, however long ago it was given up.
    clock.child.prepare(Supervisor.occurrence(1), now: clock.now + BackOff.longest)
    #expect(clock.asked.count == BackOff.timeout + 1)
  }

  @Test func D9_whileADeliveryWaitsARefusalIsTriedAgainAfterASecondAndAtLeastEveryMinute() throws {
    let clock = try Supervisor()
    clock.awaits = true
    var delays: [Int64] = []
    for attempt in 1...UInt64(2 * BackOff.timeout) {
      #expect(clock.asked.last == attempt)
      // As when the file cannot be loaded: wrong ABI, or others may write it.
      clock.child.failedToStart("no display yet", true, attempt: attempt, now: clock.now)
      guard case .backingOff(let until) = clock.child.state else {
        return #expect(Bool(false), "\(clock.child.state.word)")
      }
      delays.append((until - clock.now) / Nanoseconds.second)
      clock.pass()
    }
    #expect(delays.prefix(8) == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(delays.dropFirst(8).allSatisfy { $0 == 60 })
    // Each reason stands in the log once, with what will happen.
    #expect(clock.logs.count == 1)
    #expect(
      clock.logs[0]
        == "plugin is not used: no display yet; it is tried again in 1s, then later each time, but "
        + "at least every 1m while something waits for it")
    clock.child.failedToStart("no rights", true, attempt: clock.asked.last ?? 0, now: clock.now)
    #expect(clock.logs.count == 2)
    clock.pass()
    _ = try clock.connectReady()
    #expect(clock.events.last == .up)
  }

  @Test func D9_whatIsDueTriesOneThatIsDownAtOnceAndNotMoreThanOnceASecond() throws {
    let clock = try Supervisor()
    clock.awaits = true
    for _ in 1...8 {
      clock.child.failedToStart("no display", false, attempt: clock.asked.last ?? 0, now: clock.now)
      clock.pass()
    }
    clock.child.failedToStart("no display", false, attempt: clock.asked.last ?? 0, now: clock.now)
    let began = clock.asked.count
    // Half a second after the last try: at the end of that second, not of the minute.
    let last = clock.now
    clock.now += Nanoseconds.second / 2
    clock.child.prepare(Supervisor.occurrence(1), now: clock.now)
    clock.child.prepare(Supervisor.occurrence(2), now: clock.now)
    #expect(clock.asked.count == began && clock.child.deadline == last + Nanoseconds.second)
    clock.pass()
    #expect(clock.asked.count == began + 1)
    // The waits begin anew with it.
    clock.child.failedToStart("no display", false, attempt: clock.asked.last ?? 0, now: clock.now)
    #expect(clock.child.deadline == clock.now + Nanoseconds.second)
    clock.now += 5 * Nanoseconds.second
    clock.child.prepare(Supervisor.occurrence(3), now: clock.now)
    #expect(clock.asked.count == began + 2)
  }

  @Test func D9_aHealthyWorkerThatIsKilledAgainAndAgainComesBackAtOnceForWhatIsDue() throws {
    let clock = try Supervisor()
    for kill in 1...2 * BackOff.timeout {
      let tiny = try clock.connectReady()
      try tiny.end()
      try clock.run("its end") { clock.child.pid == nil }
      clock.now = max(clock.now, SystemClock.elapsed()) + 6 * Nanoseconds.second
      let asked = clock.asked.count
      clock.child.prepare(Supervisor.occurrence(Int64(kill)), now: clock.now)
      #expect(clock.asked.count == asked + 1, "kill \(kill): \(clock.child.state.word)")
    }
  }

  @Test func D9_quarantineEndsByItselfWhileSomethingWaits() throws {
    let clock = try Supervisor()
    for _ in 1...BackOff.timeout {
      clock.child.failedToStart("no file", false, attempt: clock.asked.last ?? 0, now: clock.now)
      if case .quarantined = clock.child.state { break }
      clock.pass()
    }
    guard case .quarantined(let not) = clock.child.state else {
      return #expect(Bool(false), "\(clock.child.state.word)")
    }
    #expect(clock.child.deadline == nil)
    clock.awaits = true
    #expect(clock.child.deadline == not)
    let asked = clock.asked.count
    clock.pass()
    #expect(clock.asked.count == asked + 1)
  }

  @Test func D9_aSpeakerThatIsDownIsUpAgainForWhatIsDue() throws {
    let clock = try Supervisor(.speaker)
    for token: UInt64 in 1...UInt64(BackOff.timeout) {
      clock.deliver(token)
      clock.child.failedToStart("no memory", false, attempt: clock.asked.last ?? 0, now: clock.now)
      if case .quarantined = clock.child.state { break }
      clock.pass()
    }
    guard case .quarantined = clock.child.state else {
      return #expect(Bool(false), "\(clock.child.state.word)")
    }
    clock.now += BackOff.longest
    clock.child.prepare(Supervisor.occurrence(1), now: clock.now)
    #expect(clock.events.last == .up)
    let tiny = try clock.connectReady()
    clock.deliver(99)
    #expect(try tiny.hearAll().last == .deliver(Supervisor.delivery(99)))
  }

  @Test func D8_aProcessThatComesAfterItsDeadlineIsDiscarded() throws {
    let clock = try Supervisor()
    clock.pass()
    guard case .backingOff = clock.child.state else { return #expect(Bool(false)) }
    _ = try clock.connect()
    #expect(clock.discarded == 1 && clock.child.pid == nil)
  }

  @Test func D7_whatWasNotAnsweredIsToldWithTheEnd() throws {
    let clock = try Supervisor()
    let tiny = try clock.connectReady()
    clock.deliver(1)
    clock.deliver(2)
    try tiny.say(.answered(token: 1, .done(note: nil), entered: .distantPast))
    try clock.run("answer") {
      clock.events.contains(.answered(token: 1, .done(note: nil)))
    }
    try tiny.end()
    try clock.run("end") { clock.child.pid == nil }
    // The second had been sent: it may have been shown.
    #expect(clock.events.last == .down(reason: "signal 9", unsent: []))
    #expect(clock.child.restarts == 1)
    // What happened is said also when it runs again.
    clock.pass()
    _ = try clock.connectReady()
    #expect(clock.child.state == .running && clock.child.lastReason == "signal 9")
  }

  @Test func D7_D9_whatItHasInHandIsFinishedBeforeItIsStartedWithItsNewConfiguration() throws {
    let clock = try Supervisor()
    let tiny = try clock.connectReady()
    clock.deliver(1)
    clock.reload()
    #expect(clock.child.state.word == "ending" && clock.child.pid != nil)
    // What comes meanwhile waits for the next life, and that is no attempt.
    clock.deliver(2)
    #expect(try tiny.hearAll().last == .deliver(Supervisor.delivery(1)))
    try tiny.say(.answered(token: 1, .done(note: nil), entered: .distantPast))
    try clock.run("end") { clock.child.pid == nil }
    #expect(
      clock.events.suffix(2) == [
        .answered(token: 1, .done(note: nil)),
        .down(reason: "its configuration changed", unsent: [2]),
      ])
    // At once, and it is no fault of the plugin's.
    #expect(clock.asked == [1, 2] && clock.child.restarts == 0)
    #expect(clock.logs == ["plugin: it is started anew: its configuration changed"])
    _ = try clock.connectReady()
    // Nothing in hand: nothing to wait for.
    clock.reload()
    try clock.run("end") { clock.child.pid == nil }
    #expect(clock.asked == [1, 2, 3])
    // One that does not finish holds up the new configuration only so long.
    let last = try clock.connectReady()
    clock.deliver(3)
    clock.reload()
    #expect(try last.hearAll().last == .deliver(Supervisor.delivery(3)))
    #expect(clock.child.deadline == clock.now + ChildSupervisor.settleTimeout)
    clock.pass()
    try clock.run("end") { clock.child.pid == nil }
    #expect(clock.events.last == .down(reason: "its configuration changed", unsent: []))
    #expect(clock.asked == [1, 2, 3, 4])
  }

  @Test func D7_whatASpeakerThatDidNotStartNeverGotIsNoAttempt() throws {
    let clock = try Supervisor(.speaker)
    #expect(clock.asked.isEmpty && clock.events == [.up])
    clock.deliver(5)
    #expect(clock.asked == [1])
    clock.child.failedToStart("no memory", false, attempt: 1, now: clock.now)
    #expect(clock.events.last == .down(reason: "no memory", unsent: [5]))
    // Up again after the wait: the scheduler hands over anew.
    clock.pass()
    #expect(clock.events.last == .up && clock.child.state == .idle)
    clock.deliver(6)
    let tiny = try clock.connectReady()
    #expect(try tiny.hearAll().last == .deliver(Supervisor.delivery(6)))
  }

  @Test func aSpeakerWithoutWorkIsStoppedAndStartedForTheNextSound() throws {
    let clock = try Supervisor(.speaker)
    clock.deliver(1)
    var tiny = try clock.connectReady()
    #expect(clock.child.deadline == nil)
    try tiny.say(.answered(token: 1, .done(note: nil), entered: .distantPast))
    try clock.run("idle") { clock.child.deadline != nil }
    clock.pass()
    #expect(try tiny.hearAll().last == .stop)
    // The next sound comes while it goes: it waits for the next process and costs no attempt.
    clock.deliver(2)
    clock.child.kill()
    try clock.run("end") { clock.child.pid == nil }
    #expect(clock.events.last == .down(reason: "signal 9", unsent: [2]))
    clock.pass()
    clock.deliver(3)
    tiny = try clock.connectReady()
    #expect(try tiny.hearAll().last == .deliver(Supervisor.delivery(3)))
  }

  @Test func D8_oneThatHangsUpMustEndSoon() throws {
    let clock = try Supervisor()
    let tiny = try clock.connectReady()
    tiny.hangUp()
    try clock.run("leaving") { clock.child.state != .running }
    clock.now = SystemClock.elapsed()
    clock.pass()
    #expect(clock.child.state == .ending)
    try clock.run("end") { clock.child.pid == nil }
  }

  @Test func D8_garbageAndFloodsEndIt() throws {
    for flood in [true, false] {
      let clock = try Supervisor()
      let tiny = try clock.connectReady()
      if !flood { try tiny.sayGarbage() }
      try clock.run("its end") {
        if flood, clock.child.state == .running {
          for _ in 0..<20 { try? tiny.say(.started(token: 1, note: "")) }
        }
        return clock.child.pid == nil
      }
      #expect(clock.logs.contains { $0.contains(flood ? "floods" : "no message") })
    }
  }

  // MARK: Withdrawals

  @Test func N15_twentyThousandWithdrawalsReachASlowWorkerEachOnce() throws {
    let count: Int64 = 20_000
    let clock = try Supervisor()
    let tiny = try clock.connectReady()
    _ = try tiny.hearAll()
    for k in 0..<count { clock.withdraw(k) }
    // It is not ended for it, and what comes after does not wait for them all.
    clock.deliver(99)
    #expect(clock.child.state == .running)
    var got: [Int64] = []
    var ahead: Int?
    try clock.run("all of them") {
      for message in (try? tiny.hearAll()) ?? [] {
        if case .withdraw(_, let occurrence) = message {
          got.append(occurrence.k)
          try? tiny.say(.withdrawn)
        } else {
          ahead = got.count
        }
      }
      return got.count == count
    }
    #expect(got == Array(0..<count))
    #expect(try #require(ahead) <= Withdrawals.window)
    #expect(clock.child.state == .running && clock.child.restarts == 0)
  }

  @Test func N15_withdrawalsThatWereNotConfirmedGoToTheNextLife() throws {
    let clock = try Supervisor()
    var tiny = try clock.connectReady()
    for k in 0..<100 { clock.withdraw(Int64(k)) }
    _ = try tiny.hearAll()
    for _ in 0..<10 { try tiny.say(.withdrawn) }
    try tiny.say(.log(.info, "done"))
    try clock.run("confirmed") { !clock.logs.isEmpty }
    try tiny.end()
    try clock.run("end") { clock.child.pid == nil }
    // And what is withdrawn while it is down.
    clock.withdraw(100)
    clock.now = SystemClock.elapsed()
    clock.pass()
    tiny = try clock.connectReady()
    let window = try withdrawn(tiny)
    #expect(window == Array(10..<10 + Int64(Withdrawals.window)))
    for _ in window { try tiny.say(.withdrawn) }
    var rest: [Int64] = []
    try clock.run("the rest") {
      rest += (try? withdrawn(tiny)) ?? []
      return rest.last == 100
    }
    let first = Int64(10 + Withdrawals.window)
    #expect(rest == Array(first...100))
  }

  @Test func N15_theStopComesAfterAllThatIsToBeTakenBack() throws {
    let clock = try Supervisor()
    let tiny = try clock.connectReady()
    for k in 0..<100 { clock.withdraw(Int64(k)) }
    clock.child.stop(now: clock.now)
    let all = try tiny.hearAll()
    #expect(all.last == .stop && all.count { $0.isWithdrawal } == 100)
  }

  @Test func N15_aWithdrawalThatEndsEveryLifeIsGivenUp() {
    var withdrawals = Withdrawals()
    for k: Int64 in 0..<3 {
      let fits = withdrawals.append(Withdrawals.Item(token: 9, occurrence: Supervisor.id(k)))
      #expect(fits)
    }
    var given: [OccurrenceID?] = []
    for _ in 0..<Withdrawals.timeout {
      withdrawals.noteSent()
      given.append(withdrawals.restart()?.occurrence)
    }
    #expect(given == [nil, nil, Supervisor.id(0)])
    #expect(withdrawals.next == Withdrawals.Item(token: 0, occurrence: Supervisor.id(1)))
  }

  @Test func A2_withdrawalsAreBounded() {
    var withdrawals = Withdrawals()
    var dropped = 0
    for k in 0..<Int64(Withdrawals.most + 10)
    where !withdrawals.append(Withdrawals.Item(token: 0, occurrence: Supervisor.id(k))) {
      dropped += 1
    }
    #expect(withdrawals.count == Withdrawals.most && dropped == 10)
    #expect(withdrawals.next?.occurrence == Supervisor.id(10))
  }

  private var summary: PluginSummary {
    PluginSummary(
      id: "x", name: "x", version: "1", vendor: "", licence: "", capabilities: [],
      wantsEverything: false)
  }

  private func withdrawn(_ tiny: TinyChild) throws -> [Int64] {
    try tiny.hearAll().compactMap {
      if case .withdraw(_, let occurrence) = $0 { return occurrence.k }
      return nil
    }
  }
}
