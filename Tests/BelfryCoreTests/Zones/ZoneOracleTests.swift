import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// What Python and libc say about the same zones.
@Suite struct ZoneOracleTests {
  /// Both directions around each transition, and that no transition is missing or too many.
  @Test func T7_everyZoneAndTransitionAsPython() throws {
    var oracle = try ZoneOracle(["zones", ZoneFixture.folder], hasHeading: true)
    let names = oracle.heading.split(separator: " ")
    var (transitions, wrong) = (0, 0)
    for name in names {
      let rules = try ZoneFixture.rules(String(name))
      var instant = Instant(nanoseconds: 0)
      for _ in 0..<oracle.next() {
        transitions += 1
        let second = oracle.next()
        // The instant after which the next is looked for goes along with the oracle's.
        let next = rules.transition(after: instant)?.instant.nanoseconds
        var differences = next == second * Nanoseconds.second ? [] : ["next \(next ?? 0)"]
        instant = Instant(nanoseconds: second * Nanoseconds.second)
        for near in second - 1...second + 1 {
          differences += checkInstant(rules, near, &oracle)
        }
        for _ in 0..<8 { differences += checkWall(rules, &oracle) }
        guard !differences.isEmpty else { continue }
        wrong += 1
        if wrong < 10 { Issue.record("\(name) at \(second): \(differences)") }
      }
      let end = Instant(nanoseconds: 4_102_444_800 * Nanoseconds.second)
      if let more = rules.transition(after: instant), more.instant < end {
        Issue.record("\(name): another transition at \(more)")
      }
    }
    #expect(oracle.isAtEnd)
    #expect(wrong == 0)
    #expect(names.count > 300 && transitions > 20_000)
    print("T7: \(names.count) zone files, \(transitions) transitions as zoneinfo has them")
  }

  private func checkInstant(
    _ rules: ZoneRules, _ second: Int64, _ oracle: inout ZoneOracle
  ) -> [String] {
    let (offset, isDST, abbreviation) = (oracle.next(), oracle.next(), oracle.next())
    let period = rules.period(at: Instant(nanoseconds: second * Nanoseconds.second + 1))
    let name = letters(period.abbreviation)
    let isRight =
      Int64(period.offset) == offset && period.isDST == (isDST == 1) && name == abbreviation
    return isRight ? [] : ["\(second) is \(period), not \(offset) \(isDST)"]
  }

  private func checkWall(_ rules: ZoneRules, _ oracle: inout ZoneOracle) -> [String] {
    let (wall, fold0, fold1) = (oracle.next(), oracle.next(), oracle.next())
    let civil = CivilTime(Instant(nanoseconds: wall * Nanoseconds.second + 7))
    let answer = rules.resolve(civil)
    let isRight: Bool
    switch answer {
    case .once(let instant):
      isRight = fold0 == fold1 && instant.nanoseconds == fold0 * Nanoseconds.second + 7
    case .twice(let first, let last):
      isRight =
        fold0 < fold1 && first.nanoseconds == fold0 * Nanoseconds.second + 7
        && last.nanoseconds == fold1 * Nanoseconds.second + 7
    case .skipped(let before, let after, _):
      // PEP 495: in a gap fold 0 has the offset before it, fold 1 the one after.
      isRight =
        fold0 > fold1 && wall - Int64(before) == fold0 && wall - Int64(after) == fold1
    }
    let isSame =
      rules.resolve(wall: Instant(nanoseconds: wall * Nanoseconds.second + 7)) == answer
    return isRight && isSame ? [] : ["\(wall) is \(answer), not \(fold0) or \(fold1)"]
  }

  /// As the oracle packs it: the first eight letters, the first one lowest.
  private func letters(_ text: String) -> Int64 {
    var packed: UInt64 = 0
    for (index, letter) in text.utf8.prefix(8).enumerated() {
      packed |= UInt64(letter) << (8 * UInt64(index))
    }
    return Int64(bitPattern: packed)
  }

  @Test func T7_randomZoneTextsAsLibc() throws {
    let seed = TestSeed.here() % (1 << 32)
    var random = SeededRandom(seed: seed)
    let texts = (0..<400).map { _ in Self.text(&random) }
    var oracle = try ZoneOracle(["texts"], input: texts.joined(separator: "\n") + "\n")
    for text in texts {
      let rules = try ZoneRules(posix: text)
      var differing = 0
      for _ in 0..<oracle.next() {
        let (second, offset) = (oracle.next(), oracle.next())
        let ours = rules.offset(at: Instant(nanoseconds: second * Nanoseconds.second))
        differing += Int64(ours) == offset ? 0 : 1
      }
      #expect(differing == 0, "seed \(seed): \(text)")
    }
    #expect(oracle.isAtEnd)
  }

  /// North or south, all three kinds of day, odd offsets and hours.
  private static func text(_ random: inout SeededRandom) -> String {
    let standard = Int.random(in: -13...12, using: &random)
    let minute = [0, 0, 30, 45].randomElement(using: &random)!
    let spring = day(Int.random(in: 2...4, using: &random), &random)
    let autumn = day(Int.random(in: 8...10, using: &random), &random)
    let isNorth = Bool.random(using: &random)
    let (start, end) = isNorth ? (spring, autumn) : (autumn, spring)
    let saved = Bool.random(using: &random) ? "" : "\(standard - 2):\(minute)"
    return "<+AA>\(standard):\(minute)<-BB>\(saved),\(start),\(end)"
  }

  private static func day(_ month: Int, _ random: inout SeededRandom) -> String {
    let time = Bool.random(using: &random) ? "" : "/\(Int.random(in: -167...167, using: &random))"
    switch Int.random(in: 0...2, using: &random) {
    case 0: return "J\(month * 30)" + time
    case 1: return "\(month * 30)" + time
    default:
      let week = Int.random(in: 1...5, using: &random)
      return "M\(month).\(week).\(Int.random(in: 0...6, using: &random))" + time
    }
  }
}
