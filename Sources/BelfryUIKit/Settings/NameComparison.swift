/// Names are bytes (A4): two spellings of one letter, which Swift takes for equal, are two.
extension String {
  func isName(_ other: String?) -> Bool {
    other.map { utf8.elementsEqual($0.utf8) } ?? false
  }
}

extension Optional where Wrapped == String {
  func isName(_ other: String?) -> Bool {
    map { $0.isName(other) } ?? (other == nil)
  }
}
