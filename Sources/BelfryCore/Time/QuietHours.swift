/// A part of every day in which only critical sounds play: from one minute up to, not including,
/// another, over midnight where the second is the earlier.
public struct QuietHours: Hashable, Sendable {
  /// Minutes since midnight; `to` is up to 24:00, and never `from`.
  var from: Int
  var to: Int

  /// Reads `22:00-06:00`, or `00:00-24:00` for the whole day; nil: it is not of that form, or of no
  /// length (A4).
  public init?(_ text: String) {
    let letters = text.utf8.filter { $0 != UInt8(ascii: " ") }
    let ends = letters.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, let from = Self.minutes(ends[0]), let to = Self.minutes(ends[1]),
      from < Self.day, from != to
    else { return nil }
    self.from = from
    self.to = to
  }

  /// `22:00-06:00`
  public var text: String { Self.text(from) + "-" + Self.text(to) }

  private static func text(_ minutes: Int) -> String {
    let two = { (value: Int) in (value < 10 ? "0" : "") + "\(value)" }
    return two(minutes / 60) + ":" + two(minutes % 60)
  }

  public func contains(minute: Int) -> Bool {
    from < to ? from <= minute && minute < to : from <= minute || minute < to
  }

  private static let day = 24 * 60

  private static func minutes(_ text: ArraySlice<UInt8>) -> Int? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      let hour = digits(parts[0]), let minute = digits(parts[1]), minute < 60,
      hour * 60 + minute <= day
    else { return nil }
    return hour * 60 + minute
  }

  private static func digits(_ text: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in text {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }
}
