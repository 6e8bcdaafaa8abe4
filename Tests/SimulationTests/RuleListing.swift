import BelfryCore
import Foundation

/// The wall clocks of a rule by RFC 5545's words, day by day: of those rules that lives have.
///
/// Yearly rules have their numbered weekdays within the months that they name.
struct RuleListing {
  private let rule: RecurrenceRule
  private let plan: RepeatPlan
  private let start: Int64
  private let fraction: Int64
  private let first: Day
  private(set) var isWhole = false
  /// All before this is known.
  private(set) var known = Int64.min

  private struct Day {
    var year: Int
    var month: Int
    var day: Int
    /// 1 Monday to 7 Sunday.
    var weekday: Int

    init(_ number: Int64) {
      let parts = UnitWall.gregorian.dateComponents(
        [.year, .month, .day, .weekday], from: UnitWall.date(day: number))
      (year, month, day) = (parts.year!, parts.month!, parts.day!)
      weekday = parts.weekday! == 1 ? 7 : parts.weekday! - 1
    }

    var monthLength: Int {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    mutating func step() {
      weekday = weekday % 7 + 1
      day += 1
      if day > monthLength { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }

  init(_ rule: RecurrenceRule, _ plan: RepeatPlan, anchor: Instant) {
    self.rule = rule
    self.plan = plan
    start = Self.second(anchor)
    fraction = anchor.nanoseconds - start * Nanoseconds.second
    first = Day(Self.divide(start, 86_400))
  }

  private static func second(_ instant: Instant) -> Int64 {
    divide(instant.nanoseconds, Nanoseconds.second)
  }

  private static func divide(_ number: Int64, _ by: Int64) -> Int64 {
    number / by - (number % by < 0 ? 1 : 0)
  }

  /// Those through `horizon`, with their seconds as keys.
  mutating func walls(through horizon: Instant) -> [(key: Int64, wall: Instant)] {
    var seconds = own(through: Self.second(horizon))
    for added in plan.rdates.map(Self.second)
    where added < known && !seconds.contains(added) {
      seconds.append(added)
    }
    let removed = Set(plan.exdates.map(Self.second))
    return seconds.sorted().filter { !removed.contains($0) }.map {
      ($0, Instant(nanoseconds: $0 * Nanoseconds.second + fraction))
    }
  }

  /// What RDATE adds, and the seconds that EXDATE takes out.
  var added: [(key: Int64, wall: Instant)] {
    plan.rdates.map(Self.second).map {
      ($0, Instant(nanoseconds: $0 * Nanoseconds.second + fraction))
    }
  }
  var removed: Set<Int64> { Set(plan.exdates.map(Self.second)) }

  /// By the rule alone.
  private mutating func own(through horizon: Int64) -> [Int64] {
    var found: [Int64] = []
    var period: (id: Int64, seconds: [Int64])?
    let limit = count ?? .max
    func close() {
      guard let period else { return }
      for second in chosen(period.seconds) where second >= start && !isOver(second) {
        found.append(second)
      }
    }
    var day = Self.divide(start, 86_400)
    if rule.frequency >= .weekly { day -= 366 }
    var parts = Day(day)
    while day * 86_400 <= horizon {
      for second in times(of: day) {
        let (id, isOne) = self.period(second, parts)
        if period?.id != id {
          close()
          period = (id, [])
          known = second
        }
        if isOne, matches(parts) { period!.seconds.append(second) }
      }
      // Not in the middle of a period: BYSETPOS counts through all of it.
      if found.count >= limit || isOver(known) {
        isWhole = true
        known = .max
        close()
        break
      }
      day += 1
      parts.step()
    }
    return count.map { Array(found.prefix(Int($0))) } ?? found
  }

  private var count: Int64? {
    if case .count(let count) = rule.end { return count }
    return plan.count
  }

  private func isOver(_ second: Int64) -> Bool {
    switch rule.end {
    case .never, .count: false
    case .untilDate(let days): second > days * 86_400 + 86_399
    case .untilWall(let wall): second > Self.second(wall)
    // To the second where there is a zone only by its instants: see `DueListing`.
    case .untilInstant(let end): second > Self.second(end) + 2 * 86_400
    }
  }

  /// A number of the day, week, month, year or hour, and whether INTERVAL has it.
  private func period(_ second: Int64, _ parts: Day) -> (id: Int64, isOne: Bool) {
    let id: Int64
    let own: Int64
    let day = Self.divide(second, 86_400)
    let firstDay = Self.divide(start, 86_400)
    // 1970 began on a Thursday.
    func week(_ day: Int64) -> Int64 { Self.divide(day + 3 - (Int64(rule.weekStart) - 1), 7) }
    func months(_ parts: Day) -> Int64 { Int64(parts.year * 12 + parts.month) }
    switch rule.frequency {
    case .secondly: (id, own) = (second, start)
    case .minutely: (id, own) = (Self.divide(second, 60), Self.divide(start, 60))
    case .hourly: (id, own) = (Self.divide(second, 3600), Self.divide(start, 3600))
    case .daily: (id, own) = (day, firstDay)
    case .weekly: (id, own) = (week(day), week(firstDay))
    case .monthly: (id, own) = (months(parts), months(first))
    case .yearly: (id, own) = (Int64(parts.year), Int64(first.year))
    }
    return (id, (id - own) % rule.interval == 0)
  }

  private func times(of day: Int64) -> [Int64] {
    let ofDay = start - Self.divide(start, 86_400) * 86_400
    let hours: [Int64] =
      if rule.hours != 0 {
        (0..<24).filter { rule.hours >> UInt64($0) & 1 == 1 }
      } else if rule.frequency == .hourly {
        Array(0..<24)
      } else {
        [ofDay / 3600]
      }
    return hours.map { day * 86_400 + $0 * 3600 + ofDay % 3600 }
  }

  private func matches(_ parts: Day) -> Bool {
    if rule.months != 0 {
      guard rule.months >> UInt64(parts.month) & 1 == 1 else { return false }
    }
    let (weekday, length) = (Int8(parts.weekday), parts.monthLength)
    var namesDay = false
    if rule.monthDays | rule.monthDaysFromEnd != 0 {
      namesDay = true
      let fromEnd = length - parts.day + 1
      guard
        rule.monthDays >> UInt64(parts.day) & 1 == 1
          || rule.monthDaysFromEnd >> UInt64(fromEnd) & 1 == 1
      else { return false }
    }
    if rule.weekdays != 0 || !rule.ordinalDays.isEmpty {
      namesDay = true
      let place = Int8((parts.day - 1) / 7 + 1)
      let fromEnd = -Int8((length - parts.day) / 7 + 1)
      let isNumbered = rule.ordinalDays.contains {
        $0.weekday == weekday && ($0.ordinal == place || $0.ordinal == fromEnd)
      }
      guard isNumbered || rule.weekdays >> UInt64(weekday) & 1 == 1 else { return false }
    }
    if namesDay { return true }
    // What the rule does not say the start does.
    switch rule.frequency {
    case .weekly: return parts.weekday == first.weekday
    case .monthly: return parts.day == first.day
    case .yearly:
      return parts.day == first.day && (rule.months != 0 || parts.month == first.month)
    default: return true
    }
  }

  private func chosen(_ seconds: [Int64]) -> [Int64] {
    guard !rule.positions.isEmpty else { return seconds }
    let places = rule.positions.map { $0 > 0 ? Int($0) - 1 : seconds.count + Int($0) }
    return places.sorted().filter { seconds.indices.contains($0) }.map { seconds[$0] }
  }
}
