import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// Zone files that are broken or made to harm: refused with a reason, at once.
@Suite struct ZoneHostileTests {
  struct Broken: CustomTestStringConvertible {
    var testDescription: String
    var code: ZoneError.Code
    var bytes: [UInt8]

    init(_ name: String, _ code: ZoneError.Code, _ change: (inout TZifBuilder) -> Void) {
      var builder = TZifBuilder()
      (builder.times, builder.order) = ([1000, 2000], [1, 0])
      change(&builder)
      (testDescription, self.code, bytes) = (name, code, builder.bytes())
    }
  }

  static let table: [Broken] = [
    Broken("leap seconds", .leapSeconds) { $0.leaps = [UInt8](repeating: 0, count: 24) },
    Broken("a version of letters", .notZoneFile) { $0.version = UInt8(ascii: "Z") },
    Broken("times that go back", .malformed) { $0.times = [2000, 1000] },
    Broken("times that stand still", .malformed) { $0.times = [1000, 1000] },
    Broken("a type that is not there", .malformed) { $0.order = [1, 2] },
    Broken("no types", .malformed) { ($0.times, $0.order, $0.kinds) = ([], [], []) },
    Broken("no letters", .malformed) { $0.letters = [] },
    Broken("a DST of 2", .malformed) { $0.kinds[1].isDST = 2 },
    Broken("a name that is not there", .malformed) { $0.kinds[1].name = 200 },
    Broken("a name that does not end", .malformed) { $0.letters = Array("CET\0CEST".utf8) },
    Broken("a name that beeps", .malformed) { $0.letters = Array("CET\0\u{7}\u{7}\u{7}\0".utf8) },
    Broken("27 hours", .malformed) { $0.kinds[0].offset = 27 * 3600 },
    Broken("the least offset", .malformed) { $0.kinds[0].offset = .min },
    Broken("the most transitions", .tooLarge) { $0.counts[3] = .max },
    Broken("the most types", .tooLarge) { $0.counts[4] = .max },
    Broken("the most letters", .tooLarge) { $0.counts[5] = .max },
    Broken("the most leap seconds", .leapSeconds) { $0.counts[2] = .max },
    Broken("2001 transitions", .tooLarge) {
      ($0.times, $0.order) = ((0...2000).map { $0 }, [UInt8](repeating: 0, count: 2001))
    },
    Broken("indicators of other types", .malformed) { $0.counts[0] = 1 },
    Broken("more transitions than bytes", .cut) { $0.counts[3] = 1900 },
    Broken("fewer transitions", .malformed) { $0.counts[3] = 1 },
    Broken("no footer", .cut) { $0.footer = nil },
    Broken("a long footer", .tooLarge) { $0.footer = String(repeating: "A", count: 300) },
    Broken("a footer without end", .malformed) { $0.footer = "CET-1CEST" },
    Broken("a footer in ruins", .malformed) { $0.footer = "\u{7F}\u{1}CET" },
  ]

  @Test(arguments: table)
  func T7_refusesWithAReason(_ broken: Broken) {
    do throws(ZoneError) {
      _ = try ZoneRules(tzif: broken.bytes)
      Issue.record("read")
    } catch {
      #expect(error.code == broken.code)
      #expect(error.reason.count > 10)
      #expect(error.reason.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    }
  }

  @Test func T7_refusesTheSystemsLeapSecondFiles() throws {
    guard let bytes = try? ZoneFixture.bytes("right/Europe/Berlin") else { return }
    #expect(throws: ZoneError.self) { try ZoneRules(tzif: bytes) }
  }

  @Test func T7_refusesAFileThatIsCutAnywhere() throws {
    for name in ["Europe/Berlin", "Asia/Kolkata", "Africa/Casablanca"] {
      let bytes = try ZoneFixture.bytes(name)
      for length in 0..<bytes.count {
        #expect(throws: ZoneError.self, "\(name) cut to \(length)") {
          try ZoneRules(tzif: Array(bytes[..<length]))
        }
      }
    }
  }

  /// Whatever the bytes, it is refused or it answers; the sanitizer's fuzzer looks further.
  @Test func T7_survivesBytesThatWereChanged() throws {
    let seed = TestSeed.here() % (1 << 32)
    var random = SeededRandom(seed: seed)
    let original = try ZoneFixture.bytes("America/New_York")
    for _ in 0..<3000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      guard let rules = try? ZoneRules(tzif: bytes) else { continue }
      let instant = Instant(nanoseconds: Int64.random(in: .min ... .max, using: &random))
      let offset = rules.offset(at: instant)
      guard instant.nanoseconds.magnitude < 1 << 62 else { continue }
      let found: Bool
      switch rules.resolve(rules.civil(at: instant)) {
      case .once(let once): found = once == instant
      case .twice(let first, let last): found = first <= instant && instant <= last
      case .skipped: found = false
      }
      #expect(found, "seed \(seed): \(instant) at \(offset)")
    }
  }

  @Test(arguments: [
    "", "CE", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0/3,", "CET-25",
    "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
    "CET-1CEST,J0,J100", "CET-1CEST,J366,J100", "CET-1CEST,366,J100", "<CET-1", "<+>-1",
    "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1:60", "CET-1:00:60", "CET-1CEST,M3.5.0/,M10.5.0",
    "CET99999999999999999999", "CET-1CEST M3.5.0", "Europe/Berlin", "CET−1",
  ])
  func T7_refusesTheZoneText(_ text: String) {
    #expect(throws: ZoneError.self) { try ZoneRules(posix: text) }
  }
}
