import BelfryCore

/// Arguments of options as what they must be; wrong ones are named with their option.
extension Invocation {
  /// A whole number; nil: not given.
  func integer(_ name: OptionName) throws(CommandError) -> Int64? {
    guard let text = value(name) else { return nil }
    if let number = Int64(text) { return number }
    throw .usage("--" + name.rawValue + ": " + FieldError.quoted(text) + " is not a whole number")
  }

  /// One of an enumeration's words; `what` they are.
  func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ name: OptionName, _ what: String
  ) throws(CommandError) -> Value? {
    guard let text = value(name) else { return nil }
    if let value = Value(rawValue: text) { return value }
    let names = Value.allCases.map { $0.rawValue }
    throw .usage(
      "--" + name.rawValue + ": there is no " + what + " " + FieldError.quoted(text)
        + CommandLineParser.suggestion(text, among: names, prefix: "") + " (one of "
        + names.joined(separator: ", ") + ")")
  }

  /// A DURATION, in nanoseconds.
  func duration(_ name: OptionName) throws(CommandError) -> Int64? {
    guard let text = value(name) else { return nil }
    return try DurationArgument.parse(text, "--" + name.rawValue)
  }
}
