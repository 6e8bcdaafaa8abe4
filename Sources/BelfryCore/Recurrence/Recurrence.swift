/// Repeats by one unit, counted from the anchor, without a zone (T1, T4).
///
/// Occurrence k is anchor + k × every × unit, always from the anchor, so a month that was clamped to
/// its end does not shorten those after it. `unit` nil means once: only k = 0 exists. An occurrence
/// at `distantFuture` or beyond never comes and is nil. The instants may also be wall clocks,
/// counted as if they showed UTC: the arithmetic is the same. Every function takes bounded time,
/// whatever it is given.
public struct Recurrence: Hashable, Sendable {
  /// Occurrence 0.
  public var anchor: Instant
  public var unit: RepeatUnit?
  /// At least 1.
  public var every: Int64
  public var monthEnd: MonthEndPolicy

  public init(
    anchor: Instant, unit: RepeatUnit?, every: Int64 = 1, monthEnd: MonthEndPolicy = .clamp
  ) {
    self.anchor = anchor
    self.unit = unit
    self.every = every
    self.monthEnd = monthEnd
  }

  /// When occurrence `k` is due; nil for a negative k, past the end of time, and where `skip` leaves
  /// it out.
  public func instant(k: Int64) -> Instant? {
    step(k)?.instant
  }

  /// The same, and whether the month's end has moved it.
  func step(_ k: Int64) -> Step? {
    guard k >= 0, anchor != .distantFuture else { return nil }
    guard k > 0, let unit else { return k == 0 ? Step(instant: anchor) : nil }
    let (steps, tooFar) = k.multipliedReportingOverflow(by: every)
    guard !tooFar else { return nil }
    let found: Step? =
      switch unit.length {
      case .elapsed(let length): elapsed(length, steps)
      case .months(let count): steps > Self.maxMonths ? nil : month(steps * count)
      case .isoYears: steps > Self.maxMonths ? nil : isoYear(steps)
      }
    return found?.instant == .distantFuture ? nil : found
  }

  /// The first k whose occurrence is due later than `instant`; nil if none ever is.
  public func firstIndex(after instant: Instant) -> Int64? {
    guard anchor <= instant else { return anchor == .distantFuture ? nil : 0 }
    guard unit != nil else { return nil }
    // The index of the month or year that `instant` lies in, or of the last elapsed one at it; what
    // is rolled lies one late.
    var k = index(of: instant)
    if monthEnd == .roll, k > 0 { k -= 1 }
    while true {
      if let due = self.instant(k: k) {
        if due > instant { return k }
      } else if !isSkipped(k) {
        return nil
      }
      k += 1
    }
  }

  /// The last k whose occurrence is due at `instant` or before; nil if none is.
  public func newestIndex(notAfter instant: Instant) -> Int64? {
    guard anchor <= instant, anchor != .distantFuture else { return nil }
    guard unit != nil else { return 0 }
    var k = index(of: instant)
    while k > 0 {
      if let due = self.instant(k: k), due <= instant { return k }
      k -= 1
    }
    return 0
  }

  /// One occurrence without a zone.
  struct Step {
    var instant: Instant
    var because: Due.Because = []
  }

  /// `Instant` spans fewer months than this, so a larger k is out of its range in months or years.
  private static let maxMonths: Int64 = 8000

  private func elapsed(_ length: Int64, _ steps: Int64) -> Step? {
    // The whole range is twice Int64.max, so the product may need the unsigned half.
    let (way, tooFar) = UInt64(steps).multipliedReportingOverflow(by: UInt64(length))
    guard !tooFar, way <= UInt64(bitPattern: Int64.max &- anchor.nanoseconds) else { return nil }
    return Step(instant: Instant(nanoseconds: anchor.nanoseconds &+ Int64(bitPattern: way)))
  }

