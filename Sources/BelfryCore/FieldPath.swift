/// Words of `FieldError`s that speak of outside text.
extension FieldError {
  /// This error, met in the value that `key` of an object has: its path gets `.key` in front, or
  /// `["key"]` where the key would read as something else.
  public func under(key: String) -> FieldError {
    var error = self
    let name = Self.readsAsName(key) ? "." + key : "[" + Self.quoted(key) + "]"
    error.field = name + field
    return error
  }

  /// This error, met in an array's element: its path gets `[index]` in front.
  public func under(index: Int) -> FieldError {
    var error = self
    error.field = "[\(index)]" + field
    return error
  }

  /// This error, met in a field of the outermost object: its path gets `field` in front.
  public func under(field root: String) -> FieldError {
    var error = self
    error.field = root + field
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

  /// C0, DEL and C1.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (scalar.value >= 0x7F && scalar.value < 0xA0)
  }
}
