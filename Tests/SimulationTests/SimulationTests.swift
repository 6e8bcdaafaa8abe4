import Foundation
import Testing

/// Lives of boards with all their troubles, each from a seed: what must hold is checked at every
/// step, and what breaks is told by the seed and the shortest trace.
///
/// `BELFRY_SEED=n` leads that one life; `BELFRY_LIVES=n` leads n fresh ones more.
@Suite struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let theSeed = environment["BELFRY_SEED"].flatMap { UInt64($0) }

  /// Have broken a rule once.
  private static let once: [UInt64] = [
    14_386_464_505_088_108_555, 10_007_382_146_701_237_597, 8_533_516_497_402_637_549,
    14_473_391_822_563_654_421, 11_364_724_096_499_382_628, 432_212_033_078_039_370,
    11_961_816_118_673_143_219,
    4_703_503_856_962_679_880, 6_144_833_934_562_409_200, 15_623_264_738_292_409_672,
    9_231_211_024_937_670_285, 332_418_598_351_295_435, 13_032_273_286_130_848_563,
    249_185_933_924_678_261, 15_747_087_167_744_113_284, 3_636_028_034_251_738_611,
    8_401_075_534_160_662_303, 15_091_754_819_647_417_708, 12_392_074_721_344_033_087,
    2_635_643_260_980_127_254, 10_923_180_389_473_891_733, 16_372_195_366_946_742_042,
  ]

  @Test func T8_T9_T10_D7_N15_N17_N20_livesWithAllTheirTroubles() {
    if let seed = Self.theSeed { return Lives([seed]).lead("the life asked for") }
    Lives((1...24).map { UInt64($0) } + Self.once).lead("fixed seeds")
  }

  @Test func T8_T9_T10_D7_N15_N17_N20_freshLivesWithAllTheirTroubles() {
    guard Self.theSeed == nil else { return }
    let more = Self.environment["BELFRY_LIVES"].flatMap { Int($0) } ?? 0
    Lives(Lives.freshSeeds(5 + more)).lead("fresh seeds")
  }
}

/// Several lives, and what they amount to.
struct Lives {
  let seeds: [UInt64]
  /// So many failures are told.
  private let most = 3

  init(_ seeds: [UInt64]) {
    self.seeds = seeds
  }

  static func freshSeeds(_ count: Int) -> [UInt64] {
    (0..<count).map { _ in UInt64.random(in: 1000...UInt64.max) }
  }

  private struct Sum {
    var lives = 0
    var years = 0.0
    var seconds = 0.0
    var firings = 0
    var wakes = 0
    var replans = 0
    var lostNotices = 0

    mutating func add(_ outcome: Life.Outcome, seconds: Double) {
      lives += 1
      years += Double(outcome.length) / 31_556_952e9
      self.seconds += seconds
      firings += outcome.firings
      wakes += outcome.wakes
      replans += outcome.replans
      lostNotices += outcome.lostNotices
    }

    var text: String {
      String(
        format: "%d lives, %.1f years in %.1f s, %d firings, %d wakes, %d planned afresh, "
          + "%d notices lost in crashes", lives, years, seconds, firings, wakes, replans,
        lostNotices)
    }
  }

  func lead(_ title: String, books: @escaping () -> any SimulatedBooks = { MemoryBooks() }) {
    var failures = 0
    var sums: [LifeShape.Kind: Sum] = [:]
    for seed in seeds {
      let life = Life(seed: seed)
      let start = Date()
      let outcome = life.lead(books: books())
      sums[life.shape.kind, default: Sum()].add(outcome, seconds: Date().timeIntervalSince(start))
      if outcome.fault != nil {
        Issue.record(
          "\(life.report(books: books) ?? "seed \(seed) broke a rule once, and not again")")
        failures += 1
        if failures == most { break }
      }
    }
    for kind in LifeShape.Kind.allCases {
      if let sum = sums[kind] { print("simulation, \(title), \(kind): \(sum.text)") }
    }
  }
}
