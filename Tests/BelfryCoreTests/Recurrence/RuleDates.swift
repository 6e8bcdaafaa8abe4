@testable import BelfryCore

/// Dates as a table has them: `1997 Sep 2,9 Oct 1-31 1998 Jan 5 9:00 9:20`, at nine o'clock where no
/// time of day follows.
enum RuleDates {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Counted as if they showed UTC.
  static func instants(_ text: String) -> [Instant] {
    var date = CivilDate(year: 0, month: 1, day: 1)
    var found: [Instant] = []
    var hasTime = false
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if let month = months.firstIndex(of: String(word)) {
        date.month = Int64(month) + 1
      } else if word.contains(":") {
        let parts = word.split(separator: ":").map { Int64($0)! }
        if !hasTime { found.removeLast() }
        hasTime = true
        found.append(instant(date, parts[0] * 60 + parts[1]))
      } else if word.utf8.count == 4, let year = Int64(word) {
        date.year = year
      } else {
        hasTime = false
        for days in word.split(separator: ",") {
          let ends = days.split(separator: "-").map { Int64($0)! }
          for day in ends[0]...(ends.last ?? ends[0]) {
            date.day = day
            found.append(instant(date, 9 * 60))
          }
        }
      }
    }
    return found
  }

  private static func instant(_ date: CivilDate, _ minute: Int64) -> Instant {
    Instant(nanoseconds: date.days * Nanoseconds.day + minute * Nanoseconds.minute)
  }
}
