import BelfryCore
import BelfrySystem
import BelfryWire
import Testing

@testable import BelfryDaemon

/// What one plugin may push, and what it hears of it.
@Suite struct PluginPushTests {
  private func push(_ token: UInt64) -> MessageFromChild {
    .push(PluginPush(token: token, app: "org.example.tea", payload: Array("{\"aps\":{}}".utf8)))
  }

  @Test func itIsAnswered() throws {
    let clock = try Supervisor()
    let tiny = try clock.connectReady(["push/1"])
    _ = try tiny.hearAll()
    try tiny.say(push(7))
    try clock.run("the push") { !clock.pushes.isEmpty }
    #expect(clock.pushes.map { $0.token } == [7])
    clock.child.answer(7, .refused(reason: "aps.badge: no"), now: clock.now)
    #expect(try tiny.hearAll() == [.pushed(token: 7, .refused(reason: "aps.badge: no"))])
  }

  @Test func A2_onlySixtyFourAreUnderWay() throws {
    let clock = try Supervisor()
    let tiny = try clock.connectReady(["push/1"])
    for token in 1...UInt64(64) { try tiny.say(push(token)) }
    try clock.run("64 pushes") { clock.pushes.count == 64 }
    // An answer makes room for another.
    clock.child.answer(1, .accepted, now: clock.now)
    try tiny.say(push(65))
    try clock.run("one more") { clock.pushes.count == 65 }
    #expect(clock.child.state == .running)
    try tiny.say(push(66))
    try clock.run("its end") { clock.child.pid == nil }
    #expect(clock.pushes.count == 65)
    #expect(clock.logs.contains { $0.contains("more than may be under way") })
  }

  @Test func A2_moreThan10000InASecondComeLater() {
    var flood = RateLimiter()
    let now = 10 * Nanoseconds.second
    let admitted = (1...12_000).count { _ in flood.allowsPush(now: now) }
    #expect(admitted == 10_000)
    let isNext = flood.allowsPush(now: now + Nanoseconds.second)
    #expect(isNext)
  }

  @Test func whatComesBeforeItIsReadyIsSaidAgainLater() throws {
    let clock = try Supervisor()
    let tiny = try clock.connect()
    try tiny.say(push(1))
    try tiny.say(.log(.info, "here"))
    try clock.run("the log") { !clock.logs.isEmpty }
    #expect(clock.pushes.isEmpty && clock.child.state != .running)
  }

  @Test func oneThatEndsTooOftenIsTriedAgainThoughNothingIsDueForIt() throws {
    let clock = try Supervisor()
    for _ in 1...BackOff.timeout {
      let tiny = try clock.connectReady(["push/1"])
      try tiny.end()
      try clock.run("its end") { clock.child.pid == nil }
      clock.now = SystemClock.elapsed()
      if case .quarantined = clock.child.state { break }
      clock.pass()
    }
    guard case .quarantined(let not) = clock.child.state else {
      return #expect(Bool(false), "not in quarantine but \(clock.child.state.word)")
    }
    #expect(clock.child.deadline == not)
  }
}
