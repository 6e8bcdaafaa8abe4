import BelfryCore
import Foundation

/// When occurrence k is due: where it is, and the offset added to that (E4), plainly.
///
/// What comes next after k is what has the next higher k, with the offset too: lives have no offset of
/// days where a change of the clocks could bring another order.
struct DueOracle {
  private var occurrences: OccurrenceOracle
  private let offset: DueOffset

  init(_ plan: RepeatPlan, anchor: Instant, zone: ZoneRules?) {
    offset = plan.offset
    var plan = plan
    if zone == nil, plan.plainUnit != nil {
      // Without a zone there is nothing that these could decide.
      (plan.gap, plan.overlap) = (.shift, .first)
    }
    plan.offset = .none
    occurrences = OccurrenceOracle(plan, anchor: anchor, zone: zone)
  }

  /// A wall clock, as if it showed UTC, where there is a zone.
  var anchor: Instant { occurrences.anchor }
  /// nil: absolute (T1).
  var zone: ZoneRules? {
    get { occurrences.zone }
    set { occurrences.zone = newValue }
  }

  func due(_ k: Int64) -> Instant? { occurrences.due(k).map { shifted($0) } }

  /// Where it is, whatever the offset.
  func occurrence(_ k: Int64) -> Instant? { occurrences.due(k) }

  /// What comes after k, which may be none of its occurrences; nil: nothing ever.
  func next(after k: Int64) -> (k: Int64, due: Instant)? {
    occurrences.next(after: k).map { ($0.k, shifted($0.due)) }
  }

  /// k, or else the last one before.
  func last(through k: Int64) -> (k: Int64, due: Instant)? {
    occurrences.last(through: k).map { ($0.k, shifted($0.due)) }
  }

  /// How many come between two, of which the later is one.
  func count(after first: Int64, before last: Int64) -> Int64 {
    occurrences.count(after: first, before: last)
  }

  /// The newest k due at an instant or before, about from `k` on; one that is none's: none.
  func newest(from k: Int64, notAfter instant: Instant) -> Int64 {
    let plain = offset.days * Nanoseconds.day + offset.seconds * Nanoseconds.second
    guard plain != 0 else { return occurrences.newest(from: k, notAfter: instant) }
    // From one that is not due yet back to one that is.
    let isNominal = offset.days != 0 && zone != nil
    let late = instant.advanced(by: -plain).advanced(by: isNominal ? 3 * Nanoseconds.day : 0)
    var newest = occurrences.newest(from: k, notAfter: late)
    while let last = occurrences.last(through: newest), shifted(last.due) > instant {
      guard let before = occurrences.last(through: last.k - 1) else { return last.k - 1 }
      newest = before.k
    }
    return newest
  }

  /// Days are counted on the wall, seconds as they pass.
  private func shifted(_ occurrence: Instant) -> Instant {
    let seconds = offset.seconds * Nanoseconds.second
    guard let zone, offset.days != 0 else {
      return occurrence.advanced(by: offset.days * Nanoseconds.day + seconds)
    }
    let wall = zone.wall(at: occurrence).advanced(by: offset.days * Nanoseconds.day)
    return OccurrenceOracle.shown(wall, zone).advanced(by: seconds)
  }
}

/// Where occurrence k is, by Foundation's calendars: slow, and not the scheduler's arithmetic.
struct OccurrenceOracle {
  /// A wall clock, as if it showed UTC, where there is a zone.
  let anchor: Instant
  /// Its instants are read as the anchor is.
  let plan: RepeatPlan
  /// nil: absolute (T1).
  var zone: ZoneRules? {
    didSet { if let listing { self.listing = DueListing(listing, zone: zone) } }
  }
  /// Where an index is not all that a formula needs.
  private var listing: DueListing?

  init(_ plan: RepeatPlan, anchor: Instant, zone: ZoneRules?) {
    self.anchor = anchor
    self.zone = zone
    self.plan = plan
    let isPlain = plan.gap == .shift && plan.overlap == .first && plan.monthEnd == .clamp
    if !plan.rules.isEmpty {
      listing = DueListing(plan, anchor: anchor, zone: zone)
    } else if !isPlain, unit?.length ?? .max > Nanoseconds.hour {
      listing = DueListing(plan, anchor: anchor, zone: zone)
    }
  }

  private var unit: RepeatUnit? {
    if case .unit(let unit, _) = plan.pattern { unit } else { nil }
  }

  private var every: Int64 {
    if case .unit(_, let every) = plan.pattern { every } else { 1 }
  }

  func due(_ k: Int64) -> Instant? {
    if let listing { return listing.due(k) }
    guard k >= 0, k < plan.count ?? .max else { return nil }
    guard let unit else { return k == 0 ? shown(anchor, isStart: true) : nil }
    let steps = k * every
    // T5: these count elapsed time.
    if let length = unit.length, length <= Nanoseconds.hour {
      return shown(anchor, isStart: true).advanced(by: steps * length)
    }
    let wall = UnitWall.wall(unit, steps: steps, from: anchor)
    guard let wall, wall <= plan.until ?? .distantFuture else { return nil }
    return shown(wall, isStart: k == 0)
  }

  /// What comes after k, which may be none of its occurrences; nil: nothing ever.
  func next(after k: Int64) -> (k: Int64, due: Instant)? {
    if let listing { return listing.next(after: k) }
    let next = max(k, -1) + 1
    return due(next).map { (next, $0) }
  }

