import BelfryCore

/// A JSON value (RFC 8259): integers apart from other numbers, an object's members in order.
public enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number without fraction and exponent that an `Int64` holds.
  case integer(Int64)
  /// Every other number, integers beyond an `Int64` too. Finite.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// The members of a JSON object, in order, no name twice.
public struct JSONObject: Hashable, Sendable {
  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue

    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  public private(set) var members: [Member] = []

  public init() {}

  /// For the parser, which has seen to it that no name comes twice.
  init(unique members: [Member]) {
    self.members = members
  }

  public var isEmpty: Bool { members.isEmpty }

  /// The value of a member, by linear search; setting nil removes it.
  public subscript(name: String) -> JSONValue? {
    get {
      for member in members where ByteString(member.name) == ByteString(name) {
        return member.value
      }
      return nil
    }
    set {
      for index in members.indices where ByteString(members[index].name) == ByteString(name) {
        if let newValue {
          members[index].value = newValue
        } else {
          members.remove(at: index)
        }
        return
      }
      if let newValue { members.append(Member(name: name, value: newValue)) }
    }
  }

  /// Adds a member whose name is known to be new.
  public mutating func append(_ name: String, _ value: JSONValue) {
    members.append(Member(name: name, value: value))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Of members given twice the last stays, in the first's place.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (name, value) in elements { self[name] = value }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }

  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  /// A member of an object; nil for other values too.
  public subscript(name: String) -> JSONValue? {
    if case .object(let object) = self { return object[name] }
    return nil
  }

  public var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  public var integer: Int64? {
    if case .integer(let value) = self { return value }
    return nil
  }

  public var boolean: Bool? {
    if case .boolean(let value) = self { return value }
    return nil
  }

  public var array: [JSONValue]? {
    if case .array(let value) = self { return value }
    return nil
  }

  public var object: JSONObject? {
    if case .object(let value) = self { return value }
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
}
