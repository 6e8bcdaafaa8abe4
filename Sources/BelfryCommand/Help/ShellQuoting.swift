import BelfryCore

/// Text made safe for a shell's single quotes.
enum ShellQuoting {
  static func single(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// For fish, which knows `\'` inside single quotes.
  static func fish(_ text: String) -> String {
    var quoted = "'"
    for character in text {
      if character == "'" || character == "\\" { quoted += "\\" }
      quoted.append(character)
    }
    return quoted + "'"
  }

  /// For zsh's `_arguments`, where `:` and brackets separate.
  static func zshDescription(_ text: String) -> String {
    var quoted = ""
    for character in text {
      if character == ":" || character == "[" || character == "]" || character == "\\" {
        quoted += "\\"
      }
      quoted.append(character)
    }
    return quoted
  }
}
