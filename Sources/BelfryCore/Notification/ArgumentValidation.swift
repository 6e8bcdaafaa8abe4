extension Notification {
  /// Throws unless the arguments of the texts are few, and strings, numbers or dates (L2); the error
  /// has the index.
  func checkArguments() throws(FieldError) {
    try Self.check(alertLocalizationArgs, "alertLocalizationArgs")
    try Self.check(alertTitleLocalizationArgs, "alertTitleLocalizationArgs")
    try Self.check(alertSubtitleLocalizationArgs, "alertSubtitleLocalizationArgs")
    try Self.check(alertActionLocalizationArgs, "alertActionLocalizationArgs")
  }

  private static func check(
    _ arguments: [PropertyList], _ field: String
  ) throws(FieldError) {
    guard !arguments.isEmpty else { return }
    guard arguments.count <= Limit.arguments else {
      throw FieldError(
        field, .tooLong, "at most \(Limit.arguments) arguments are allowed, not \(arguments.count)")
    }
    for (index, argument) in arguments.enumerated() {
      do throws(FieldError) {
        try check(argument)
      } catch {
        throw error.under(index: index).under(field: field)
      }
    }
    let size = PropertyList.array(arguments).encodedSize
    guard size <= Limit.argumentBytes else {
      throw FieldError(
        field, .tooLong,
        "at most \(Limit.argumentBytes) bytes of arguments are allowed, not \(size) (as JSON)")
    }
  }

  private static func check(_ argument: PropertyList) throws(FieldError) {
    switch argument {
    case .integer, .date: return
    case .string(let text):
      guard !text.utf8.contains(0) else {
        throw FieldError("", .malformed, "a text must not contain the NUL character")
      }
    case .double(let number):
      guard number.isFinite else {
        throw FieldError("", .outOfRange, "a double must be a finite number")
      }
    case .boolean, .data, .array, .dictionary:
      throw FieldError("", .wrongType, "an argument is a string, a number or a date")
    }
  }
}
