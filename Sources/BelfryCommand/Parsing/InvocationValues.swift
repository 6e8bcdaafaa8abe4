import BelfryCore

/// Arguments of options as what they must be; wrong ones are named with their option.
extension Invocation {
  /// A whole number; nil: not given.
  func integer(_ name: OptionName) throws(CommandError) -> Int64? {
    guard let text = value(name) else { return nil }
    if let number = Int64(text) { return number }
    throw .usage("--" + name.rawValue + ": no whole number: " + FieldError.quoted(text))
  }

  /// One of an enumeration's words; `what` they are.
  func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ name: OptionName, _ what: String
  ) throws(CommandError) -> Value? {
    guard let text = value(name) else { return nil }
    if let value = Value(rawValue: text) { return value }
    let names = Value.allCases.map { $0.rawValue }
    throw .usage(
      "--" + name.rawValue + ": no " + what + " " + FieldError.quoted(text)
        + CommandLineParser.suggestion(text, among: names, prefix: "") + " (one of "
        + names.joined(separator: ", ") + ")")
  }

  /// `90s`, `10m`, `1h30m`, `2d`, in nanoseconds.
  func duration(_ name: OptionName) throws(CommandError) -> Int64? {
    guard let text = value(name) else { return nil }
    do throws(FieldError) {
      return try Duration.parse(text, field: "--" + name.rawValue)
    } catch {
      if error.code == .outOfRange { throw .refused(error.field + ": " + error.reason) }
      throw .usage(
        error.field + ": no duration in " + FieldError.quoted(text)
          + "; write 90s, 10m, 1h30m, 2d")
    }
  }
}
