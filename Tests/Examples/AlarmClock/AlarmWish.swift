/// What the words of a command line ask an alarm clock for.
enum AlarmWish: Equatable {
  case once(seconds: Double)
  /// Weekdays as in `DateComponents`: 1 is Sunday.
  case weekly(hour: Int, minute: Int, days: [Int])

  private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  /// `HH:MM [DAY ...]`, without days from Monday to Friday, or `in SECONDS`; nil: neither.
  init?(_ words: [String]) {
    guard let time = words.first else { return nil }
    if time == "in" {
      guard words.count == 2, let seconds = Double(words[1]), (0...31_536_000).contains(seconds)
      else { return nil }
      self = .once(seconds: seconds)
      return
    }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1],
      (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    let names = words.count > 1 ? Array(words.dropFirst()) : ["mon", "tue", "wed", "thu", "fri"]
    let days = names.compactMap { Self.days.firstIndex(of: $0) }
    guard days.count == names.count else { return nil }
    self = .weekly(hour: hour, minute: minute, days: days.map { $0 + 1 })
  }
}
