/// Texts are equal where their bytes are (A4): in every module of this package that imports this one.
/// An app that uses the libraries keeps Swift's own.
///
/// Swift's own `==` takes two spellings of one letter for one (U+00E9; e with U+0301). Names are not
/// meant so: ids, keys, actions, categories, sounds, apps, files. These stand before Swift's in what
/// is written out; what is generic still asks Swift's, so the keys of dictionaries and the elements
/// of sets are `ByteString`, as `.ci/layout` sees to.
extension String {
  package static func == (left: String, right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }

  package static func != (left: String, right: String) -> Bool { !(left == right) }

  /// In a `switch`.
  package static func ~= (pattern: String, text: String) -> Bool { pattern == text }
}

extension Optional where Wrapped == String {
  package static func == (left: String?, right: String?) -> Bool {
    switch (left, right) {
    case (let left?, let right?): left == right
    case (nil, nil): true
    default: false
    }
  }

  package static func != (left: String?, right: String?) -> Bool { !(left == right) }
}

extension Sequence where Element == String {
  package func contains(_ text: String) -> Bool { contains { $0 == text } }
}

extension Collection where Element == String {
  package func firstIndex(of text: String) -> Index? { firstIndex { $0 == text } }
}

extension Array where Element == String {
  package static func == (left: [String], right: [String]) -> Bool {
    left.elementsEqual(right) { $0 == $1 }
  }

  package static func != (left: [String], right: [String]) -> Bool { !(left == right) }
}

extension Dictionary where Key == ByteString {
  package subscript(name: String) -> Value? {
    get { self[ByteString(name)] }
    set { self[ByteString(name)] = newValue }
  }

  package subscript(name: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ByteString(name)] ?? value() }
    set { self[ByteString(name)] = newValue }
  }
}

extension Set where Element == ByteString {
  package func contains(_ name: String) -> Bool { contains(ByteString(name)) }

  package mutating func remove(_ name: String) { remove(ByteString(name)) }

  @discardableResult
  package mutating func insert(
    _ name: String
  ) -> (inserted: Bool, memberAfterInsert: ByteString) {
    insert(ByteString(name))
  }
}
