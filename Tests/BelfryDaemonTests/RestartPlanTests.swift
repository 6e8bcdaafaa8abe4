import BelfryCore
import Testing

@testable import BelfryDaemon

@Suite struct RestartPlanTests {
  private let second = Nanoseconds.second

  private func end(
    _ plan: inout RestartPlan, at now: Int64, isAwaited: Bool = false, isRefused: Bool = false,
    worksUnasked: Bool = false
  ) -> RestartPlan.Decision {
    plan.ended(
      "lamp", "it broke", isAwaited: isAwaited, isRefused: isRefused, worksUnasked: worksUnasked,
      now: now)
  }

  @Test func D9_whatNothingWaitsForIsQuarantinedAfterTenEnds() {
    var plan = RestartPlan()
    var now = second
    for number in 1...9 {
      plan.noteStart(now: now)
      guard case .backingOff(let until) = end(&plan, at: now).state else {
        Issue.record("end \(number) is a quarantine")
        return
      }
      #expect(until > now && until <= now + BackOff.longest)
      now = until
    }
    plan.noteStart(now: now)
    let last = end(&plan, at: now)
    #expect(last.state == .quarantined(not: now + RestartPlan.quarantine))
    #expect(last.line?.text.hasPrefix("lamp is not used: it broke; it stays down until") == true)
    #expect(plan.count == 10)
  }

  @Test func D9_whatSomethingWaitsForIsTriedForEver() {
    var plan = RestartPlan()
    var now = second
    for _ in 1...30 {
      plan.noteStart(now: now)
      guard case .backingOff(let until) = end(&plan, at: now, isAwaited: true).state else {
        Issue.record("a quarantine")
        return
      }
      #expect(until <= now + BackOff.longest)
      now = until
    }
  }

  @Test func D9_aRefusedOneWaitsUntilItIsAskedFor() {
    var plan = RestartPlan()
    plan.noteStart(now: 0)
    #expect(end(&plan, at: 0, isRefused: true).state == .quarantined(not: RestartPlan.quarantine))
    // Something due within the foresight counts as waiting.
    plan.noteAsked(now: 100 * second)
    plan.noteStart(now: 100 * second)
    guard case .backingOff = end(&plan, at: 101 * second, isRefused: true).state else {
      Issue.record("a quarantine")
      return
    }
  }

  @Test func theLogSaysEachReasonOnce() {
    var plan = RestartPlan()
    plan.noteStart(now: 0)
    #expect(end(&plan, at: 0).line != nil)
    plan.noteStart(now: second)
    #expect(end(&plan, at: second).line == nil)
    plan.noteStart(now: 2 * second)
    plan.noteReady()
    #expect(plan.cameUp)
    let line = end(&plan, at: 5 * second).line
    #expect(line?.text.hasPrefix("lamp ended: it broke; it starts again") == true)
    #expect(line?.level == .warning)
  }
}
