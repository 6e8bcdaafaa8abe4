/// What is known of a repeat in a plugin's calendar: a stretch of its occurrences (N6).
public struct CalendarDays: Hashable, Sendable {
  /// What was asked; the stretch begins where it says.
  public let question: CalendarQuestion
  /// In order.
  public let days: [CalendarDay]
  /// None comes after them.
  public let isLast: Bool

  /// nil: `answer` is a failure, or cannot be an answer to `question`.
  public init?(_ question: CalendarQuestion, _ answer: CalendarAnswer) {
    guard case .days(let days, let isLast) = answer, answer.nonsense(for: question) == nil else {
      return nil
    }
    self.question = question
    self.days = days
    self.isLast = isLast
  }

  /// The first place whose occurrence `isWanted`; those after it must be, too.
  func firstPlace(_ isWanted: (CalendarDay) -> Bool) -> Int {
    var (low, high) = (0, days.count)
    while low < high {
      let middle = low + (high - low) / 2
      if isWanted(days[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The wall clocks of a known stretch.
struct CalendarSeries: Sendable {
  let days: CalendarDays
  /// The anchor's time of day.
  private let nanosecondOfDay: Int64
  private let until: Instant
  private let lastIndex: Int64

  init(_ days: CalendarDays, anchor: Instant, until: Instant, lastIndex: Int64) {
    self.days = days
    nanosecondOfDay = CivilTime(anchor).nanosecondOfDay
    self.until = until
    self.lastIndex = lastIndex
  }

  /// More may follow than is known.
  var isOpen: Bool {
    guard !days.isLast, let last = days.days.last else { return !days.isLast }
    return last.k < lastIndex && wall(last) < until
  }

  private func wall(_ day: CalendarDay) -> Instant {
    Instant(days: day.day, nanosecondOfDay: nanosecondOfDay) ?? .distantFuture
  }

  private func occurrence(at place: Int) -> WallSeries.Occurrence? {
    guard days.days.indices.contains(place) else { return nil }
    let (k, wall) = (days.days[place].k, wall(days.days[place]))
    guard k <= lastIndex, wall <= until, wall < .distantFuture else { return nil }
    return WallSeries.Occurrence(key: k, wall: wall)
  }

  func first(onOrAfter wall: Instant) -> WallSeries.Occurrence? {
    occurrence(at: days.firstPlace { self.wall($0) >= wall })
  }

  func occurrence(key: Int64) -> WallSeries.Occurrence? {
    guard let occurrence = occurrence(at: days.firstPlace { $0.k >= key }), occurrence.key == key
    else { return nil }
    return occurrence
  }

  /// Of a key that is not known, what lies between its neighbours.
  func wall(key: Int64) -> Instant? {
    let place = days.firstPlace { $0.k >= key }
    guard days.days.indices.contains(place) else { return nil }
    if days.days[place].k == key { return wall(days.days[place]) }
    return wall(days.days[place]).advanced(by: -1)
  }

  func count(after first: Instant, through last: Instant) -> Int64 {
    let start = days.firstPlace { wall($0) > first }
    let end = days.firstPlace { wall($0) > min(last, until) || $0.k > lastIndex }
    return Int64(max(0, end - start))
  }
}
