/// Words of `FieldError`s that speak of outside text.
extension FieldError {
  /// This error, met in the value that `key` of an object has: its path gets `key` in front, or
  /// `["key"]` where the key would read as something else.
  public func under(key: String) -> FieldError {
    let path = Self.path(of: key)
    return under(field: path.utf8.first == UInt8(ascii: "[") ? path : "." + path)
  }

  /// A key of the outermost object as a path: itself, or `["key"]` where it would read as something
  /// else.
  public static func path(of key: String) -> String {
    readsAsName(key) ? key : "[" + quoted(key) + "]"
  }

  /// This error, met in an array's element: its path gets `[index]` in front.
  public func under(index: Int) -> FieldError {
    under(field: "[\(index)]")
  }

  /// This error, met in a field of an object: its path gets `field` in front, as in
  /// `notifications[3].alertBody`.
  public func under(field outer: String) -> FieldError {
    var error = self
    switch field.utf8.first {
    case nil, UInt8(ascii: "."), UInt8(ascii: "["): error.field = outer + field
    default: error.field = outer + "." + field
    }
    return error
  }

  private static func readsAsName(_ key: String) -> Bool {
    guard !key.isEmpty, key.utf8.count <= 64 else { return false }
    return key.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "$": true
      default: scalar.value >= 0xA0
      }
    }
  }

  /// Outside text in quotation marks, cut at 64 characters and without control characters, so
  /// that it may stand in a log or on a terminal.
  public static func quoted(_ text: String) -> String {
    var shown = "\""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == 64 { return shown + "…\"" }
      shown.unicodeScalars.append(isControl(scalar) ? "\u{FFFD}" : scalar)
      count += 1
    }
    return shown + "\""
  }

  /// Outside text with its control characters replaced, whole.
  public static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { shown.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
    return String(shown)
  }

  /// C0, DEL and C1.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (scalar.value >= 0x7F && scalar.value < 0xA0)
  }
}
