/// Numbers as an alert's text has them (L2).
enum DecimalText {
  /// The shortest decimal number that reads as the same one: `21.5`, `1` and not `1.0`; from 10^21
  /// on and below 10^-6 with an exponent, such as `1e+21`. `inf`, `-inf` and `nan` for what is no
  /// number.
  static func text(_ number: Double) -> String {
    guard number.isFinite else { return number.isNaN ? "nan" : number < 0 ? "-inf" : "inf" }
    guard number != 0 else { return "0" }
    let (digits, exponent) = shortest(number.magnitude)
    let sign = number < 0 ? "-" : ""
    guard (-6..<21).contains(exponent) else {
      let fraction = digits.count > 1 ? "." + word(digits[1...]) : ""
      return sign + word(digits[..<1]) + fraction + (exponent < 0 ? "e-" : "e+")
        + String(exponent.magnitude)
    }
    if exponent < 0 {
      return sign + "0." + String(repeating: "0", count: -exponent - 1) + word(digits[...])
    }
    let whole = exponent + 1
    if digits.count <= whole {
      return sign + word(digits[...]) + String(repeating: "0", count: whole - digits.count)
    }
    return sign + word(digits[..<whole]) + "." + word(digits[whole...])
  }

  /// Its digits without zeros at either end, and the power of ten of the first one.
  private static func shortest(_ number: Double) -> (digits: [UInt8], exponent: Int) {
    var digits: [UInt8] = []
    var (exponent, written) = (-1, 0)
    var isNegative = false
    var part = Part.whole
    for byte in number.description.utf8 {
      switch byte {
      case UInt8(ascii: "."): part = .fraction
      case UInt8(ascii: "e"): part = .exponent
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if part == .exponent {
          written = written * 10 + Int(byte - UInt8(ascii: "0"))
        } else if !digits.isEmpty || byte != UInt8(ascii: "0") {
          digits.append(byte)
          if part == .whole { exponent += 1 }
        } else if part == .fraction {
          exponent -= 1
        }
      default: continue
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return (digits, exponent + (isNegative ? -written : written))
  }

  private enum Part {
    case whole, fraction, exponent
  }

  private static func word(_ digits: ArraySlice<UInt8>) -> String {
    String(decoding: digits, as: UTF8.self)
  }
}
