import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

@Suite struct DayCalendarTests {
  private typealias Range = DayCalendar.Range

  static func day(_ text: String) -> Int64 { CivilDate(text.utf8)?.days ?? .min }

  @Test func E3_overlapsAreCutAndNeighboursOfOneNameJoined() {
    let calendar = DayCalendar([
      Range(first: 20, last: 25, name: "b"), Range(first: 10, last: 22, name: "a"),
      Range(first: 12, last: 13, name: "within"), Range(first: 26, last: 30, name: "b"),
      Range(first: 40, last: 40, name: "a"),
    ])
    #expect(
      calendar.ranges == [
        Range(first: 10, last: 22, name: "a"), Range(first: 23, last: 30, name: "b"),
        Range(first: 40, last: 40, name: "a"),
      ])
    #expect(calendar.dayCount == 22)
    #expect(calendar.firstDay == 10 && calendar.lastDay == 40)
  }

  @Test func E3_aDayIsFoundAsByLookingAtEachRange() {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let entries = (0..<Int.random(in: 0...30, using: &random)).map { number in
        let first = Int64.random(in: -50...150, using: &random)
        let length = Int64.random(in: 0...9, using: &random)
        return Range(first: first, last: first + length, name: "\(number % 3)")
      }
      let calendar = DayCalendar(entries)
      for day in Int64(-60)...170 {
        let isThere = entries.contains { $0.first <= day && day <= $0.last }
        #expect(calendar.contains(day) == isThere, "seed \(seed): \(entries) \(day)")
        #expect((calendar.range(on: day) != nil) == isThere)
        #expect(
          calendar.nextStart(after: day)
            == calendar.ranges.map { $0.first }.first { $0 > day })
        #expect(
          calendar.previousEnd(before: day)
            == calendar.ranges.map { $0.last }.last { $0 < day })
      }
    }
  }

  @Test(arguments: [
    ("2026-12-24", true), ("2028-02-29", true), ("2027-02-29", false), ("2026-13-01", false),
    ("2026-00-01", false), ("2026-12-32", false), ("2026-1-01", false), ("26-12-24", false),
    ("2026-12-2x", false), ("", false), ("2026/12/24", false), ("2026-12-240", false),
  ])
  func E3_aDayIsReadAsItIsWritten(text: String, isDay: Bool) {
    let date = CivilDate(text.utf8)
    #expect((date != nil) == isDay)
    if let date { #expect(date.text == text) }
  }

  @Test(arguments: [
    ("holidays", true), ("Ferien Bayern", true), ("ferien.by", true), ("", false), (".x", false),
    ("a/b", false), ("a\n", false), (String(repeating: "x", count: 129), false),
  ])
  func E3_names(name: String, isName: Bool) {
    #expect(DayCalendar.isName(name) == isName)
  }
}
