import Foundation

/// A value of `LocalNotification.userInfo`: property-list types only, kept apart from each other
/// (N12): `1`, `1.0` and `true` are three different values, through the socket and back.
///
/// Dates have whole microseconds when they come back; setting `userInfo` rounds them at once, so
/// that equality survives the trip.
public enum PropertyListValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  case date(Date)
  case data(Data)
  case array([PropertyListValue])
  case dictionary([String: PropertyListValue])

  /// The same with every date rounded to whole microseconds.
  var roundedToMicroseconds: PropertyListValue {
    switch self {
    case .date(let date): .date(date.roundedToMicroseconds)
    case .array(let elements): .array(elements.roundedToMicroseconds)
    case .dictionary(let pairs): .dictionary(pairs.mapValues { $0.roundedToMicroseconds })
    default: self
    }
  }
}

extension [PropertyListValue] {
  var roundedToMicroseconds: [PropertyListValue] { map { $0.roundedToMicroseconds } }
}

extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }

  /// Of keys given twice the last one stays.
  public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self = .dictionary(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

extension PropertyListValue {
  public var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  public var integer: Int64? {
    if case .integer(let value) = self { return value }
    return nil
  }

  /// Any number.
  public var number: Double? {
    switch self {
    case .integer(let value): return Double(value)
    case .double(let value): return value
    default: return nil
    }
  }

  public var boolean: Bool? {
    if case .boolean(let value) = self { return value }
    return nil
  }

  public var date: Date? {
    if case .date(let value) = self { return value }
    return nil
  }

  public var data: Data? {
    if case .data(let value) = self { return value }
    return nil
  }

  public var array: [PropertyListValue]? {
    if case .array(let value) = self { return value }
    return nil
  }

  public var dictionary: [String: PropertyListValue]? {
    if case .dictionary(let value) = self { return value }
    return nil
  }
}
