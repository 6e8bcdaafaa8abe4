/// A sample format of a device, little-endian.
public enum SampleFormat: Sendable, Hashable, CaseIterable {
  case unsigned8
  case integer16
  /// 24 bits in three bytes.
  case integer24
  /// 24 bits in the low three of four bytes.
  case wide24
  case integer32
  case float32
  case float64

  init(of encoding: SampleEncoding) {
    switch encoding {
    case .integer(let bytes, _, _, let unsigned):
      switch bytes {
      case 1: self = unsigned ? .unsigned8 : .integer16
      case 2: self = .integer16
      case 3: self = .integer24
      default: self = .integer32
      }
    case .float(let bytes, _): self = bytes == 8 ? .float64 : .float32
    default: self = .integer16
    }
  }

  var bytes: Int {
    switch self {
    case .unsigned8: 1
    case .integer16: 2
    case .integer24: 3
    case .wide24, .integer32, .float32: 4
    case .float64: 8
    }
  }

  /// Of which silence is made.
  var silence: UInt8 { self == .unsigned8 ? 0x80 : 0 }

  /// The formats to ask a device for, best first: the sound's own, then what holds it exactly, then
  /// what loses least.
  var preferences: [SampleFormat] {
    switch self {
    case .unsigned8:
      [.unsigned8, .integer16, .integer32, .integer24, .wide24, .float32, .float64]
    case .integer16:
      [.integer16, .integer32, .integer24, .wide24, .float32, .float64, .unsigned8]
    case .integer24, .wide24:
      [.integer24, .wide24, .integer32, .float32, .float64, .integer16, .unsigned8]
    case .integer32:
      [.integer32, .float64, .integer24, .wide24, .float32, .integer16, .unsigned8]
    case .float32:
      [.float32, .float64, .integer32, .integer24, .wide24, .integer16, .unsigned8]
    case .float64:
      [.float64, .float32, .integer32, .integer24, .wide24, .integer16, .unsigned8]
    }
  }

  /// Writes numbers from -1 to 1 as samples of this shape, nearest and clamped, after multiplying
  /// them by `gain`.
  func write(
    _ samples: UnsafeBufferPointer<Double>, gain: Double, to target: inout [UInt8]
  ) {
    target.removeAll(keepingCapacity: true)
    target.reserveCapacity(samples.count * bytes)
    for sample in samples {
      let value = sample * gain
      switch self {
      case .unsigned8: target.append(UInt8(Self.quantise(value, bits: 8) + 128))
      case .integer16: Self.append(UInt64(bitPattern: Self.quantise(value, bits: 16)), 2, &target)
      case .integer24: Self.append(UInt64(bitPattern: Self.quantise(value, bits: 24)), 3, &target)
      case .wide24: Self.append(UInt64(bitPattern: Self.quantise(value, bits: 24)), 4, &target)
      case .integer32: Self.append(UInt64(bitPattern: Self.quantise(value, bits: 32)), 4, &target)
      case .float32: Self.append(UInt64(Float(value).bitPattern), 4, &target)
      case .float64: Self.append(value.bitPattern, 8, &target)
      }
    }
  }

  private static func quantise(_ value: Double, bits: Int64) -> Int64 {
    let full = Double(Int64(1) << (bits - 1))
    let scaled = value * full
    if scaled >= full - 1 { return Int64(full) - 1 }
    if scaled <= -full { return -Int64(full) }
    // Truncation towards zero after half a step away from it: no libm.
    return Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
  }

  private static func append(_ bits: UInt64, _ count: Int, _ target: inout [UInt8]) {
    for index in 0..<count { target.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(index)))) }
  }
}
