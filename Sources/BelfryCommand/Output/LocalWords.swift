import BelfryCore

/// Instants in the words and in the zone of the person who reads them.
struct LocalWords: Sendable {
  var now: Instant
  var zone: BoardZone

  static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  static let noDevice = "no sound, since ALSA has no device to play on"

  /// `in 9 h 12 min, Sat 07:00`.
  func firing(_ instant: Instant) -> String {
    if instant == .distantFuture { return "never" }
    return Nanoseconds.words(instant.nanoseconds(since: now)) + ", " + moment(instant)
  }

  /// `in 9 h 12 min, Sat 07:00 in Europe/Berlin, floating`; where it was read by other clocks than
  /// these, also what those show.
  func firing(_ next: Instant, _ trigger: Trigger) -> String {
    let there = LocalWords(now: now, zone: trigger.zone)
    if zone.offset(at: next) == there.zone.offset(at: next) {
      return there.firing(next) + " in " + there.zone.told + ", " + trigger.mode.rawValue
    }
    return firing(next) + " in " + zone.told + ", " + trigger.mode.rawValue + ": "
      + there.moment(next) + " in " + there.zone.told
  }

  /// `Sat 07:00`, `Sat 07:00:30`; with the date where it is not within six days.
  func moment(_ instant: Instant) -> String {
    let civil = zone.civil(instant)
    let away = civil.date.days - zone.civil(now).date.days
    let day = String(Self.weekdays[Int(civil.date.weekday - 1)].prefix(3))
    let date = away > -2 && away < 7 ? day : day + " " + Self.date(civil.date)
    return date + " " + Self.clock(civil)
  }

  /// A sentence of the daemon's, which tells instants by UTC, with each as it is shown here.
  func local(_ sentence: String) -> String {
    let words = sentence.split(separator: " ", omittingEmptySubsequences: false)
    return words.map { word in
      let isMarked = word.last.map { ",:;)".contains($0) } ?? false
      let text = isMarked ? word.dropLast() : word
      guard text.utf8.count > 19, text.utf8.last == UInt8(ascii: "Z"),
        let instant = try? RFC3339.parse(String(text), field: "")
      else { return String(word) }
      return moment(instant) + word.dropFirst(text.count)
    }.joined(separator: " ")
  }

  /// `07:00:03.250`: for what happened just now.
  func precise(_ instant: Instant) -> String {
    let civil = zone.civil(instant)
    return Self.two(civil.hour) + ":" + Self.two(civil.minute) + ":" + Self.two(civil.second)
      + "." + Self.digits(civil.nanosecond / Nanoseconds.millisecond, 3)
  }

  /// RFC 3339 with the zone's offset.
  func stamp(_ instant: Instant) -> String {
    RFC3339.text(instant, offset: zone.offset(at: instant))
  }

  /// `0.4 ms`, `12 ms`, `3.2 s`, `2 h 5 min`.
  static func span(_ nanoseconds: Int64) -> String {
    let size = nanoseconds.magnitude
    let sign = nanoseconds < 0 ? "-" : ""
    if size < 10 * 1_000_000 { return sign + tenths(size / 100_000) + " ms" }
    if size < 1_000_000_000 { return sign + "\(size / 1_000_000) ms" }
    if size < 60 * 1_000_000_000 { return sign + tenths(size / 100_000_000) + " s" }
    if size < 3600 * 1_000_000_000 {
      return sign + "\(size / 60_000_000_000) min \(size / 1_000_000_000 % 60) s"
    }
    return sign + "\(size / 3600_000_000_000) h \(size / 60_000_000_000 % 60) min"
  }

  private static func tenths(_ value: UInt64) -> String { "\(value / 10).\(value % 10)" }

  static func date(_ date: CivilDate) -> String {
    digits(date.year, 4) + "-" + two(date.month) + "-" + two(date.day)
  }

  static func clock(_ civil: CivilTime) -> String {
    let minutes = two(civil.hour) + ":" + two(civil.minute)
    return civil.second == 0 ? minutes : minutes + ":" + two(civil.second)
  }

  private static func two(_ value: Int64) -> String { digits(value, 2) }

  static func digits(_ value: Int64, _ count: Int) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
