import BelfryCore

/// How deep a `userInfo` may nest in a worker message; the wire's own limit is lower.
private let depthLimit = 256

/// The kind of value that follows; integers and dates are short when small, so that no `userInfo`
/// takes more room here than in its JSON text, save for doubles of few digits.
private enum Tag {
  static let string: UInt8 = 1
  static let integer: UInt8 = 2
  static let double: UInt8 = 3
  static let isFalse: UInt8 = 4
  static let isTrue: UInt8 = 5
  static let date: UInt8 = 6
  static let data: UInt8 = 7
  static let array: UInt8 = 8
  static let dictionary: UInt8 = 9
  /// A double that is a whole number or a few decimals: its digits and its power of ten.
  static let decimal: UInt8 = 10
}

extension BinaryWriter {
  mutating func put(_ values: [String: PropertyList]) {
    put(count: values.count)
    for (key, value) in values {
      put(key)
      put(value)
    }
  }

  mutating func put(_ value: PropertyList) {
    switch value {
    case .string(let text):
      put(Tag.string)
      put(text)
    case .integer(let number):
      put(Tag.integer)
      put(signed: number)
    case .double(let number):
      putDouble(number)
    case .boolean(let flag):
      put(flag ? Tag.isTrue : Tag.isFalse)
    case .date(let instant):
      put(Tag.date)
      put(signed: instant.nanoseconds)
    case .data(let bytes):
      put(Tag.data)
      put(data: bytes)
    case .array(let items):
      put(Tag.array)
      put(count: items.count)
      for item in items { put(item) }
    case .dictionary(let members):
      put(Tag.dictionary)
      put(members)
    }
  }

  /// Doubles such as 0.1 take two digits' room, so that a list of them stays within the message.
  private mutating func putDouble(_ number: Double) {
    for (places, scale) in decimalScales.enumerated() {
      let scaled = number * scale
      guard scaled.magnitude < 1e6 else { break }
      let whole = Int64(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
      guard (Double(whole) / scale).bitPattern == number.bitPattern else { continue }
      put(Tag.decimal)
      put(UInt8(places))
      put(signed: whole)
      return
    }
    put(Tag.double)
    put(number)
  }
}

private let decimalScales: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

extension BinaryReader {
  mutating func dictionary(depth: Int) throws(WireError) -> [String: PropertyList] {
    let count = try length(of: 2, "userInfo")
    var values: [String: PropertyList] = [:]
    values.reserveCapacity(count)
    for _ in 0..<count {
      let key = try text("userInfo")
      let value = try propertyList(depth: depth + 1)
      guard values.updateValue(value, forKey: key) == nil else {
        throw failure(.duplicate, "userInfo: the same key twice")
      }
    }
    return values
  }

  mutating func propertyList(depth: Int) throws(WireError) -> PropertyList {
    guard depth <= depthLimit else { throw failure(.tooDeep, "userInfo: nested too deep") }
    switch try byte("userInfo") {
    case Tag.string: return .string(try text("userInfo"))
    case Tag.integer: return .integer(try signed("userInfo"))
    case Tag.double: return .double(try double("userInfo"))
    case Tag.decimal: return .double(try decimal())
    case Tag.isFalse: return .boolean(false)
    case Tag.isTrue: return .boolean(true)
    case Tag.date: return .date(Instant(nanoseconds: try signed("userInfo")))
    case Tag.data: return .data(try data("userInfo"))
    case Tag.array:
      let count = try length("userInfo")
      var items: [PropertyList] = []
      items.reserveCapacity(count)
      for _ in 0..<count { items.append(try propertyList(depth: depth + 1)) }
      return .array(items)
    case Tag.dictionary: return .dictionary(try dictionary(depth: depth))
    default: throw failure(.malformed, "userInfo: no such type")
    }
  }

  private mutating func decimal() throws(WireError) -> Double {
    let places = Int(try byte("userInfo"))
    guard places < decimalScales.count else {
      throw failure(.malformed, "userInfo: too many decimals")
    }
    return Double(try signed("userInfo")) / decimalScales[places]
  }
}
