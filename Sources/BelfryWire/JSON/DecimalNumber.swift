/// Decimal text to numbers, exactly rounded, without the C library.
enum DecimalNumber {
  /// The integer that `-?[0-9]+` writes; nil where an `Int64` does not hold it.
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let negative = text.first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in text[(negative ? 1 : 0)...] {
      let digit = Int64(byte) - 0x30
      let (product, over) = value.multipliedReportingOverflow(by: 10)
      let (sum, beyond) =
        negative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      guard !over, !beyond else { return nil }
      value = sum
    }
    return value
  }

  /// The double nearest to a JSON number, ties to even; nil where it is beyond every double.
  static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    let decimal = Decimal(text)
    guard let magnitude = decimal.magnitude() else { return nil }
    return decimal.negative ? -magnitude : magnitude
  }
}

/// Significant digits and a power of ten: `digits × 10^exponent`.
private struct Decimal {
  /// Digits beyond these cannot move a result but by not being zero, which one more digit says.
  private static let digitLimit = 800
  private static let exact: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  var negative = false
  private var exponent = 0
  /// Up to 19 digits; the others, if any, are in `more`.
  private var head: UInt64 = 0
  private var headCount = 0
  private var more: [UInt8] = []

  init(_ text: UnsafeBufferPointer<UInt8>) {
    var index = 0
    if text[0] == UInt8(ascii: "-") {
      negative = true
      index = 1
    }
    var inFraction = false
    var dropped = false
    while index < text.count, text[index] | 0x20 != UInt8(ascii: "e") {
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: ".") {
        inFraction = true
        continue
      }
      let kept = add(byte - 0x30)
      if !kept, byte != 0x30 { dropped = true }
      if kept, inFraction { exponent -= 1 }
      if !kept, !inFraction { exponent += 1 }
    }
    if dropped {
      more.append(1)
      exponent -= 1
    }
    if index < text.count { addExponent(text[(index + 1)...]) }
  }

  /// False: beyond the limit, not kept.
  private mutating func add(_ digit: UInt8) -> Bool {
    if headCount < 19 {
      if headCount > 0 || digit > 0 { headCount += 1 }
      head = head * 10 + UInt64(digit)
      return true
    }
    guard more.count < Decimal.digitLimit else { return false }
    more.append(digit)
    return true
  }

  private mutating func addExponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    var value = 0
    for byte in text where byte &- 0x30 < 10 {
      value = min(value * 10 + Int(byte - 0x30), 10_000_000)
    }
    exponent += text.first == UInt8(ascii: "-") ? -value : value
  }

  func magnitude() -> Double? {
    guard head != 0 else { return 0 }
    if more.isEmpty, head <= 1 << 53, exponent.magnitude <= 22 {
      let power = Decimal.exact[Int(exponent.magnitude)]
      return exponent < 0 ? Double(head) / power : Double(head) * power
    }
    let magnitude = headCount + more.count + exponent
    if magnitude > 310 { return nil }
    if magnitude < -330 { return 0 }
    var number = BigNumber(head)
    for digit in more { number.multiply(by: 10, adding: UInt64(digit)) }
    if exponent >= 0 {
      number.multiply(byPowerOfFive: exponent)
      let (top, power, inexact) = number.leading()
      return assemble(top, power + exponent, inexact)
    }
    var divisor = BigNumber(1)
    divisor.multiply(byPowerOfFive: -exponent)
    let shift = divisor.bitCount + 63 - number.bitCount
    if shift >= 0 { number.shiftLeft(shift) } else { divisor.shiftLeft(-shift) }
    let (quotient, inexact) = number.divided(by: divisor)
    return assemble(quotient, exponent - shift, inexact)
  }

  /// `value × 2^power`, a little more if `inexact`, rounded to a double; nil: beyond.
  private func assemble(_ value: UInt64, _ power: Int, _ inexact: Bool) -> Double? {
    let zeros = value.leadingZeroBitCount
    let bits = value << UInt64(zeros)
    let top = power - zeros + 63
    let precision = top >= -1022 ? 53 : 53 - (-1022 - top)
    guard top <= 1023 else { return nil }
    guard precision >= 0 else { return 0 }
    let drop = UInt64(64 - precision)
    var kept = precision == 0 ? 0 : bits >> drop
    let half: UInt64 = 1 << (drop - 1)
    let rest = precision == 0 ? bits : bits & ((1 << drop) - 1)
    if rest > half || (rest == half && (inexact || kept & 1 == 1)) { kept += 1 }
    let pattern = top >= -1022 ? UInt64(top + 1022) << 52 + kept : kept
    let result = Double(bitPattern: pattern)
    return result.isFinite ? result : nil
  }
}

