import Foundation

/// Between `[AnyHashable: Any]`, as UIKit and `PropertyListSerialization` have it, and values that
/// keep their types apart.
extension PropertyListValue {
  /// Reads a property list of Foundation's or Swift's own types.
  ///
  /// Throws a `SchedulerError` whose field is the path of what is none, such as `a.b[3]`: null, a
  /// key that is no string, an integer beyond 64 bits, any other type.
  public init(_ value: Any) throws(SchedulerError) {
    self = try Self.read(value, path: "")
  }

  /// Reads a `userInfo`; paths of its errors begin with `userInfo`.
  public static func userInfo(
    _ pairs: [AnyHashable: Any]
  ) throws(SchedulerError) -> [String: PropertyListValue] {
    try read(pairs, path: "userInfo")
  }

  /// The value as Swift and Foundation have it: `String`, `Int`, `Double`, `Bool`, `Date`, `Data`,
  /// `[Any]`, `[String: Any]`.
  public var any: Any {
    switch self {
    case .string(let value): value
    case .integer(let value): Int(exactly: value) ?? value
    case .double(let value): value
    case .boolean(let value): value
    case .date(let value): value
    case .data(let value): value
    case .array(let elements): elements.map { $0.any }
    case .dictionary(let pairs): pairs.mapValues { $0.any }
    }
  }

  private static func read(_ value: Any, path: String) throws(SchedulerError) -> Self {
    // Casting would make one of these any type that it can be bridged to, 1 and 1.0 a boolean.
    if type(of: value) is AnyClass, let number = value as? NSNumber {
      return try read(number: number, path: path)
    }
    switch value {
    case let value as PropertyListValue: return value
    case let value as String: return .string(value)
    case let value as Bool: return .boolean(value)
    case let value as any BinaryFloatingPoint: return .double(Double(value))
    case let value as any BinaryInteger: return try read(integer: value, path: path)
    case let value as Date: return .date(value)
    case let value as Data: return .data(value)
    case let value as [Any]: return .array(try read(value, path: path))
    case let value as [AnyHashable: Any]: return .dictionary(try read(value, path: path))
    default:
      throw SchedulerError(
        .wrongType, field: path,
        "this is no property-list type: \(value is NSNull ? "null" : "\(type(of: value))")")
    }
  }

  private static func read(
    integer: any BinaryInteger, path: String
  ) throws(SchedulerError) -> Self {
    guard let value = Int64(exactly: integer) else {
      throw SchedulerError(.outOfRange, field: path, "no number of 64 bits is that large")
    }
    return .integer(value)
  }

  private static func read(number: NSNumber, path: String) throws(SchedulerError) -> Self {
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "c"), UInt8(ascii: "B"): return .boolean(number.boolValue)
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return .double(number.doubleValue)
    case UInt8(ascii: "Q"): return try read(integer: number.uint64Value, path: path)
    default: return .integer(number.int64Value)
    }
  }

  private static func read(_ items: [Any], path: String) throws(SchedulerError) -> [Self] {
    var elements: [Self] = []
    elements.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      elements.append(try read(item, path: "\(path)[\(index)]"))
    }
    return elements
  }

  private static func read(
    _ pairs: [AnyHashable: Any], path: String
  ) throws(SchedulerError) -> [String: Self] {
    var read: [String: Self] = [:]
    for (key, value) in pairs {
      guard let name = key.base as? String else {
        throw SchedulerError(.wrongType, field: path, "the key \(key) is no string")
      }
      read[name] = try Self.read(value, path: path.isEmpty ? name : "\(path).\(name)")
    }
    return read
  }
}
