/// The times of day that a rule allows: every combination of its hours, minutes and seconds.
struct RuleTimes: Sendable {
  let hours: UInt64
  let minutes: UInt64
  let seconds: UInt64

  /// What the rule leaves open is as at `start`, in seconds of its day; but what is shorter than the
  /// rule's frequency limits is left free.
  init(_ rule: RecurrenceRule, start: Int64) {
    let (hour, minute, second) = (start / 3600, start / 60 % 60, start % 60)
    func mask(_ given: UInt64, _ own: Int64, _ all: Int64, isFree: Bool) -> UInt64 {
      given != 0 ? given : isFree ? (1 << UInt64(all)) - 1 : 1 << UInt64(own)
    }
    hours = mask(rule.hours, hour, 24, isFree: rule.frequency <= .hourly)
    minutes = mask(rule.minutes, minute, 60, isFree: rule.frequency <= .minutely)
    seconds = mask(rule.seconds, second, 60, isFree: rule.frequency == .secondly)
  }

  private static let allHours: UInt64 = (1 << 24) - 1
  private static let allInHour: UInt64 = (1 << 60) - 1

  /// Whether every hour, minute or second, as `unit` seconds say, is allowed.
  func allows(all unit: Int64) -> Bool {
    hours == Self.allHours && (unit >= 3600 || minutes == Self.allInHour)
      && (unit >= 60 || seconds == Self.allInHour)
  }

  /// Where a stretch ends in which all of a day's units are allowed, `time` being in the first of them.
  func end(ofAllFrom time: Int64, _ unit: Int64) -> Int64 {
    guard unit < 3600 else { return time + unit }
    if minutes == Self.allInHour, unit >= 60 || seconds == Self.allInHour {
      return (time / 3600 + 1) * 3600
    }
    return unit < 60 && seconds == Self.allInHour ? (time / 60 + 1) * 60 : time + unit
  }

  /// How many a day, an hour and a minute have.
  var perDay: Int64 { Int64(hours.nonzeroBitCount) * perHour }
  var perHour: Int64 { Int64(minutes.nonzeroBitCount) * perMinute }
  var perMinute: Int64 { Int64(seconds.nonzeroBitCount) }

  /// The first of an hour, in seconds of it.
  var firstOfHour: Int64 { minutes.firstBit * 60 + seconds.firstBit }
  /// The first of a day.
  var firstOfDay: Int64 { hours.firstBit * 3600 + firstOfHour }

  /// The first at `time` or later, in seconds of a day; nil: none that day.
  func first(ofDayFrom time: Int64) -> Int64? {
    let hour = time / 3600
    if hours.has(hour), let found = first(ofHourFrom: time - hour * 3600) {
      return hour * 3600 + found
    }
    return hours.bit(after: hour).map { $0 * 3600 + firstOfHour }
  }

  /// The same in seconds of an hour.
  func first(ofHourFrom time: Int64) -> Int64? {
    let minute = time / 60
    if minutes.has(minute), let found = first(ofMinuteFrom: time - minute * 60) {
      return minute * 60 + found
    }
    return minutes.bit(after: minute).map { $0 * 60 + seconds.firstBit }
  }

  /// The same in seconds of a minute.
  func first(ofMinuteFrom time: Int64) -> Int64? {
    seconds.has(time) ? time : seconds.bit(after: time)
  }

  /// The one with this number, from 0, of a day; for hours and minutes the higher part is 0.
  func time(at index: Int64) -> Int64 {
    let (hour, rest) = (index / perHour, index % perHour)
    let (minute, second) = (rest / perMinute, rest % perMinute)
    return hours.bit(at: hour) * 3600 + minutes.bit(at: minute) * 60 + seconds.bit(at: second)
  }

  /// How many of a day lie before `time`.
  func count(ofDayBefore time: Int64) -> Int64 {
    let hour = time / 3600
    let count = Int64((hours & UInt64.below(hour)).nonzeroBitCount) * perHour
    return hours.has(hour) ? count + self.count(ofHourBefore: time - hour * 3600) : count
  }

  /// The same of an hour.
  func count(ofHourBefore time: Int64) -> Int64 {
    let minute = time / 60
    let count = Int64((minutes & UInt64.below(minute)).nonzeroBitCount) * perMinute
    return minutes.has(minute) ? count + self.count(ofMinuteBefore: time - minute * 60) : count
  }

  /// The same of a minute.
  func count(ofMinuteBefore time: Int64) -> Int64 {
    Int64((seconds & UInt64.below(time)).nonzeroBitCount)
  }
}

extension UInt64 {
  /// The bits lower than `place`.
  static func below(_ place: Int64) -> UInt64 { (1 << UInt64(place)) - 1 }

  @inline(__always)
  func has(_ place: Int64) -> Bool { self >> UInt64(place) & 1 == 1 }

  /// The lowest; there is one.
  @inline(__always)
  var firstBit: Int64 { Int64(trailingZeroBitCount) }

  /// The highest; there is one.
  var lastBit: Int64 { 63 - Int64(leadingZeroBitCount) }

  /// The lowest above `place`.
  @inline(__always)
  func bit(after place: Int64) -> Int64? {
    let rest = self & (~0 << UInt64(place + 1))
    return rest == 0 ? nil : rest.firstBit
  }

  /// The one with this number, from 0; there is one.
  func bit(at index: Int64) -> Int64 {
    var rest = self
    for _ in 0..<index { rest &= rest - 1 }
    return rest.firstBit
  }
}
