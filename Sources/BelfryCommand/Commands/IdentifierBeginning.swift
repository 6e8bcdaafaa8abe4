import BelfryClient
import BelfryCore
import BelfrySystem

/// On a terminal the beginning of an identifier is enough where only one of the app begins so. In a
/// script it is not: what has left the list since would be taken for another.
enum IdentifierBeginning {
  /// The identifiers that the words stand for. `shown`: of what is shown or snoozed; else of what is
  /// scheduled or snoozed.
  static func complete(
    _ words: [String], shown: Bool = false, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> [String] {
    guard !words.isEmpty, Output.isTerminal(0), Output.isTerminal(Output.standard) else {
      return words
    }
    var names: [String] = []
    try daemon.ask { client throws(ClientError) in
      for snoozed in [false, true] {
        try client.list(app: context.app, delivered: shown && !snoozed, snoozed: snoozed) { row in
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
    let meant = names.filter { $0.utf8.starts(with: word.utf8) }
    guard !word.isEmpty, let first = meant.first, !meant.contains(word) else { return word }
    if meant.count == 1 { return first }
    let rest = meant.count - min(meant.count, 4)
    throw .refused(
      "ID: \(FieldError.quoted(word)) begins several: "
        + meant.prefix(4).map { DisplayWidth.safe($0) }.joined(separator: ", ")
        + (rest > 0 ? " and " + counted(rest, "other") : ""))
  }
}
