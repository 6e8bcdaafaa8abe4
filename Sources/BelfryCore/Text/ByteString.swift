/// A text that is compared byte by byte: a key, an option, a file's name.
///
/// `String` also finds texts equal that Unicode writes in two ways. Names are not meant so, and the
/// tables for it make 40 kB of a program that has no other use for them.
public struct ByteString: Hashable, Sendable, ExpressibleByStringLiteral {
  public var text: String

  public init(_ text: String) {
    self.text = text
  }

  public init(stringLiteral text: String) {
    self.text = text
  }

  public var utf8: String.UTF8View { text.utf8 }

  public static func == (left: ByteString, right: ByteString) -> Bool {
    left.text == right.text
  }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ByteString: Comparable {
  public static func < (left: ByteString, right: ByteString) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}
