import Foundation

/// Where stand-ins say what a screen would show.
enum HeadlessLog {
  /// One line to standard error; line ends and other control characters inside it become spaces.
  static func write(_ line: String) {
    let clean = String(
      String.UnicodeScalarView(
        line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    FileHandle.standardError.write(Data((clean + "\n").utf8))
  }

  static func alert(_ kind: String, title: String?, message: String?, choices: [String]) {
    let text = [title, message].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
    write("\(kind): \(text) [\(choices.joined(separator: ", "))]")
  }
}
