import BelfryCore

/// Arguments of options as what they must be; wrong ones are named with their option.
extension Invocation {
  /// A whole number; nil: not given.
  func integer(_ name: OptionName) throws(CommandError) -> Int64? {
    guard let text = value(name) else { return nil }
    let written = name == .number ? "-n" : "--" + name.rawValue
    // A sign promises that it is added.
    if !text.hasPrefix("+"), let number = Int64(text) { return number }
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    if !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) {
      throw .outOfRange(written + ": " + FieldError.quoted(text) + " is far too large")
    }
    let bare = String(text.dropFirst())
    throw .usage(
      written + ": " + FieldError.quoted(text) + " is not a whole number"
        + (name == .badge && text.hasPrefix("+") && Int64(bare) != nil
          ? "; it is set, not added to: did you mean \(bare)?" : ""))
  }

  /// How many rows are wanted; nil: all.
  func rows() throws(CommandError) -> Int64? {
    guard let number = try integer(.limit) else { return nil }
    guard number > 0 else { throw .outOfRange("-n, --limit: must be at least 1") }
    return number
  }

  /// A whole number within bounds; `what` it counts, such as ` of bytes`.
  func integer(
    _ name: OptionName, in range: ClosedRange<Int64>, of what: String = ""
  ) throws(CommandError) -> Int64? {
    guard let number = try integer(name) else { return nil }
    guard range.contains(number) else {
      throw .outOfRange(
        (name == .number ? "-n" : "--" + name.rawValue) + ": \(number) is not a number\(what) from "
          + "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// One of an enumeration's words; `what` they are.
  func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ name: OptionName, _ what: String
  ) throws(CommandError) -> Value? {
    guard let text = value(name) else { return nil }
    if let value = Value(rawValue: text) { return value }
    let names = Value.allCases.map { $0.rawValue }
    throw .usage(
      "--" + name.rawValue + ": " + FieldError.unknownWord(text, among: names, what: what))
  }

  /// Names, each the argument of an option of its own.
  func names(_ option: OptionName) throws(CommandError) -> [String] {
    let names = values(option)
    guard let list = names.first(where: { $0.utf8.contains(UInt8(ascii: ",")) }) else {
      return names
    }
    let written = "--" + option.rawValue
    throw .usage(
      "\(written): \(FieldError.quoted(list)) is no name; give it once for each: \(written) "
        + list.split(separator: ",").joined(separator: " \(written) "))
  }

  /// A DURATION, in nanoseconds.
  func duration(_ name: OptionName) throws(CommandError) -> Int64? {
    guard let text = value(name) else { return nil }
    return try DurationArgument.parse(text, "--" + name.rawValue)
  }
}
