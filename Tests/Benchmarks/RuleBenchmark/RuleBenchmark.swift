import BelfryCore
import BelfrySystem

/// Recurrence and zones alone, to stand beside rule_baseline.c.
///
/// Built by BELFRY_BENCHMARKS=1. usage:
/// - RuleBenchmark rules START COUNT RULE…  prints NANOSECONDS_PER_OCCURRENCE LAST, a line a rule:
///   each occurrence is asked for as the clock does, by what follows the one before
/// - RuleBenchmark days FILE COUNT  prints NANOSECONDS_PER_OCCURRENCE FOUND: whether an occurrence by
///   the clocks of a zone is on a day of a calendar of 10,000
/// - RuleBenchmark zone FILE COUNT  prints NANOSECONDS_PER_LOOKUP SUM
@main
struct RuleBenchmark {
  static func main() {
    let words = Arguments.all
    guard words.count >= 4, let count = Int64(words[3]), count > 0 else {
      print("usage: RuleBenchmark rules START COUNT RULE… | zone FILE COUNT | days FILE COUNT")
      return
    }
    if words[1] == "zone" { return zone(words[2], count) }
    if words[1] == "days" { return days(words[2], count) }
    guard let start = Int64(words[2]) else { return print("no number: " + words[2]) }
    for text in words.dropFirst(4) { rule(start, count, text) }
  }

  private static func rule(_ start: Int64, _ count: Int64, _ text: String) {
    guard let rule = try? RecurrenceRule.parse(text) else {
      print("no rule: " + text)
      return
    }
    let anchor = Instant(nanoseconds: start * Nanoseconds.second)
    var best = Int64.max
    var last = anchor
    for _ in 0..<3 {
      let begin = SystemClock.elapsed()
      let table = Timetable(
        plan: RepeatPlan(.rule(rule)), anchor: anchor, mode: .absolute, zone: .utc)
      last = anchor.advanced(by: -1)
      for _ in 0..<count {
        guard let due = table.first(after: last) else { break }
        last = due.instant
      }
      best = min(best, SystemClock.elapsed() - begin)
    }
    print("\(tenths(best, count)) \(last.nanoseconds / Nanoseconds.second)")
  }

  private static func zone(_ path: String, _ count: Int64) {
    guard let bytes = try? Files.read(path, limit: 1 << 20),
      let zone = try? ZoneRules(tzif: bytes)
    else {
      print("no zone: " + path)
      return
    }
    var best = Int64.max
    var sum: Int64 = 0
    for _ in 0..<3 {
      let begin = SystemClock.elapsed()
      var number: UInt64 = 1
      sum = 0
      for _ in 0..<count {
        number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let seconds = Int64((number >> 33) % 4_102_444_800)
        let civil = zone.civil(at: Instant(nanoseconds: seconds * Nanoseconds.second))
        sum += civil.date.day + civil.hour + civil.minute
      }
      best = min(best, SystemClock.elapsed() - begin)
    }
    print("\(tenths(best, count)) \(sum)")
  }

  /// Every third day of 82 years, so that nothing can be joined.
  private static func days(_ path: String, _ count: Int64) {
    guard let bytes = try? Files.read(path, limit: 1 << 20),
      let zone = try? ZoneRules(tzif: bytes)
    else {
      print("no zone: " + path)
      return
    }
    let calendar = DayCalendar(
      (0..<10_000).map { .init(first: $0 * 3, last: $0 * 3, name: "Day \($0)") })
    var best = Int64.max
    var found: Int64 = 0
    for _ in 0..<3 {
      let begin = SystemClock.elapsed()
      var number: UInt64 = 1
      found = 0
      for _ in 0..<count {
        number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let seconds = Int64((number >> 33) % 2_592_000_000)
        let wall = zone.wall(at: Instant(nanoseconds: seconds * Nanoseconds.second))
        if calendar.range(on: wall.nanoseconds / Nanoseconds.day) != nil { found += 1 }
      }
      best = min(best, SystemClock.elapsed() - begin)
    }
    print("\(tenths(best, count)) \(found)")
  }

  private static func tenths(_ nanoseconds: Int64, _ count: Int64) -> String {
    let tenths = nanoseconds * 10 / count
    return "\(tenths / 10).\(tenths % 10)"
  }
}
