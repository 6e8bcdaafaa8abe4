/// A value of a push's payload, as JSON has it (P1).
///
/// What ``PropertyListValue`` is for `userInfo`: `1`, `1.0` and `true` are three different values.
/// There is null, and neither dates nor data.
public enum PushValue: Hashable, Sendable {
  case null
  case string(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  case array([PushValue])
  case dictionary([String: PushValue])
}

extension PushValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(arrayLiteral elements: PushValue...) { self = .array(elements) }
  public init(nilLiteral: ()) { self = .null }

  /// Of keys given twice the last one stays.
  public init(dictionaryLiteral elements: (String, PushValue)...) {
    self = .dictionary(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

extension PushValue {
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

  public var array: [PushValue]? {
    if case .array(let value) = self { return value }
    return nil
  }

  public var dictionary: [String: PushValue]? {
    if case .dictionary(let value) = self { return value }
    return nil
  }

  /// A member of a dictionary; nil for other values too.
  public subscript(name: String) -> PushValue? { dictionary?[name] }
}