/// A natural number of any size, lowest limb first, no zero limb at the top.
private struct BigNumber {
  private var limbs: [UInt64]

  init(_ value: UInt64) {
    limbs = [value]
    limbs.reserveCapacity(16)
  }

  var bitCount: Int {
    limbs.count * 64 - limbs[limbs.count - 1].leadingZeroBitCount
  }

  mutating func multiply(by factor: UInt64, adding carry: UInt64 = 0) {
    var carry = carry
    for index in limbs.indices {
      let (high, low) = limbs[index].multipliedFullWidth(by: factor)
      let (sum, over) = low.addingReportingOverflow(carry)
      limbs[index] = sum
      carry = high &+ (over ? 1 : 0)
    }
    if carry != 0 { limbs.append(carry) }
  }

  mutating func multiply(byPowerOfFive power: Int) {
    var rest = power
    while rest >= 27 {
      multiply(by: 7_450_580_596_923_828_125)
      rest -= 27
    }
    var factor: UInt64 = 1
    for _ in 0..<rest { factor *= 5 }
    multiply(by: factor)
  }

  mutating func shiftLeft(_ count: Int) {
    let (words, bits) = (count / 64, UInt64(count % 64))
    if bits > 0 {
      var carry: UInt64 = 0
      for index in limbs.indices {
        let limb = limbs[index]
        limbs[index] = limb << bits | carry
        carry = limb >> (64 - bits)
      }
      if carry != 0 { limbs.append(carry) }
    }
    limbs.insert(contentsOf: repeatElement(0, count: words), at: 0)
  }

  /// The highest 64 bits, the power of two they stand at, and whether lower bits are set.
  func leading() -> (UInt64, power: Int, inexact: Bool) {
    let count = limbs.count
    guard count > 1 else { return (limbs[0], 0, false) }
    let zeros = UInt64(limbs[count - 1].leadingZeroBitCount)
    var value = limbs[count - 1] << zeros
    var inexact = false
    if zeros > 0 { value |= limbs[count - 2] >> (64 - zeros) }
    if limbs[count - 2] << zeros != 0 { inexact = true }
    for index in 0..<count - 2 where limbs[index] != 0 { inexact = true }
    return (value, (count - 1) * 64 - Int(zeros), inexact)
  }

  /// The quotient, which must be below 2^64, and whether there is a remainder; one step of long
  /// division (Knuth, volume 2, 4.3.1, algorithm D).
  func divided(by divisor: BigNumber) -> (UInt64, inexact: Bool) {
    var (rest, divisor) = (self, divisor)
    let zeros = divisor.limbs[divisor.limbs.count - 1].leadingZeroBitCount
    rest.shiftLeft(zeros)
    divisor.shiftLeft(zeros)
    let count = divisor.limbs.count
    while rest.limbs.count <= count { rest.limbs.append(0) }
    let top = divisor.limbs[count - 1]
    var quotient =
      rest.limbs[count] >= top
      ? UInt64.max : top.dividingFullWidth((rest.limbs[count], rest.limbs[count - 1])).quotient
    var negative = rest.subtract(divisor, times: quotient)
    while negative {
      quotient -= 1
      negative = !rest.add(divisor)
    }
    for limb in rest.limbs where limb != 0 { return (quotient, true) }
    return (quotient, false)
  }

  /// True: the result is below zero and has been kept modulo its size.
  private mutating func subtract(_ other: BigNumber, times factor: UInt64) -> Bool {
    var carry: UInt64 = 0
    for index in other.limbs.indices {
      let (high, low) = other.limbs[index].multipliedFullWidth(by: factor)
      let (sum, over) = low.addingReportingOverflow(carry)
      let (difference, below) = limbs[index].subtractingReportingOverflow(sum)
      limbs[index] = difference
      carry = high &+ (over ? 1 : 0) &+ (below ? 1 : 0)
    }
    let last = other.limbs.count
    let (difference, below) = limbs[last].subtractingReportingOverflow(carry)
    limbs[last] = difference
    return below
  }

  /// True: it passed zero upwards.
  private mutating func add(_ other: BigNumber) -> Bool {
    var carry: UInt64 = 0
    for index in other.limbs.indices {
      let (sum, over) = limbs[index].addingReportingOverflow(other.limbs[index])
      let (whole, beyond) = sum.addingReportingOverflow(carry)
      limbs[index] = whole
      carry = (over ? 1 : 0) + (beyond ? 1 : 0)
    }
    let last = other.limbs.count
    let (sum, over) = limbs[last].addingReportingOverflow(carry)
    limbs[last] = sum
    return over
  }
}
