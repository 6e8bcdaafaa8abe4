/// What is known of a repeat in a plugin's calendar, and which pending notifications go by it (N6).
final class KnownDays {
  /// A question put to a plugin.
  struct Asked {
    var sink: SinkIndex
    var token: UInt64
    var question: CalendarQuestion
  }

  /// Names the repeat: the question for its days from the first one on.
  let series: CalendarQuestion
  var days: CalendarDays?
  var users: Set<Slot> = []
  var asked: Asked?
  /// Stands in the list of those to be asked about.
  var isWanted = false
  /// What is known begins too late (T8): to be asked from today on.
  var beginsTooLate = false
  /// Repeats that ran further ahead than this are to be planned afresh once it is known (T8).
  var reviewBeyond: Int64?
  /// Why it is not to be had, for requests that had come by this event.
  private var refusal: (reason: String, event: Int64)?
  /// When those are told so, on the elapsed clock.
  var giveUpAt: Int64?
  /// How often a process has ended over it.
  var crashes = 0
  /// Failures in a row; not asked again before `notBefore`, on the elapsed clock.
  var failures: Int64 = 0
  var notBefore = Int64.min

  init(_ series: CalendarQuestion) {
    self.series = series
  }

  var hasFailed: Bool { refusal != nil }

  /// Those who wait are told so; who asks later may find it there.
  func refuse(_ reason: String, event: Int64) {
    refusal = (reason, event)
  }

  func isRefused(_ asked: EventTime) -> Bool { reason(for: asked) != nil }

  /// Why a request that came then is refused; nil: it is not.
  func reason(for asked: EventTime) -> String? {
    refusal.flatMap { $0.event >= asked.number ? $0.reason : nil }
  }

  /// The days of what is due around `day` are known, and one after it, or that there is none.
  func covers(_ day: Int64) -> Bool {
    guard let days, reaches(back: day) else { return false }
    return days.isLast || (days.days.last?.day ?? .min) > day + series.lead + Self.slack
  }

  /// All of it that lies shortly before `day` is known.
  func reaches(back day: Int64) -> Bool {
    guard let days else { return false }
    if days.question.firstIndex == 0, days.question.firstDay <= series.anchorDay { return true }
    return days.days.first.map { $0.day < day + series.lead - Self.slack } ?? days.isLast
  }

  /// More should be known.
  func isScarce(after day: Int64) -> Bool {
    guard let days, !days.isLast else { return days == nil }
    return days.days.count - days.firstPlace { $0.day > day + series.lead } < Self.least
  }

  /// A zone's day may be another one than UTC's.
  private static let slack: Int64 = 2
  /// Fewer than this to come are too few.
  private static let least = 16
}

extension RepeatPlan {
  /// Names the repeat in a plugin's calendar; nil: no plugin has a say.
  func series(_ anchor: Instant) -> CalendarQuestion? {
    guard anchor != .distantFuture,
      var series = question(
        anchor: anchor, firstIndex: 0, firstDay: .min, count: CalendarQuestion.maxDays)
    else { return nil }
    series.lead = lead
    return series
  }

  /// What is due on a day falls so many days later in its calendar, zones aside (E4).
  var lead: Int64 { -floorDivide(offset.plainLength, Nanoseconds.day) }
}
