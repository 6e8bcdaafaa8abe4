import BelfryKit
import Foundation

/// Notifications with any of their fields at any value that no rule forbids, from a seed.
struct RandomNotification {
  var random: SplitMix
  let now: Date

  init(seed: UInt64, now: Date) {
    random = SplitMix(state: seed)
    self.now = now
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func pick<T>(_ list: [T]) -> T {
    list[Int.random(in: 0..<list.count, using: &random)]
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  /// Some day of the next hundred years, with a fraction that no microsecond has.
  private mutating func date() -> Date {
    now.addingTimeInterval(100_000 + Double.random(in: 0...3e9, using: &random))
  }

  /// NUL has no place in a text.
  private mutating func text(_ most: Int) -> String {
    let letters = [
      "a", "Z", " ", "%", "\"", "\\", "\n", "\u{7f}", "é", "e\u{301}", "🔔", "\u{2028}",
      "{", "ß",
    ]
    return (0..<number(0...most)).map { _ in pick(letters) }.joined()
  }

  private mutating func name(_ most: Int) -> String {
    let letters = ["a", "Z", " ", "%", "\"", "\\", "é", "🔔", "-", "$", "."]
    return (0...number(0...most)).map { _ in pick(letters) }.joined()
  }

  private mutating func value(_ depth: Int) -> PropertyListValue {
    switch number(0...(depth == 0 ? 5 : 7)) {
    case 0: return .string(text(9))
    case 1: return .integer(Int64(bitPattern: random.next() >> UInt64(number(0...63))))
    case 2:
      let number = Double(bitPattern: random.next())
      return .double(number.isFinite ? number : -0.0)
    case 3: return .boolean(chance(2))
    case 4: return .date(now.addingTimeInterval(Double.random(in: -9e9...7e9, using: &random)))
    case 5:
      return .data(
        Data((0..<number(0...20)).map { _ in UInt8(truncatingIfNeeded: number(0...255)) }))
    case 6: return .array((0..<number(0...3)).map { _ in value(depth - 1) })
    default:
      return .dictionary(
        Dictionary((0..<number(0...3)).map { _ in ("$" + text(4), value(depth - 1)) }) { $1 })
    }
  }

  private mutating func arguments() -> [PropertyListValue] {
    (0..<number(0...3)).map { _ in
      switch number(0...3) {
      case 0: .string(text(5))
      case 1: .integer(Int64(number(-5...5)))
      case 2: .double(Double.random(in: -1e20...1e20, using: &random))
      default: .date(date())
      }
    }
  }

  mutating func next(_ identifier: String) -> LocalNotification {
    var one = LocalNotification(identifier: identifier, alertBody: nil)
    when(&one)
    if chance(2) { one.alertBody = text(40) }
    if chance(3) { one.alertTitle = text(9) }
    if chance(3) { one.alertSubtitle = text(9) }
    if chance(3) { one.alertAction = text(9) }
    one.hasAction = !chance(3)
    if chance(4) { one.alertLaunchImage = "i" + name(9) }
    if chance(2) { one.alertLocalizationArgs = arguments() }
    if chance(4) { one.alertTitleLocalizationArgs = arguments() }
    if chance(4) { one.alertSubtitleLocalizationArgs = arguments() }
    if chance(4) { one.alertActionLocalizationArgs = arguments() }
    if chance(4) { one.category = name(9) }
    if chance(4) { one.threadIdentifier = name(9) }
    one.interruptionLevel = pick([.passive, .active, .timeSensitive, .critical])
    one.applicationIconBadgeNumber = pick([0, -1, 1, number(-1000...1000)])
    if chance(4) { one.badgeOperation = pick([.set, .add, .clear]) }
    if chance(2) { one.soundName = pick([LocalNotification.defaultSoundName, "bell.wav"]) }
    one.volume = pick([1, 0, 0.1, Double.random(in: 0...1, using: &random)])
    if one.soundName != nil {
      one.repeatSound = number(0...10)
      if one.repeatSound == 0 { one.ringFor = .seconds(number(1...3600)) }
      one.fadeIn = .seconds(number(0...1800))
    }
    if chance(3) {
      one.realert = Realert(every: .seconds(number(10...86_400)), atMost: number(1...100))
    }
    one.ladder = (0..<number(0...8)).map { ladderStep($0) }
    for _ in 0..<number(0...5) { one.userInfo[text(6)] = value(3) }
    // A blank body, or none, with nothing beside it is refused (A4).
    if one.soundName == nil, one.applicationIconBadgeNumber == 0, one.userInfo.isEmpty {
      one.alertBody = (one.alertBody ?? "") + "🔔"
    }
    return one
  }

  private mutating func ladderStep(_ place: Int) -> LadderStep {
    var step = LadderStep(after: .seconds(place * 3600 + number(0...3599)))
    if chance(2) { step.sinks = ["speaker"] }
    if chance(3) { step.soundName = "bell.wav" }
    if chance(3) { step.volume = pick([1, 0, Double.random(in: 0...1, using: &random)]) }
    if chance(3) { step.interruptionLevel = pick([.passive, .active, .timeSensitive, .critical]) }
    return step
  }

  private mutating func when(_ one: inout LocalNotification) {
    if chance(8) {
      one.region = CircularRegion(
        identifier: chance(2) ? name(5) : nil,
        latitude: Double.random(in: -90...90, using: &random),
        longitude: Double.random(in: -180...180, using: &random),
        radius: Double.random(in: 1...1e6, using: &random))
      one.region?.notifyOnExit = chance(2)
      one.regionTriggersOnce = chance(2)
      return
    }
    one.fireDate = date()
    if chance(3) {
      one.timeZoneName = pick(["Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "UTC"])
      if chance(2) { one.zoneMode = pick([.floating, .zoned, .absolute]) }
    }
    switch number(0...4) {
    case 4:
      one.rrules = ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU;COUNT=2000", "FREQ=MONTHLY;BYHOUR=7,9"]
      if chance(2) { one.exdate = [date()] }
    case 0:
      one.repeatInterval = pick(RepeatInterval.allCases)
      one.every = pick([1, 2, number(1...1000)])
      if chance(3) { one.repeatCalendarName = pick(["gregorian", "buddhist", "japanese", "roc"]) }
    case 1:
      one.rrule = pick([
        "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=YEARLY",
      ])
      if chance(2) { one.rdate = (0..<number(1...3)).map { _ in date() } }
    default: break
    }
    if chance(3) { one.sinks = ["speaker"] }
    if chance(3) { one.exceptOn = (0..<number(1...8)).map { "off \($0)" } }
    if chance(4) { one.onlyOn = (0..<number(1...8)).map { "on \($0)" } }
    if one.rrule == "FREQ=WEEKLY;BYDAY=MO,TU", chance(2) {
      one.asOn = [CountedAs(calendar: "feast", weekday: pick(CountedAs.Weekday.allCases))]
    }
    let repeats = one.repeatInterval != nil || one.rrule != nil || !one.rrules.isEmpty
    if repeats, one.rrule == nil, one.rrules.isEmpty, chance(4) {
      one.count = number(1...1_000_000)
    }
    if repeats {
      one.gap = pick([.shift, .next, .skip])
      one.overlap = pick([.first, .both, .last])
      one.monthEnd = pick([.clamp, .roll, .skip])
    }
    if chance(4) { one.tolerance = .nanoseconds(Int64(number(0...86_400_000)) * 999_999) }
    if chance(4) { one.late = pick([.fire, .drop, .seconds(number(0...86_400))]) }
    if chance(4) {
      one.expires = one.fireDate?.addingTimeInterval(Double(number(1...100_000)) + 0.1)
    } else if chance(3) {
      // Not so far back that it would be due already.
      one.offset = pick([
        .minutes(-15), .hours(number(-20...500)), .days(number(1...366)), .weeks(3),
        OccurrenceOffset(days: 2, seconds: 5400),
      ])
    }
  }
}
