import BelfryCore
import BelfrySystem
import Foundation
import Testing

/// ICU, asked through another binding than the plugin's (PyICU).
enum CalendarOracle {
  /// Occurrences 0 to count - 1 of each question; nil: left out by the month's end.
  static func days(_ questions: [CalendarQuestion]) throws -> [[Int64?]] {
    let folder = try Fixtures.scratch()
    let input = questions.map {
      "\($0.calendar) \($0.anchorDay) \($0.unit.name) \($0.every) \($0.monthEnd) \($0.count)\n"
    }
    try Data(input.joined().utf8).write(to: URL(fileURLWithPath: folder + "/questions"))
    let questionFile = try Files.open(folder + "/questions", .read)
    let answerFile = try Files.open(folder + "/answers", [.write, .create])
    let script = Fixtures.root + "/Tests/Fixtures/calendar_oracle.py"
    // Debian's own Python has Debian's PyICU, of the same ICU as the plugin.
    let child = try Child.spawn(
      "/usr/bin/python3", arguments: ["/usr/bin/python3", script],
      environment: Fixtures.environment,
      descriptors: [(questionFile.raw, 0), (answerFile.raw, 1), (2, 2)])
    try #require(
      try child.reap(wait: true) == .exited(0), "PyICU is needed: apt-get install python3-icu")
    let text = String(decoding: try Files.read(folder + "/answers", limit: 1 << 26), as: UTF8.self)
    return text.split(separator: "\n").map { line in
      line.split(separator: " ").map { Int64($0) }
    }
  }
}
