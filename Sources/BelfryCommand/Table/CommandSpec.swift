/// One command as the table describes it.
struct CommandSpec: Sendable {
  struct Example: Sendable {
    var line: String
    var says: String

    init(_ line: String, _ says: String) {
      self.line = line
      self.says = says
    }
  }

  /// How many words may follow the options.
  enum Operands: Sendable {
    case none
    /// Exactly these, by their names in help.
    case one(String)
    case optional(String)
    case several(String)
    /// So many as the words say; the command counts them.
    case words(String)
  }

  /// One word, or two for those of a family (`sound play`).
  var name: String
  /// One line, a sentence without its subject.
  var summary: String
  /// Paragraphs for `--help` and the man page.
  var details: [String]
  var operands: Operands
  /// What a shell offers for the operands.
  var completion: OptionSpec.Completion
  /// Its own options; the common ones come on top.
  var options: [OptionName]
  var examples: [Example]

  init(
    _ name: String, _ summary: String, details: [String] = [], operands: Operands = .none,
    completion: OptionSpec.Completion = .nothing, options: [OptionName] = [],
    examples: [Example] = []
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.operands = operands
    self.completion = completion
    self.options = options
    self.examples = examples
  }

  /// The first word of the name.
  var family: String {
    String(name.split(separator: " ", maxSplits: 1)[0])
  }

  /// The second word; nil: the command stands alone.
  var member: String? {
    let words = name.split(separator: " ", maxSplits: 1)
    return words.count == 2 ? String(words[1]) : nil
  }

  var operandText: String {
    switch operands {
    case .none: ""
    case .one(let name): name
    case .optional(let name): "[" + name + "]"
    case .several(let name): name + ".."
    case .words(let words): words
    }
  }
}
