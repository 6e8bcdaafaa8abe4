import Foundation
import Testing

/// Lives of boards with all their troubles, each from a seed: what must hold is checked at every
/// step, and what breaks is told by the seed and the shortest trace.
///
/// `BELFRY_SEED=n` leads that one life; `BELFRY_LIVES=n` leads n fresh ones more.
@Suite struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment

  @Test func T8_T9_T10_D7_N15_N17_N20_livesWithAllTheirTroubles() {
    if let seed = Self.environment["BELFRY_SEED"].flatMap({ UInt64($0) }) {
      return lead([seed])
    }
    let more = Self.environment["BELFRY_LIVES"].flatMap { Int($0) } ?? 0
    lead((1...25).map { UInt64($0) })
    lead((0..<(5 + more)).map { _ in UInt64.random(in: 1000...UInt64.max) })
  }

  private func lead(_ seeds: [UInt64]) {
    let start = Date()
    let most = 3
    var failures = 0
    var (years, firings, wakes, replans, notices) = (0.0, 0, 0, 0, 0)
    for seed in seeds {
      let life = Life(seed: seed)
      let outcome = life.lead()
      years += Double(outcome.length) / 31_556_952e9
      firings += outcome.firings
      wakes += outcome.wakes
      replans += outcome.replans
      notices += outcome.lostNotices
      if outcome.fault != nil {
        Issue.record("\(life.report() ?? "seed \(seed) broke a rule once, and not again")")
        failures += 1
        if failures == most { break }
      }
    }
    let time = Date().timeIntervalSince(start)
    print(
      String(
        format: "simulation: %d lives, %.1f years in %.1f s, %d firings, %d wakes, "
          + "%d planned afresh, %d notices lost in crashes", seeds.count, years, time, firings,
        wakes, replans, notices))
  }
}
