import BelfryCore

/// A `.days` file: a line `2026-12-24..2027-01-06  Christmas` for days that follow each other, or
/// `2026-05-01 Labour Day` for one; the name may be left out. Lines that begin with `#` are comments.
public enum DaysFileParser {
  /// The entries as they stand; a file may have none. `asWritten`: `write` made it, and a name that
  /// looks like the end of a span is a name.
  public static func read(
    _ bytes: [UInt8], asWritten: Bool = false
  ) throws(DaysError) -> [DayCalendar.Range] {
    var entries: [DayCalendar.Range] = []
    var number: Int64 = 0
    let lines = bytes.withoutByteOrderMark.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines {
      number += 1
      let text = trimmed(line)
      guard let first = text.first, first != UInt8(ascii: "#") else { continue }
      guard entries.count < DayCalendar.Limit.ranges else { throw DaysReader.tooMany(number) }
      let entry = try entry(text, number)
      if !asWritten, isEndOfSpan(entry.name) {
        throw DaysError(
          line: number, "a span is written without blanks, as 2026-12-24..2027-01-06")
      }
      entries.append(entry)
    }
    return entries
  }

  private static func entry(
    _ text: ArraySlice<UInt8>, _ line: Int64
  ) throws(DaysError) -> DayCalendar.Range {
    let end = text.firstIndex { isBlank($0) } ?? text.endIndex
    let word = text[..<end]
    guard !text.contains(0), let name = name(trimmed(text[end...])) else {
      throw DaysError(line: line, "this is no text in UTF-8")
    }
    guard name.utf8.count <= DayCalendar.Limit.rangeName else {
      throw DaysError(
        line: line, "a name has at most \(DayCalendar.Limit.rangeName) bytes of UTF-8")
    }
    guard word.count >= 12, word[(word.startIndex + 10)...].starts(with: "..".utf8) else {
      let day = try day(word, line)
      return DayCalendar.Range(first: day, last: day, name: name)
    }
    let first = try day(word.prefix(10), line)
    let last = try day(word.dropFirst(12), line)
    guard first <= last else {
      throw DaysError(line: line, "the last day lies before the first: write the earlier one first")
    }
    return DayCalendar.Range(first: first, last: last, name: name)
  }

  /// `- 2027-01-06 Christmas`, `.. 2027-01-06`, `to 2027-01-06`, `2027-01-06`: no name begins so.
  private static func isEndOfSpan(_ name: String) -> Bool {
    let words = Array(name.utf8).split(whereSeparator: { isBlank($0) })
    guard var word = words.first else { return false }
    let signs: [UInt8] = [UInt8(ascii: "."), UInt8(ascii: "-")]
    word = word.drop { signs.contains($0) }
    let isJoint = word.isEmpty || word.elementsEqual("to".utf8)
    return CivilDate(isJoint ? words.dropFirst().first ?? [] : word) != nil
  }

  private static func day(_ text: ArraySlice<UInt8>, _ line: Int64) throws(DaysError) -> Int64 {
    guard let date = CivilDate(text) else {
      let shown = FieldError.quoted(String(decoding: text.prefix(32), as: UTF8.self))
      throw DaysError(
        line: line, shown + " is no day: write 2026-12-24, or 2026-12-24..2027-01-06 for several")
    }
    guard DayCalendar.Limit.days.contains(date.days) else {
      throw DaysError(line: line, "days reach from 1700-01-01 to 2261-12-31")
    }
    return date.days
  }

  /// What `read` makes the same calendar of.
  public static func write(_ calendar: DayCalendar) -> [UInt8] {
    var bytes: [UInt8] = []
    for range in calendar.ranges {
      bytes += CivilDate(days: range.first).text.utf8
      if range.last != range.first { bytes += (".." + CivilDate(days: range.last).text).utf8 }
      if !range.name.isEmpty { bytes += (" " + range.name).utf8 }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  // MARK: Bytes

  /// The name of days, in which control characters are blanks; nil: it is not UTF-8.
  static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    let plain = bytes.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
    return String(validating: trimmed(plain[...]), as: UTF8.self)
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = text.firstIndex(where: { !isBlank($0) }),
      let last = text.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return text[first...last]
  }
}
