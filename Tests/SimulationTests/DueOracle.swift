import BelfryCore
import Foundation

/// When occurrence k is due, by Foundation's calendars: slow, and not the scheduler's arithmetic.
struct DueOracle {
  /// A wall clock, as if it showed UTC, where there is a zone.
  let anchor: Instant
  let unit: RepeatUnit?
  var every: Int64 = 1
  var count: Int64?
  /// Read as the anchor is.
  var until: Instant?
  /// nil: absolute (T1).
  var zone: ZoneRules?

  private static let utc = TimeZone(secondsFromGMT: 0)!
  private static let gregorian = calendar(.gregorian)
  private static let iso = calendar(.iso8601)

  private static func calendar(_ identifier: Calendar.Identifier) -> Calendar {
    var calendar = Calendar(identifier: identifier)
    calendar.timeZone = utc
    return calendar
  }

  func due(_ k: Int64) -> Instant? {
    guard k >= 0, k < count ?? .max else { return nil }
    guard let unit else { return k == 0 ? shown(anchor) : nil }
    let steps = k * every
    // T5: these count elapsed time.
    if let length = unit.length, length <= Duration.hour {
      return shown(anchor).advanced(by: steps * length)
    }
    guard let wall = wall(unit, steps), wall <= until ?? .distantFuture else { return nil }
    return shown(wall)
  }

  private func wall(_ unit: RepeatUnit, _ steps: Int64) -> Instant? {
    switch unit {
    case .month: months(steps)
    case .quarter: months(3 * steps)
    case .year: months(12 * steps)
    case .yearForWeekOfYear: isoYears(steps)
    default: anchor.advanced(by: steps * unit.length!)
    }
  }

  /// When the zone's clocks first show it; shifted forward by the gap if they never do (T5).
  private func shown(_ wall: Instant) -> Instant {
    guard let zone else { return wall }
    let before = Int64(zone.offset(at: wall.advanced(by: -Duration.day))) * Duration.second
    let after = Int64(zone.offset(at: wall.advanced(by: Duration.day))) * Duration.second
    let fitting = [before, after].map { wall.advanced(by: -$0) }.filter {
      zone.wall(at: $0) == wall
    }
    return fitting.min() ?? wall.advanced(by: -before)
  }

  /// The newest k due at an instant or before, from `k` on; -1 or less: none.
  func newest(from k: Int64, notAfter instant: Instant) -> Int64 {
    guard let unit else { return shown(anchor) <= instant ? 0 : -1 }
    var newest = max(k, -1)
    if let length = unit.length {
      // To within an hour or two of zone.
      let last = until?.advanced(by: Duration.day) ?? .distantFuture
      let far = min(instant.advanced(by: Duration.day), last)
      let way = (zone == nil && until == nil ? instant : far).nanoseconds(since: anchor)
      newest = way < 0 ? -1 : min(way / (length * every), (count ?? .max) - 1)
      if zone == nil && until == nil { return newest }
      while newest >= 0, due(newest) ?? .distantFuture > instant { newest -= 1 }
      return newest
    }
    while newest >= 0, let due = due(newest), due > instant { newest -= 1 }
    while let due = due(newest + 1), due <= instant { newest += 1 }
    return newest
  }

  private var day: Int64 { (Double(anchor.nanoseconds) / 86_400e9).rounded(.down).exactly }
  private var timeOfDay: Int64 { anchor.nanoseconds - day * Duration.day }

  private func months(_ count: Int64) -> Instant? {
    let date = Date(timeIntervalSince1970: Double(day) * 86_400)
    return Self.gregorian.date(byAdding: .month, value: Int(count), to: date).map { at($0) }
  }

  /// The same week and weekday of a later ISO year; week 53 is the last where there is none.
  private func isoYears(_ count: Int64) -> Instant? {
    let date = Date(timeIntervalSince1970: Double(day) * 86_400)
    var parts = Self.iso.dateComponents([.yearForWeekOfYear, .weekOfYear, .weekday], from: date)
    parts.yearForWeekOfYear! += Int(count)
    // 28 December is always in the last week.
    let last = Self.iso.date(
      from: DateComponents(year: parts.yearForWeekOfYear, month: 12, day: 28))!
    parts.weekOfYear = min(parts.weekOfYear!, Self.iso.component(.weekOfYear, from: last))
    return Self.iso.date(from: parts).map { at($0) }
  }

  private func at(_ date: Date) -> Instant {
    let day = (date.timeIntervalSince1970 / 86_400).rounded(.down).exactly
    return Instant(nanoseconds: day * Duration.day + timeOfDay)
  }
}

extension Double {
  fileprivate var exactly: Int64 { Int64(self) }
}

extension RepeatUnit {
  /// In nanoseconds, where it always lasts as long (N4); nil: months and years.
  var length: Int64? {
    switch self {
    case .second: Duration.second
    case .minute: Duration.minute
    case .hour: Duration.hour
    case .day, .weekday: Duration.day
    case .week, .weekdayOrdinal, .weekOfMonth, .weekOfYear: 7 * Duration.day
    case .month, .quarter, .year, .yearForWeekOfYear: nil
    }
  }
}
