import BelfryClient
import BelfryCore
import BelfrySystem

/// On a terminal the beginning of an identifier that was made is enough (`k7` for `k7d2mqxz`), where only one
/// of the app begins so. Of names that people give it is not, nor in a script: what has left the list since
/// would be taken for another (`alarm1` for `alarm10`).
enum IdentifierBeginning {
  /// Neither vowels, which make words, nor what is mistaken for another.
  private static let letters = Array("23456789bcdfghjkmnpqrstvwxyz".utf8)
  private static let length = 8

  /// A new identifier: short enough to type, and by chance like another of 512 once in a billion times.
  static func make() -> String {
    var number = Random.uuid().low
    var name: [UInt8] = []
    for _ in 0..<length {
      name.append(letters[Int(number % UInt64(letters.count))])
      number /= UInt64(letters.count)
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Such a one, or a UUID.
  static func isMade(_ name: String) -> Bool {
    name.utf8.count == length && name.utf8.allSatisfy { letters.contains($0) }
      || UUIDBits(text: name) != nil
  }

  /// The identifiers that the words stand for. `shown`: of what is shown or snoozed; else of what is
  /// scheduled or snoozed.
  static func complete(
    _ words: [String], shown: Bool = false, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> [String] {
    guard !words.isEmpty, Output.isTerminal(0), Output.isTerminal(Output.standard) else {
      return words
    }
    var names: [String] = []
    let app = context.app ?? "user.\(BelfrySystem.Process.uid)"
    try daemon.ask { client throws(ClientError) in
      for snoozed in [false, true] {
        try client.list(app: app, delivered: shown && !snoozed, snoozed: snoozed) { row in
          if let name = row.notification.identifier, !names.contains(name) { names.append(name) }
        }
      }
    }
    var completed: [String] = []
    for word in words { completed.append(try complete(word, among: names)) }
    return completed
  }

  /// The word itself where nothing begins so, or it is no beginning.
  static func complete(_ word: String, among names: [String]) throws(CommandError) -> String {
    guard !word.isEmpty, !isMade(word), !names.contains(word) else { return word }
    let meant = names.filter { isMade($0) && $0.utf8.starts(with: word.utf8) }
    guard let first = meant.first else { return word }
    if meant.count == 1 { return first }
    let rest = meant.count - min(meant.count, 4)
    throw .refused(
      "ID: \(FieldError.quoted(word)) begins several: "
        + meant.prefix(4).map { DisplayWidth.safe($0) }.joined(separator: ", ")
        + (rest > 0 ? " and " + counted(rest, "other") : ""))
  }
}
