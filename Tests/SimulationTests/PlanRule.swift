import BelfryCore

/// A rule of a plan (T6); all in terms of its fire date.
struct PlanRule: Hashable {
  enum End: Hashable {
    case never
    case count(Int64)
    /// So many nanoseconds later, as an instant.
    case instant(Int64)
    /// So many days later, as a date of UTC.
    case day(Int64)
  }

  var text: String
  /// Others beside it, without an end (E5).
  var more: [String] = []
  var end = End.never
  /// So many days later.
  var exdays: [Int64] = []
  var rdays: [Int64] = []

  func write(to notification: inout Notification, from date: Instant) {
    do {
      var rule = try RecurrenceRule.parse(text)
      let day = (date.nanoseconds / Nanoseconds.day)
      switch end {
      case .never: break
      case .count(let count): rule.end = .count(count)
      case .instant(let offset):
        let second = date.advanced(by: offset).nanoseconds / Nanoseconds.second
        rule.end = .untilInstant(Instant(nanoseconds: second * Nanoseconds.second))
      case .day(let days): rule.end = .untilDate(days: day + days)
      }
      if more.isEmpty {
        notification.rrule = rule
      } else {
        notification.rrules = try [rule] + more.map { try RecurrenceRule.parse($0) }
      }
    } catch {
      fatalError("\(text): \(error)")
    }
    func dates(_ days: [Int64]) -> [Instant] {
      Set(days).sorted().map { date.advanced(by: $0 * Nanoseconds.day) }
    }
    notification.exdate = dates(exdays)
    notification.rdate = dates(rdays)
  }

  /// Of at most one a day.
  static let daily = [
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY",
    "FREQ=WEEKLY;BYDAY=TU,SA", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", "FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=-1",
    "FREQ=MONTHLY;BYMONTHDAY=1,15,31", "FREQ=MONTHLY;BYDAY=2TU,-1FR",
    "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1SU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1,3", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
    "FREQ=YEARLY;BYMONTH=3,10;BYMONTHDAY=-1,28", "FREQ=YEARLY;BYMONTH=4,9,11;BYDAY=1SU",
    "FREQ=DAILY;BYMONTH=3,4,10;BYDAY=SU", "FREQ=DAILY;BYHOUR=2",
  ]
  /// By which weekday a day is (E3).
  static let weekdays = [
    "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=WEEKLY;BYDAY=TU,SA",
    "FREQ=WEEKLY;BYDAY=SU",
  ]
  /// Of several a day: where clocks change their order is not that of k.
  static let hourly = [
    "FREQ=HOURLY;INTERVAL=6", "FREQ=DAILY;BYHOUR=7,19", "FREQ=HOURLY;INTERVAL=5;BYDAY=MO,WE",
    "FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=1,2,3", "FREQ=HOURLY;BYHOUR=9,10,11,12;BYMONTHDAY=1",
    "FREQ=DAILY;BYHOUR=8,12,16;BYSETPOS=2,-1",
  ]
}
