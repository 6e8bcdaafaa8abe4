import BelfryCore
import BelfrySystem

/// The question that `--check` puts to a plugin that knows calendars.
enum CalendarCheck {
  /// Hebrew if it is there, with its leap months; nil: there is none.
  static func choose(_ calendars: [String]) -> String? {
    calendars.first { ByteString($0) == "hebrew" } ?? calendars.first
  }

  /// The next months, from today on.
  static func question(_ calendar: String) -> CalendarQuestion {
    let today = CivilTime(SystemClock.real()).date.days
    return CalendarQuestion(
      calendar: calendar, anchorDay: today, unit: .month, firstIndex: 1, count: 3)
  }

  static func words(_ answer: CalendarAnswer, _ calendar: String) -> String {
    switch answer {
    case .failed(let reason): return calendar + ": " + reason
    case .days(let days, _):
      let months = days.map { text($0.day) }.joined(separator: ", ")
      return calendar + ": a month from today, each: " + months
    }
  }

  /// Such as `2026-12-24`.
  private static func text(_ day: Int64) -> String {
    guard -100_000...100_000 ~= day,
      let start = CivilTime(date: CivilDate(days: day), nanosecondOfDay: 0).instant()
    else { return "day \(day)" }
    return String(decoding: RFC3339.text(start).utf8.prefix(10), as: UTF8.self)
  }
}
