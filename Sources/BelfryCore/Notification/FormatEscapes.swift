/// printf's escapes in an alert's body (N7).
public enum FormatEscapes {
  /// `text` without its printf escapes and with `%%` as a percent sign.
  ///
  /// An escape is `% [n$] [-+#0] [width] [.precision] [hlLqjzt]` and one of `diouxXeEfgGaAcCsSpn@`;
  /// width and precision are digits or `*`. A space is no flag, so "50 % discount" stays.
  public static func stripped(_ text: String) -> String {
    guard text.utf8.contains(percent) else { return text }
    let bytes = Array(text.utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == percent {
        if index + 1 < bytes.count, bytes[index + 1] == percent {
          kept.append(percent)
          index += 2
          continue
        }
        if let end = endOfEscape(bytes, after: index) {
          index = end
          continue
        }
      }
      kept.append(bytes[index])
      index += 1
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")

  /// The index behind the escape whose percent sign is at `start`; nil if it is none.
  private static func endOfEscape(_ bytes: [UInt8], after start: Int) -> Int? {
    var index = start + 1
    func skip(_ accepts: (UInt8) -> Bool) -> Bool {
      guard index < bytes.count, accepts(bytes[index]) else { return false }
      index += 1
      return true
    }
    func skipNumber() {
      if !skip({ $0 == UInt8(ascii: "*") }) { while skip(isDigit) {} }
    }
    while skip(isDigit) {}
    let positional = index > start + 1 && skip({ $0 == UInt8(ascii: "$") })
    // Digits without a `$` were flags and a width, which are read again.
    if !positional { index = start + 1 }
    while skip(isFlag) {}
    skipNumber()
    if skip({ $0 == UInt8(ascii: ".") }) { skipNumber() }
    while skip(isLengthModifier) {}
    return skip(isConversion) ? index : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isFlag(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "0"): true
    default: false
    }
  }

  private static func isLengthModifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "L"), UInt8(ascii: "q"),
      UInt8(ascii: "j"), UInt8(ascii: "z"), UInt8(ascii: "t"):
      true
    default: false
    }
  }

  private static func isConversion(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"),
      UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "e"), UInt8(ascii: "E"),
      UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "G"), UInt8(ascii: "a"),
      UInt8(ascii: "A"), UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "s"),
      UInt8(ascii: "S"), UInt8(ascii: "p"), UInt8(ascii: "n"), UInt8(ascii: "@"):
      true
    default: false
    }
  }
}