  private func month(_ months: Int64) -> Step? {
    var time = CivilTime(anchor)
    let month = time.date.year * 12 + time.date.month - 1 + months
    time.date.year = floorDivide(month, 12)
    time.date.month = floorModulo(month, 12) + 1
    let length = CivilDate.length(ofMonth: time.date.month, year: time.date.year)
    guard time.date.day > length else { return time.instant().map { Step(instant: $0) } }
    switch monthEnd {
    case .skip: return nil
    case .clamp:
      time.date.day = length
      return time.instant().map { Step(instant: $0, because: .clamped) }
    case .roll:
      // Days are counted through, so the day after the last is the next month's first.
      time.date.day = length + 1
      return time.instant().map { Step(instant: $0, because: .rolled) }
    }
  }

  private func isoYear(_ years: Int64) -> Step? {
    let time = CivilTime(anchor)
    let (year, week) = time.date.isoWeek
    let isLonger = week > CivilDate.weeks(inISOYear: year + years)
    if isLonger && monthEnd == .skip { return nil }
    let weeks = isLonger && monthEnd == .clamp ? week - 1 : week
    let days =
      CivilDate.firstDay(ofISOYear: year + years) + (weeks - 1) * 7 + time.date.weekday - 1
    let because: Due.Because = isLonger ? (monthEnd == .clamp ? .clamped : .rolled) : []
    return Instant(days: days, nanosecondOfDay: time.nanosecondOfDay).map {
      Step(instant: $0, because: because)
    }
  }

  /// Left out by `MonthEndPolicy.skip`, and not past the end of time.
  private func isSkipped(_ k: Int64) -> Bool {
    guard monthEnd == .skip else { return false }
    var clamped = self
    clamped.monthEnd = .clamp
    return clamped.instant(k: k) != nil
  }

  /// The largest k whose unit begins at `instant` or before; `anchor` is not later than `instant`.
  private func index(of instant: Instant) -> Int64 {
    switch unit?.length {
    case .elapsed(let length):
      let way = UInt64(bitPattern: instant.nanoseconds &- anchor.nanoseconds)
      return Int64(way / UInt64(length)) / every
    case .months(let count):
      let (from, to) = (CivilTime(anchor).date, CivilTime(instant).date)
      return ((to.year - from.year) * 12 + to.month - from.month) / count / every
    case .isoYears:
      return (CivilTime(instant).date.isoWeek.year - CivilTime(anchor).date.isoWeek.year) / every
    case nil: return 0
    }
  }
}

extension RepeatUnit {
  /// How a unit is counted without a zone.
  enum Length {
    /// So many nanoseconds.
    case elapsed(Int64)
    /// So many months, clamped to the month's end.
    case months(Int64)
    /// Years of ISO 8601: same week and weekday, week 53 clamped to 52.
    case isoYears
  }

  var length: Length {
    switch self {
    case .second: .elapsed(Nanoseconds.second)
    case .minute: .elapsed(Nanoseconds.minute)
    case .hour: .elapsed(Nanoseconds.hour)
    case .day, .weekday: .elapsed(Nanoseconds.day)
    case .week, .weekdayOrdinal, .weekOfMonth, .weekOfYear: .elapsed(7 * Nanoseconds.day)
    case .month: .months(1)
    case .quarter: .months(3)
    case .year: .months(12)
    case .yearForWeekOfYear: .isoYears
    }
  }

  /// Whether it counts wall clocks; hours and below count elapsed time (T5).
  public var isDayOrLonger: Bool {
    switch self {
    case .second, .minute, .hour: false
    default: true
    }
  }
}

extension Recurrence {
  /// `instant(k:)` of a plain unit.
  public static func instant(anchor: Instant, unit: RepeatUnit?, k: Int64) -> Instant? {
    Recurrence(anchor: anchor, unit: unit).instant(k: k)
  }

  /// `firstIndex(after:)` of a plain unit.
  public static func firstIndex(
    anchor: Instant, unit: RepeatUnit?, after instant: Instant
  ) -> Int64? {
    Recurrence(anchor: anchor, unit: unit).firstIndex(after: instant)
  }

  /// `newestIndex(notAfter:)` of a plain unit.
  public static func newestIndex(
    anchor: Instant, unit: RepeatUnit?, notAfter instant: Instant
  ) -> Int64? {
    Recurrence(anchor: anchor, unit: unit).newestIndex(notAfter: instant)
  }
}
