import Foundation
import Testing

/// Lives of boards with all their troubles, each from a seed: what must hold is checked at every
/// step, and what breaks is told by the seed and the shortest trace.
///
/// `BELFRY_SEED=n` leads that one life, alone, every day, among apps and among users; `BELFRY_LIVES=n`
/// leads n fresh ones more of each, and nothing else does; `BELFRY_SEEDS=n` only each n-th of the
/// fixed ones.
@Suite struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let theSeed = environment["BELFRY_SEED"].flatMap { UInt64($0) }

  /// So many fresh lives of each kind are asked for.
  static let fresh =
    theSeed == nil ? environment["BELFRY_LIVES"].flatMap { Int($0) } ?? 0 : 0

  /// All of the fixed seeds, or each n-th from the first one.
  private static func chosen(_ seeds: [UInt64]) -> [UInt64] {
    let every = environment["BELFRY_SEEDS"].flatMap { Int($0) } ?? 1
    return stride(from: 0, to: seeds.count, by: every).map { seeds[$0] }
  }

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
    1_242_294_593_988_574_452, 6_985_423_045_418_343_697,
    7_571_498_844_564_537_764, 11_406_747_182_408_921_356, 18_234_367_209_744_863_002,
    2_532_519_292_241_703_077, 2_596_527_601_801_577_690,
  ]

  @Test func T8_T9_T10_D7_N15_N17_N20_livesWithAllTheirTroubles() {
    if let seed = Self.theSeed { return Lives([seed]).lead("the life asked for") }
    Lives(Self.chosen((1...29).map { UInt64($0) } + Self.once)).lead("fixed seeds")
  }

  @Test(.enabled(if: SimulationTests.fresh > 0))
  func T8_T9_T10_D7_N15_N17_N20_freshLivesWithAllTheirTroubles() {
    Lives(Lives.freshSeeds(Self.fresh)).lead("fresh seeds")
  }

  /// Have broken a rule among apps once.
  private static let onceAmongApps: [UInt64] = [
    17_272_931_820_311_340_502, 15_331_127_259_246_571_883, 2_118_876_895_552_091_609,
    7_020_995_479_949_754_436, 17_321_035_185_964_259_926, 1_139_889_335_287_271_400,
    7_215_423_488_864_950_990, 12_165_147_377_435_312_775, 10_794_337_956_697_827_299,
    5_841_412_528_144_494_439, 13_390_128_619_908_158_103, 15_080_027_998_780_055_037,
    3_057_081_638_930_157_090, 1_851_241_863_001_404_241, 4_012_531_145_422_184_097,
    8_546_559_515_665_375_282, 12_896_775_428_798_866_251,
    764_582_532_239_872_401,
  ]

  @Test func D1_D3_D4_D11_R2_R3_livesAmongApps() {
    if let seed = Self.theSeed { return Lives([seed], hasApps: true).lead("the life asked for") }
    Lives(Self.chosen((1...12).map { UInt64($0) } + Self.onceAmongApps), hasApps: true)
      .lead("fixed seeds, apps")
  }

  @Test(.enabled(if: SimulationTests.fresh > 0))
  func D1_D3_D4_D11_R2_R3_freshLivesAmongApps() {
    Lives(Lives.freshSeeds(Self.fresh), hasApps: true).lead("fresh seeds, apps")
  }

  /// Have broken a rule with snoozes once.
  private static let onceWithSnoozes: [UInt64] = [
    6_917_209_271_202_534_230, 13_924_316_273_277_903_732, 7_109_245_684_892_374_672,
  ]

  @Test func D7_D11_livesWithSnoozesThatAreAnsweredAndMoved() {
    if let seed = Self.theSeed { return Lives([seed], hasSnoozes: true).lead("the life asked for") }
    Lives(Self.chosen((1...12).map { UInt64($0) } + Self.onceWithSnoozes), hasSnoozes: true)
      .lead("fixed seeds, snoozes")
  }

  @Test(.enabled(if: SimulationTests.fresh > 0))
  func D7_D11_freshLivesWithSnoozes() {
    Lives(Lives.freshSeeds(Self.fresh), hasSnoozes: true).lead("fresh seeds, snoozes")
  }

  /// Have broken a rule of every day once.
  private static let onceEveryday: [UInt64] = []

  @Test func E1_E2_E3_E4_E5_E6_E7_livesOfEveryDay() {
    if let seed = Self.theSeed { return Lives([seed], isEveryday: true).lead("the life asked for") }
    Lives(Self.chosen((1...6).map { UInt64($0) } + Self.onceEveryday), isEveryday: true)
      .lead("fixed seeds, every day")
  }

  @Test(.enabled(if: SimulationTests.fresh > 0))
  func E1_E2_E3_E4_E5_E6_E7_freshLivesOfEveryDay() {
    Lives(Lives.freshSeeds(Self.fresh), isEveryday: true).lead("fresh seeds, every day")
  }

  /// Have broken a rule among users once.
  private static let onceAmongUsers: [UInt64] = [
    9_224_647_423_948_871_734, 11_126_088_392_209_357_213, 4_807_540_370_420_235_320,
    17_902_995_933_395_115_896, 17_163_875_587_865_825_978, 6_196_214_947_356_039_448,
    4_458_369_901_203_215_709,
  ]

  @Test func A1_D9_T10_noUserMakesAnothersAlarmLaterThanItsSink() {
    if let seed = Self.theSeed { return Lives([seed], isShared: true).lead("the life asked for") }
    Lives(Self.chosen((1...7).map { UInt64($0) } + Self.onceAmongUsers), isShared: true)
      .lead("fixed seeds, users")
  }

  @Test(.enabled(if: SimulationTests.fresh > 0))
  func A1_D9_T10_freshLivesAmongUsers() {
    Lives(Lives.freshSeeds(Self.fresh), isShared: true).lead("fresh seeds, users")
  }
}

