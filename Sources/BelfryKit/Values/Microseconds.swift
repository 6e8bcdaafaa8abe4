import Foundation

/// Dates and durations as the wire has them: whole microseconds. The fields of this library round to
/// that when they are set, so that what comes back equals what was sent.
enum Microseconds {
  /// Seconds from 1970 to Foundation's reference date, 2001.
  private static let reference: Int64 = 978_307_200

  /// Microseconds since 1970 UTC, the nearest; nil: not a number, or beyond some 290,000 years.
  static func of(_ date: Date) -> Int64? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.magnitude < 9e12 else { return nil }
    let whole = seconds.rounded(.down)
    let part = ((seconds - whole) * 1e6).rounded()
    return (Int64(whole) + reference) * 1_000_000 + Int64(part)
  }

  static func date(_ microseconds: Int64) -> Date {
    let (whole, part) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return Date(
      timeIntervalSinceReferenceDate: Double(whole - reference) + Double(part) / 1e6)
  }

  /// The nearest whole microseconds; nil: more than an `Int64` of them.
  static func of(_ duration: Duration) -> Int64? {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let part = (Double(attoseconds) / 1e12).rounded()
    let (sum, over) = whole.addingReportingOverflow(Int64(part))
    return overflow || over ? nil : sum
  }
}

extension Date {
  /// The nearest date of whole microseconds; itself where there is none.
  var roundedToMicroseconds: Date {
    Microseconds.of(self).map { Microseconds.date($0) } ?? self
  }
}

extension Duration {
  /// The nearest duration of whole microseconds; itself where there is none.
  var roundedToMicroseconds: Duration {
    Microseconds.of(self).map { .microseconds($0) } ?? self
  }
}

extension [Date] {
  /// Rounded, ascending, each once: the order in which the daemon keeps them.
  var ascendingMicroseconds: [Date] {
    var found: [Date] = []
    for date in map({ $0.roundedToMicroseconds }).sorted() where date != found.last {
      found.append(date)
    }
    return found
  }
}
