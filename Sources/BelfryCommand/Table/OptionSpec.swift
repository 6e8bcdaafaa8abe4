/// One option as the table describes it: parsing, help, completions and the man page are made of
/// this alone.
struct OptionSpec: Sendable {
  /// The heading that help lists it under.
  enum Group: CaseIterable, Sendable {
    case what, when, repeating, selecting, common

    var title: String {
      switch self {
      case .what: "What is delivered"
      case .when: "When (one of these)"
      case .repeating: "Repeating and lateness"
      case .selecting: "Options"
      case .common: "Everywhere"
      }
    }
  }

  /// What a shell offers for the argument.
  enum Completion: Sendable {
    case nothing
    case words([String])
    case file
    /// The commands' names, and the topics of help.
    case commands
    /// What this machine has.
    case asked(CompletionWords)
  }

  var name: OptionName
  /// ASCII of the one-letter form; 0: none.
  var letter: UInt8 = 0
  /// The argument's name in help; nil: a flag.
  var argument: String?
  var completion = Completion.nothing
  var group: Group
  var help: String
  /// For commands to which it is something else.
  var helpOf: [(command: String, help: String)] = []
  /// May be given several times.
  var many = false
  /// The notification's field that it sets; nil: none.
  var field: String?
  /// Its argument is that field's text, as it is.
  var isCopied = false

  /// `sets` and `copies` name the notification's field.
  init(
    _ name: OptionName, _ argument: String? = nil, letter: UInt8 = 0,
    completion: Completion = .nothing, sets field: String? = nil, copies text: String? = nil,
    group: Group, many: Bool = false, _ help: String
  ) {
    self.name = name
    self.argument = argument
    self.letter = letter
    self.completion = completion
    self.field = text ?? field
    isCopied = text != nil
    self.group = group
    self.many = many
    self.help = help
  }

  /// The same with what it is to one command.
  func to(_ command: String, _ help: String) -> OptionSpec {
    var spec = self
    spec.helpOf.append((command, help))
    return spec
  }

  /// What help says; `command` nil: of whatever takes it.
  func help(of command: String?) -> String {
    for row in helpOf where row.command == command { return row.help }
    return help
  }
}