/// Several lives, and what they amount to.
struct Lives {
  let seeds: [UInt64]
  let hasApps: Bool
  let isShared: Bool
  let isEveryday: Bool
  let hasSnoozes: Bool
  /// So many failures are told.
  private let most = 3

  init(
    _ seeds: [UInt64], hasApps: Bool = false, isShared: Bool = false, isEveryday: Bool = false,
    hasSnoozes: Bool = false
  ) {
    self.seeds = seeds
    self.hasSnoozes = hasSnoozes
    self.isEveryday = isEveryday
    self.hasApps = hasApps
    self.isShared = isShared
  }

  /// The same for the same BELFRY_FRESH.
  static func freshSeeds(_ count: Int) -> [UInt64] {
    let fresh = ProcessInfo.processInfo.environment["BELFRY_FRESH"].flatMap { UInt64($0) }
    let first = fresh.map { $0 &* 0x9E37_79B9_7F4A_7C15 } ?? .random(in: 0 ... .max)
    return (0..<UInt64(count)).map { max((first &+ $0) &* 0xBF58_476D_1CE4_E5B9, 1000) }
  }

  private struct Sum {
    var lives = 0
    var years = 0.0
    var seconds = 0.0
    var firings = 0
    var wakes = 0
    var replans = 0
    var lostNotices = 0
    var loneWaits = 0
    var maxTurns = 0
    var refused = 0

    mutating func add(_ outcome: Life.Outcome, seconds: Double) {
      lives += 1
      years += Double(outcome.length) / 31_556_952e9
      self.seconds += seconds
      firings += outcome.firings
      wakes += outcome.wakes
      replans += outcome.replans
      lostNotices += outcome.lostNotices
      loneWaits += outcome.loneWaits
      maxTurns = max(maxTurns, outcome.maxTurns)
      refused += outcome.refused
    }

    var text: String {
      String(
        format: "%d lives, %.1f years in %.1f s, %d firings, %d wakes, %d planned afresh, "
          + "%d notices lost in crashes", lives, years, seconds, firings, wakes, replans,
        lostNotices)
    }

    var textOfUsers: String {
      String(
        format: "; %d lone alarms waited, at most %d went before one; %d strangers refused",
        loneWaits, maxTurns, refused)
    }
  }

  func lead(_ title: String, store: @escaping () -> any SimulatedStore = { MemoryStore() }) {
    var failures = 0
    var sums: [LifeShape.Kind: Sum] = [:]
    for seed in seeds {
      let life = Life(
        seed: seed, hasApps: hasApps, isShared: isShared, isEveryday: isEveryday,
        hasSnoozes: hasSnoozes)
      let start = Date()
      let outcome = life.lead(store: store())
      sums[life.shape.kind, default: Sum()].add(outcome, seconds: Date().timeIntervalSince(start))
      if outcome.fault != nil {
        Issue.record(
          "\(life.report(store: store) ?? "seed \(seed) broke a rule once, and not again")")
        failures += 1
        if failures == most { break }
      }
    }
    for kind in LifeShape.Kind.allCases {
      guard let sum = sums[kind] else { continue }
      print("simulation, \(title), \(kind): \(sum.text)\(isShared ? sum.textOfUsers : "")")
    }
  }
}
