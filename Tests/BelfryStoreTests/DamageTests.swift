import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// Stores that are damaged at random, from printed seeds, compared with what SQLite's own `.recover`
/// finds in them.
struct DamageTests {
  /// BELFRY_DAMAGES=N: so many of each kind instead of a few.
  private static let count = Int(ProcessInfo.processInfo.environment["BELFRY_DAMAGES"] ?? "") ?? 5

  /// A live store with 300 pending rows of 15 apps, deleted ones between them, and a log; as a kill
  /// leaves them.
  private static let pattern: (file: [UInt8], log: [UInt8]) = {
    do {
      let bench = try StoreBench()
      for app in 1...15 as ClosedRange<AppNumber> { bench.register(app, "app\(app)") }
      for slot in 1...400 as ClosedRange<Slot> {
        let body = String(repeating: "b", count: slot % 50 == 0 ? 1500 : Int(slot % 90))
        bench.run(
          .schedule(row(slot, "n\(slot)", app: 1 + slot % 15, body: body), ifAdded: .none))
      }
      for slot in 301...400 as ClosedRange<Slot> {
        bench.run(.cancel(app: 1 + slot % 15, identifiers: ["n\(slot)"]))
      }
      for slot in 1...40 as ClosedRange<Slot> {
        bench.run(.intend(row(slot, "n\(slot)").occurrence(), app: 1 + slot % 15, slot: slot))
      }
      bench.keeper.tidy(idle: true)
      try bench.reopen()
      for slot in 1...60 as ClosedRange<Slot> {
        let changed = row(slot, "n\(slot)", app: 1 + slot % 15, body: "changed \(slot)")
        bench.run(.schedule(changed, ifAdded: .none))
      }
      let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: bench.path)))
      let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: bench.path + "-wal")))
      return (file, log)
    } catch {
      fatalError("\(error)")
    }
  }()

  private struct Damage {
    var file: [UInt8]
    var log: [UInt8]
    var words = ""

    static func make(_ kind: String, _ random: inout SystemRandom) -> Damage {
      var damage = Damage(file: DamageTests.pattern.file, log: DamageTests.pattern.log)
      let pages = damage.file.count / 1024
      func flip(_ bytes: inout [UInt8], _ range: Range<Int>) -> String {
        let place = range.lowerBound + random.next(range.count)
        let bit = random.next(8)
        bytes[place] ^= 1 << UInt8(bit)
        return "bit \(bit) of byte \(place)"
      }
      switch kind {
      case "header": damage.words = flip(&damage.file, 0..<100)
      case "schema": damage.words = flip(&damage.file, 100..<1024)
      case "bits":
        for _ in 0...random.next(8) { damage.words += flip(&damage.file, 0..<pages * 1024) + " " }
      case "page":
        let page = random.next(pages)
        for place in page * 1024..<(page + 1) * 1024 {
          damage.file[place] = UInt8(random.next(256))
        }
        damage.words = "page \(page + 1)"
      case "swap":
        let (one, other) = (random.next(pages), random.next(pages))
        for place in 0..<1024 {
          damage.file.swapAt(one * 1024 + place, other * 1024 + place)
        }
        damage.words = "pages \(one + 1) and \(other + 1)"
      case "cut":
        let size = random.next(damage.file.count)
        damage.file.removeSubrange(size...)
        damage.words = "at \(size)"
      default:
        damage.words = flip(&damage.log, 0..<damage.log.count)
      }
      return damage
    }
  }

  /// SplitMix64: the same everywhere.
  private struct SystemRandom {
    var state: UInt64

    mutating func next(_ below: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ (mixed >> 31)) % UInt64(below))
    }
  }

  /// Rows that `.recover` finds (recover_oracle.py): an identifier and a digest each.
  private static func oracle(_ file: [UInt8], _ log: [UInt8]) throws -> Set<String> {
    let path = NSTemporaryDirectory() + "belfry-oracle-" + UUID().uuidString
    defer {
      for suffix in ["", "-wal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    try Data(file).write(to: URL(fileURLWithPath: path))
    try Data(log).write(to: URL(fileURLWithPath: path + "-wal"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Fixtures/recover_oracle.py").path
    process.arguments = [script, path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Set(text.split(separator: "\n").map { String($0) })
  }

  private static func names(_ rows: Set<String>) -> Set<String> {
    Set(rows.compactMap { $0.split(separator: " ").first.map { String($0) } })
  }

  @Test(arguments: ["header", "schema", "bits", "page", "swap", "cut", "log"])
  func D8_damagedBooksKeepWhatTheirPagesHold(kind: String) throws {
    let live = Set((1...300).map { "n\($0)" })
    let intact = try Self.oracle(Self.pattern.file, Self.pattern.log)
      .union(Self.oracle(Self.pattern.file, []))
    var kept = 0
    var judged = 0
    for seed in 1...Self.count {
      var random = SystemRandom(state: UInt64(seed) &* 7919 &+ UInt64(kind.utf8.count))
      let damage = Damage.make(kind, &random)
      let bench = try StoreBench({ path in
        try Data(damage.file).write(to: URL(fileURLWithPath: path))
        try Data(damage.log).write(to: URL(fileURLWithPath: path + "-wal"))
      })
      let words = "\(kind) seed \(seed): \(damage.words)"
      let found = Set(
        (1...15).flatMap { app in bench.listed(AppNumber(app)).map { $0.identifier } })
      kept += found.intersection(live).count
      let oracle = Self.names(try Self.oracle(damage.file, damage.log).intersection(intact))
        .intersection(live)
      let missed = oracle.subtracting(found)
      #expect(missed == [], "\(words), \(bench.opened.warnings), \(bench.log.lines)")
      judged += oracle.count
      // What was cancelled does not come back, unless its page was swapped with one in use: better
      // one alarm too many than one too few.
      let back = found.subtracting(live).filter { (Int($0.dropFirst()) ?? 0) > 300 }
      #expect(kind == "swap" || back == [], "\(words)")
      // It takes new ones, and is whole.
      bench.run(.schedule(row(1000, "fresh"), ifAdded: .none))
      #expect(bench.listed().contains { $0.identifier == "fresh" }, "\(words)")
      #expect(try bench.integrity() == "ok", "\(words)")
    }
    print("\(kind): \(Self.count) damages, kept \(kept) of \(300 * Self.count), .recover \(judged)")
  }
}
