/// A text that is part of a value: the value is equal to another only where its bytes are (A4).
@propertyWrapper
public struct Bytewise<Text: BytewiseComparable>: Hashable, Sendable {
  public var wrappedValue: Text

  public init(wrappedValue: Text) {
    self.wrappedValue = wrappedValue
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.wrappedValue.hasBytes(of: right.wrappedValue)
  }

  public func hash(into hasher: inout Hasher) {
    wrappedValue.hashBytes(into: &hasher)
  }
}

/// A text, or what is made of texts.
public protocol BytewiseComparable: Sendable {
  func hasBytes(of other: Self) -> Bool
  func hashBytes(into hasher: inout Hasher)
}

extension String: BytewiseComparable {
  public func hasBytes(of other: String) -> Bool { self == other }
  public func hashBytes(into hasher: inout Hasher) { hasher.combine(ByteString(self)) }
}

extension Optional: BytewiseComparable where Wrapped == String {
  public func hasBytes(of other: String?) -> Bool { self == other }
  public func hashBytes(into hasher: inout Hasher) { hasher.combine(map { ByteString($0) }) }
}

extension Array: BytewiseComparable where Element == String {
  public func hasBytes(of other: [String]) -> Bool { self == other }
  public func hashBytes(into hasher: inout Hasher) {
    hasher.combine(map { ByteString($0) })
  }
}
