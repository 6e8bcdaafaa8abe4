/// Arguments put into a text (L2).
public enum TextArguments {
  /// `text` with `%@` as the next argument, `%n$@` as the n-th, from 1, and `%%` as a percent sign;
  /// a missing one is empty, every other escape is literal. Numbered ones do not move the next one.
  ///
  /// At most `limit` bytes and a character: beyond, it ends with `…`.
  static func put(
    _ arguments: [PropertyList], into text: String, zone: ZoneRules, limit: Int
  ) -> String {
    let bytes = Array(text.utf8)
    var written: [UInt8] = []
    written.reserveCapacity(min(bytes.count, limit) + 64)
    var (index, next) = (0, 0)
    while index < bytes.count, written.count <= limit {
      guard bytes[index] == UInt8(ascii: "%"), let escape = escape(bytes, after: index) else {
        written.append(bytes[index])
        index += 1
        continue
      }
      index = escape.end
      switch escape.meaning {
      case .percent: written.append(UInt8(ascii: "%"))
      case .next:
        if next < arguments.count { append(arguments[next], to: &written, zone) }
        next += 1
      case .numbered(let number):
        if number > 0, number <= arguments.count {
          append(arguments[number - 1], to: &written, zone)
        }
      }
    }
    return Self.text(written, limit: limit)
  }

  /// At most so many bytes of a text, and `…` where something is left out.
  public static func cut(_ text: String, limit: Int) -> String {
    text.utf8.count <= limit ? text : self.text(Array(text.utf8.prefix(limit + 1)), limit: limit)
  }

  private static func text(_ bytes: [UInt8], limit: Int) -> String {
    guard bytes.count > limit else { return String(decoding: bytes, as: UTF8.self) }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }

  private static func append(
    _ argument: PropertyList, to written: inout [UInt8], _ zone: ZoneRules
  ) {
    switch argument {
    case .string(let text): written.append(contentsOf: text.utf8)
    case .integer(let number): written.append(contentsOf: String(number).utf8)
    case .double(let number): written.append(contentsOf: DecimalText.text(number).utf8)
    case .date(let instant): written.append(contentsOf: local(instant, zone).utf8)
    // Refused when it was scheduled.
    case .boolean, .data, .array, .dictionary: break
    }
  }

  /// `2026-12-24 08:25`.
  private static func local(_ instant: Instant, _ zone: ZoneRules) -> String {
    let civil = zone.civil(at: instant)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(civil.date.year)-\(two(civil.date.month))-\(two(civil.date.day))"
      + " \(two(civil.hour)):\(two(civil.minute))"
  }

  private struct Escape {
    enum Meaning {
      case percent, next
      case numbered(Int)
    }

    var meaning: Meaning
    /// Behind its last byte.
    var end: Int
  }

  private static func escape(_ bytes: [UInt8], after start: Int) -> Escape? {
    var index = start + 1
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "%"): return Escape(meaning: .percent, end: index + 1)
    case UInt8(ascii: "@"): return Escape(meaning: .next, end: index + 1)
    default: break
    }
    var number = 0
    while index < bytes.count, bytes[index] >= UInt8(ascii: "0"), bytes[index] <= UInt8(ascii: "9")
    {
      number = min(number * 10 + Int(bytes[index] - UInt8(ascii: "0")), 1_000_000)
      index += 1
    }
    guard index > start + 1, bytes[index...].starts(with: "$@".utf8) else { return nil }
    return Escape(meaning: .numbered(number), end: index + 2)
  }
}