  /// k, or else the last one before.
  func last(through k: Int64) -> (k: Int64, due: Instant)? {
    if let listing { return listing.last(through: k) }
    return due(k).map { (k, $0) }
  }

  /// How many come between two, of which the later is one.
  func count(after first: Int64, before last: Int64) -> Int64 {
    if let listing { return listing.count(after: first, before: last) }
    return max(0, last - max(first, -1) - 1)
  }

  /// When the zone's clocks first show it; shifted forward by the gap if they never do (T5).
  private func shown(_ wall: Instant, isStart: Bool) -> Instant {
    guard let zone else { return wall }
    return Self.shown(wall, zone, isLast: isStart && plan.startsInLastPass)
  }

  static func shown(_ wall: Instant, _ zone: ZoneRules, isLast: Bool = false) -> Instant {
    let before = Int64(zone.offset(at: wall.advanced(by: -Nanoseconds.day))) * Nanoseconds.second
    let after = Int64(zone.offset(at: wall.advanced(by: Nanoseconds.day))) * Nanoseconds.second
    let fitting = [before, after].map { wall.advanced(by: -$0) }.filter {
      zone.wall(at: $0) == wall
    }
    let pass = isLast ? fitting.max() : fitting.min()
    return pass ?? wall.advanced(by: -before)
  }

  /// The newest k due at an instant or before, about from `k` on; one that is none's: none.
  func newest(from k: Int64, notAfter instant: Instant) -> Int64 {
    if let listing { return listing.newest(notAfter: instant) }
    guard let unit else { return shown(anchor, isStart: true) <= instant ? 0 : -1 }
    var newest = max(k, -1)
    if let length = unit.length {
      // To within an hour or two of zone.
      let last = plan.until?.advanced(by: Nanoseconds.day) ?? .distantFuture
      let far = min(instant.advanced(by: Nanoseconds.day), last)
      let isExact = zone == nil && plan.until == nil
      let way = (isExact ? instant : far).nanoseconds(since: anchor)
      newest = way < 0 ? -1 : min(way / (length * every), (plan.count ?? .max) - 1)
      if isExact { return newest }
      while newest >= 0, due(newest) ?? .distantFuture > instant { newest -= 1 }
      return newest
    }
    while newest >= 0, let due = due(newest), due > instant { newest -= 1 }
    while let due = due(newest + 1), due <= instant { newest += 1 }
    return newest
  }
}

/// Steps of a unit from a wall clock, which is counted as if it showed UTC.
enum UnitWall {
  static let utc = TimeZone(secondsFromGMT: 0)!
  static let gregorian = calendar(.gregorian)
  private static let iso = calendar(.iso8601)

  private static func calendar(_ identifier: Calendar.Identifier) -> Calendar {
    var calendar = Calendar(identifier: identifier)
    calendar.timeZone = utc
    return calendar
  }

  static func wall(_ unit: RepeatUnit, steps: Int64, from anchor: Instant) -> Instant? {
    // What an edit has made of it may be asked for the k of what it was.
    if unit.length == nil, steps.magnitude > 12 * 300 { return nil }
    return switch unit {
    case .month: months(steps, anchor)
    case .quarter: months(3 * steps, anchor)
    case .year: months(12 * steps, anchor)
    case .yearForWeekOfYear: isoYears(steps, anchor)
    default: anchor.advanced(by: steps * unit.length!)
    }
  }

  static func day(_ instant: Instant) -> Int64 {
    Int64((Double(instant.nanoseconds) / 86_400e9).rounded(.down))
  }

  static func date(day: Int64) -> Date { Date(timeIntervalSince1970: Double(day) * 86_400) }

  static func dayOfMonth(_ instant: Instant) -> Int {
    gregorian.component(.day, from: date(day: day(instant)))
  }

  private static func months(_ count: Int64, _ anchor: Instant) -> Instant? {
    gregorian.date(byAdding: .month, value: Int(count), to: date(day: day(anchor)))
      .map { at($0, anchor) }
  }

  /// The same week and weekday of a later ISO year; week 53 is the last where there is none.
  private static func isoYears(_ count: Int64, _ anchor: Instant) -> Instant? {
    let date = date(day: day(anchor))
    var parts = iso.dateComponents([.yearForWeekOfYear, .weekOfYear, .weekday], from: date)
    parts.yearForWeekOfYear! += Int(count)
    // 28 December is always in the last week.
    let last = iso.date(
      from: DateComponents(year: parts.yearForWeekOfYear, month: 12, day: 28))!
    parts.weekOfYear = min(parts.weekOfYear!, iso.component(.weekOfYear, from: last))
    return iso.date(from: parts).map { at($0, anchor) }
  }

  private static func at(_ date: Date, _ anchor: Instant) -> Instant {
    let day = Int64((date.timeIntervalSince1970 / 86_400).rounded(.down))
    let timeOfDay = anchor.nanoseconds - Self.day(anchor) * Nanoseconds.day
    return Instant(nanoseconds: day * Nanoseconds.day + timeOfDay)
  }
}

extension RepeatUnit {
  /// In nanoseconds, where it always lasts as long (N4); nil: months and years.
  var length: Int64? {
    switch self {
    case .second: Nanoseconds.second
    case .minute: Nanoseconds.minute
    case .hour: Nanoseconds.hour
    case .day, .weekday: Nanoseconds.day
    case .week, .weekdayOrdinal, .weekOfMonth, .weekOfYear: 7 * Nanoseconds.day
    case .month, .quarter, .year, .yearForWeekOfYear: nil
    }
  }
}
