/// A calendar of days (E3): ranges of civil days, each with a name, in order and none over another.
///
/// Days are counted from 1970-01-01 = 0. Looking one up takes a binary search.
public struct DayCalendar: Hashable, Sendable {
  /// Days that follow each other under one name, which may be empty.
  public struct Range: Hashable, Sendable {
    public var first: Int64
    /// Not before `first`.
    public var last: Int64
    public var name: String

    public init(first: Int64, last: Int64, name: String) {
      self.first = first
      self.last = last
      self.name = name
    }
  }

  /// Bounds of one calendar (A2).
  public enum Limit {
    /// Ranges, once entries that overlap have been cut.
    public static let ranges = 20_000
    /// Bytes of a calendar's name, and of a range's.
    public static let name = 128
    public static let rangeName = 255
    /// First and last day: 1700-01-01 and 2261-12-31.
    public static let days: ClosedRange<Int64> = -98_615...106_650
  }

  // Columns, so that a search touches numbers alone.
  private let firsts: [Int64]
  private let lasts: [Int64]
  private let names: [String]

  /// Takes entries in any order. Where two overlap the one that begins first has the days, and of
  /// two that begin together the shorter; neighbours of one name become one.
  public init(_ entries: [Range]) {
    var firsts: [Int64] = []
    var lasts: [Int64] = []
    var names: [String] = []
    let sorted = entries.sorted { ($0.first, $0.last, $0.name) < ($1.first, $1.last, $1.name) }
    for entry in sorted {
      let first = max(entry.first, lasts.last.map { $0 + 1 } ?? .min)
      guard first <= entry.last else { continue }
      if let last = lasts.last, first == last + 1, names[names.count - 1] == entry.name {
        lasts[lasts.count - 1] = entry.last
        continue
      }
      firsts.append(first)
      lasts.append(entry.last)
      names.append(entry.name)
    }
    (self.firsts, self.lasts, self.names) = (firsts, lasts, names)
  }

  public var isEmpty: Bool { firsts.isEmpty }
  public var rangeCount: Int { firsts.count }
  public var firstDay: Int64? { firsts.first }
  public var lastDay: Int64? { lasts.last }
  /// So many days in all.
  public var dayCount: Int64 {
    firsts.indices.reduce(0) { $0 + lasts[$1] - firsts[$1] + 1 }
  }

  public var ranges: [Range] { firsts.indices.map { range($0) } }

  private func range(_ index: Int) -> Range {
    Range(first: firsts[index], last: lasts[index], name: names[index])
  }

  /// The range that a day lies in; nil: the calendar does not have it.
  public func range(on day: Int64) -> Range? {
    let next = place(after: day)
    guard next > 0, lasts[next - 1] >= day else { return nil }
    return range(next - 1)
  }

  public func contains(_ day: Int64) -> Bool {
    let next = place(after: day)
    return next > 0 && lasts[next - 1] >= day
  }

  /// The first day of the first range that begins after a day.
  func nextStart(after day: Int64) -> Int64? {
    let next = place(after: day)
    return next < firsts.count ? firsts[next] : nil
  }

  /// The last day of the last range that ends before a day.
  func previousEnd(before day: Int64) -> Int64? {
    var next = place(after: day)
    if next > 0, lasts[next - 1] >= day { next -= 1 }
    return next > 0 ? lasts[next - 1] : nil
  }

  /// The first place whose range begins after a day.
  private func place(after day: Int64) -> Int {
    firsts.withUnsafeBufferPointer { firsts in
      var (low, count) = (0, firsts.count)
      while count > 0 {
        let half = count / 2
        if firsts[low + half] <= day {
          low += half + 1
          count -= half + 1
        } else {
          count = half
        }
      }
      return low
    }
  }
}

extension CivilDate {
  /// `2026-12-24`
  public var text: String {
    let two = { (value: Int64) in (value < 10 ? "0" : "") + "\(value)" }
    let digits = "\(abs(year))"
    let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    return (year < 0 ? "-" : "") + padded + "-" + two(month) + "-" + two(day)
  }

  /// Reads `2026-12-24`; nil: it is no such day.
  public init?<Bytes: Collection<UInt8>>(_ text: Bytes) {
    guard text.count == 10 else { return nil }
    var numbers: [Int64] = [0]
    for (place, byte) in text.enumerated() {
      if place == 4 || place == 7 {
        guard byte == UInt8(ascii: "-") else { return nil }
        numbers.append(0)
      } else {
        guard byte &- 0x30 < 10 else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int64(byte - 0x30)
      }
    }
    guard (1...12).contains(numbers[1]),
      (1...CivilDate.length(ofMonth: numbers[1], year: numbers[0])).contains(numbers[2])
    else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }
}
