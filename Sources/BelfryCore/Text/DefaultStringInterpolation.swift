// Every `"… \(x) …"` in a module that imports this one is built by these functions. The standard
// library's own append the same, but are inlined wherever they are used: some 200 bytes for each
// piece of each sentence, which made a good part of the lean programs.
extension DefaultStringInterpolation {
  /// Appends the text before, between or after the values.
  @inline(never)
  public mutating func appendLiteral(_ literal: String) {
    write(literal)
  }

  /// Appends a text.
  @inline(never)
  public mutating func appendInterpolation(_ text: String) {
    write(text)
  }

  /// Appends a whole number in decimal.
  @inline(never)
  public mutating func appendInterpolation(_ number: some FixedWidthInteger) {
    write(String(number))
  }
}
