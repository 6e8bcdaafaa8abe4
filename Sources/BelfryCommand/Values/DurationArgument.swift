import BelfryCore

/// A DURATION of the command line: what `Nanoseconds.parse` reads, and also weeks, and a fraction of
/// the last unit.
enum DurationArgument {
  static let forms = "use 90s, 10m, 1h30m, 2d, 1w"

  private enum Wrong: Error {
    case malformed, tooLong
  }

  /// Whether a duration is meant where a time may stand, too.
  static func isMeant(_ text: String) -> Bool {
    let bare = text.utf8.first == UInt8(ascii: "-") ? String(text.dropFirst()) : text
    guard bare.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      let isSpan = (try? read(Array(bare.utf8.prefix(128)))) != nil
      return isSpan || meant(bare) != nil || days(bare) != nil
    }
    // `7` and `0730` may be times of day.
    return bare.utf8.count <= 3 && Int64(bare) ?? 0 > 23
  }

  /// In nanoseconds; `written` names it in an error.
  static func parse(_ text: String, _ written: String) throws(CommandError) -> Int64 {
    do throws(Wrong) {
      return try read(Array(text.utf8.prefix(128)))
    } catch {
      if error == .tooLong { throw .refused(written + ": a duration is at most 106751 days") }
      throw .usage(
        written + ": " + FieldError.quoted(text) + " is not a duration"
          + (instead(text, written) ?? meant(unsigned(text)).map { "; did you mean \($0)?" }
            ?? "; " + forms))
    }
  }

  /// What else to write than a span.
  private static func instead(_ text: String, _ written: String) -> String? {
    if let days = days(text) { return "; did you mean \(days)?" }
    guard written == "--in" else { return clock(text, written) }
    if text == "0" { return "; for at once there is --now" }
    let words = text.split(separator: " ")
    guard let first = words.first, TimeText.isDay(first) else { return clock(text, written) }
    return "; a time is given as --at '\(text)\(words.count == 1 ? " 07:00" : "")'"
  }

  private static func unsigned(_ text: String) -> String {
    String(text.drop { "+-".contains($0) })
  }

  /// `1:30` is a span, or a time of day where one can be said.
  private static func clock(_ text: String, _ written: String) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count <= 2, parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours + minutes > 0, minutes < 60
    else { return nil }
    let span = (hours > 0 ? "\(hours)h" : "") + (minutes > 0 ? "\(minutes)m" : "")
    let time = written == "--in" && hours < 24 ? ", or --at \(text)" : ""
    return "; did you mean \(span)\(time)?"
  }

  /// A text that is a duration or nearly one, as one; nil: it is none.
  static func span(_ text: String) -> String? {
    guard let last = text.utf8.last, !(0x30...0x39 ~= last) else { return nil }
    return (try? read(Array(text.utf8.prefix(128)))) == nil ? meant(text) : text
  }

  /// `90m` for `90min` and `90 minutes`; nil: nobody knows.
  static func meant(_ text: String) -> String? {
    let letters = text.lowercased()
    // `1h 30m`, `5 m`, `5M`, `1,5h`, `p1d`, `1h30`.
    let smaller = letters.last?.isNumber ?? false ? smallerUnit(letters) : nil
    let forms = [letters, fromISO(letters), smaller.map { letters + $0 }, ordered(letters)]
    for written in forms.compactMap({ $0 }) {
      let plain = written.utf8.filter { $0 != 0x20 }.map { $0 == 0x2C ? 0x2E : $0 }
      if (try? read(plain)) != nil { return String(decoding: plain, as: UTF8.self) }
    }
    let digits = letters.prefix { $0.isNumber && $0.isASCII }
    let unit = letters.dropFirst(digits.count).drop { $0 == " " }
    guard !digits.isEmpty else { return nil }
    guard let letter = unit.first else { return digits + "s or " + digits + "m" }
    let names = [
      "seconds", "secs", "minutes", "mins", "mns", "hours", "hrs", "hs", "days", "weeks",
    ]
    let isUnit = names.contains { $0 == unit || $0.dropLast() == unit }
    return isUnit ? digits + String(letter) : nil
  }

  /// About so many days, of months and years.
  private static func days(_ text: String) -> String? {
    let letters = text.lowercased()
    let digits = letters.prefix { $0.isNumber && $0.isASCII }
    guard let count = Int64(digits.prefix(6)) else { return nil }
    switch letters.dropFirst(digits.count).drop(while: { $0 == " " }) {
    case "y", "yr", "yrs", "year", "years": return "\(count * 365)d"
    case "mo", "mos", "month", "months": return "\(count * 30)d"
    default: return nil
    }
  }

  /// `1d2h` for `p1dt2h`; nil: it is not of RFC 5545, or has months.
  private static func fromISO(_ letters: String) -> String? {
    guard letters.utf8.first == UInt8(ascii: "p") else { return nil }
    let parts = letters.dropFirst().split(
      separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
    return parts[0].utf8.contains(UInt8(ascii: "m")) ? nil : parts.joined()
  }

  /// `1h30m` for `30m1h`.
  private static func ordered(_ letters: String) -> String? {
    var parts: [[UInt8]] = [[]]
    for byte in letters.utf8 where byte != 0x20 {
      parts[parts.count - 1].append(byte)
      if unit(byte) != nil { parts.append([]) }
    }
    guard parts.count > 2, parts.removeLast().isEmpty else { return nil }
    parts.sort { (unit($0.last ?? 0) ?? 0) > (unit($1.last ?? 0) ?? 0) }
    return String(decoding: parts.joined(), as: UTF8.self)
  }

  /// What the number behind the last unit counts.
  private static func smallerUnit(_ letters: String) -> String? {
    switch letters.utf8.last(where: { $0 >= 0x61 }) {
    case UInt8(ascii: "w"): "d"
    case UInt8(ascii: "d"): "h"
    case UInt8(ascii: "h"): "m"
    case UInt8(ascii: "m"): "s"
    default: nil
    }
  }

  private static func read(_ bytes: [UInt8]) throws(Wrong) -> Int64 {
    var (total, smallest) = (Int64(0), Int64.max)
    var rest = bytes[...]
    repeat {
      let count = try number(&rest)
      var billionths: Int64 = 0
      let hasFraction = rest.first == UInt8(ascii: ".")
      if hasFraction { billionths = try fraction(&rest) }
      guard let letter = rest.popFirst(), let unit = unit(letter), unit < smallest,
        !hasFraction || rest.isEmpty
      else { throw .malformed }
      smallest = unit
      let (whole, tooFar) = count.multipliedReportingOverflow(by: unit)
      // No unit has a million seconds, so this fits.
      let part = unit / Nanoseconds.second * billionths
      let (sum, overflow) = total.addingReportingOverflow(whole)
      let (all, overflowing) = sum.addingReportingOverflow(part)
      guard !tooFar, !overflow, !overflowing else { throw .tooLong }
      total = all
    } while !rest.isEmpty
    return total
  }

  private static func unit(_ letter: UInt8) -> Int64? {
    switch letter {
    case UInt8(ascii: "w"): 7 * Nanoseconds.day
    case UInt8(ascii: "d"): Nanoseconds.day
    case UInt8(ascii: "h"): Nanoseconds.hour
    case UInt8(ascii: "m"): Nanoseconds.minute
    case UInt8(ascii: "s"): Nanoseconds.second
    default: nil
    }
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) throws(Wrong) -> Int64 {
    let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
    rest = rest[digits.endIndex...]
    guard !digits.isEmpty else { throw .malformed }
    var value: Int64 = 0
    for digit in digits {
      let (tens, tooFar) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tens.addingReportingOverflow(Int64(digit - 0x30))
      guard !tooFar, !overflow else { throw .tooLong }
      value = sum
    }
    return value
  }

  /// What stands behind a point, in billionths.
  private static func fraction(_ rest: inout ArraySlice<UInt8>) throws(Wrong) -> Int64 {
    rest = rest.dropFirst()
    let start = rest.startIndex
    var value = try number(&rest)
    let digits = rest.startIndex - start
    guard digits <= 9 else { throw .malformed }
    for _ in digits..<9 { value *= 10 }
    return value
  }
}
