import BelfryClient
import BelfryCore
import BelfrySystem

/// On a terminal the beginning of an identifier is enough (`k7` for `k7d2mqxz`), where only one of the app
/// begins so. Of names that people give it is asked whether that one is meant: what has left the list since
/// would be taken for another (`alarm1` for `alarm10`). Where nobody can be asked, it is not.
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
    let listed = try identifiers(delivered: false, daemon, context)
    let delivered = try identifiers(delivered: true, daemon, context)
    let snoozed = try identifiers(snoozed: true, daemon, context)
    let names = (shown ? delivered : listed) + snoozed
    var completed: [String] = []
    for word in words {
      let isWhole = (listed + delivered + snoozed).contains(word)
      let made = isWhole ? word : try complete(word, among: names)
      completed.append(isWhole || made != word ? made : named(word, among: names, context))
    }
    return completed
  }

  private static func identifiers(
    delivered: Bool = false, snoozed: Bool = false, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> [String] {
    var names: [String] = []
    let app = context.ownApp
    try daemon.ask { client throws(ClientError) in
      try client.list(app: app, delivered: delivered, snoozed: snoozed) { row in
        if let name = row.notification.identifier, !names.contains(name) { names.append(name) }
      }
    }
    return names
  }

  /// `word`, where nobody is asked or the only one that begins so is not meant.
  private static func named(
    _ word: String, among names: [String], _ context: CommandContext
  ) -> String {
    var begun: [String] = []
    for name in names where name.utf8.starts(with: word.utf8) && !begun.contains(name) {
      begun.append(name)
    }
    guard !word.isEmpty, begun.count == 1, let name = begun.first, !context.json,
      !context.given.has(.yes), Output.isTerminal(Output.error)
    else { return word }
    return context.confirms("nothing is called \(word); do you mean \(name)?") ? name : word
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
