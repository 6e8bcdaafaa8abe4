import BelfryCore
import Foundation
import TestSupport
import Testing

@testable import BelfrySystem

struct KnownTimeTests {
  @Test func T9_theNewestOfTheSystemsOwnClockFiles() throws {
    let scratch = try Scratch()
    func file(_ name: String, _ text: String, _ seconds: Double) throws -> String {
      let path = scratch[name]
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
      return path
    }
    let program = try file("program", "", 1_000_000_000)
    let stamp = try file("clock", "", 1_500_000_000)
    let fake = try file("fake", "2026-11-21 12:00:00\n", 0)
    let empty = try file("empty", "", 2_000_000_000)
    func newest(_ stamps: [String], _ fake: String) -> Int64 {
      KnownTime.newest(stamps: stamps, fakeClock: fake, program: program).nanoseconds
        / Nanoseconds.second
    }
    #expect(newest([], "/nowhere") == 1_000_000_000)
    #expect(newest([stamp, "/nowhere"], empty) == 1_500_000_000)
    #expect(newest([stamp], fake) == 1_795_262_400)
    #expect(newest([scratch.path], "/nowhere") == 1_000_000_000)
  }

  @Test func T9_aBootHasANumber() {
    #expect(KnownTime.boot() == KnownTime.boot())
    #expect(KnownTime.boot() != 0)
  }
}
