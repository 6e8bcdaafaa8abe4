import BelfryCore

/// A command line as it was understood.
struct Invocation: Sendable {
  var command: CommandSpec
  /// Flags have an empty argument. Each option once, but flags.
  var options: [GivenOption]
  var operands: [String]

  func has(_ name: OptionName) -> Bool { value(name) != nil }

  /// The arguments of an option that may be given several times.
  func values(_ name: OptionName) -> [String] {
    options.filter { $0.name == name }.map { $0.argument }
  }

  /// The words of lists, blanks around their commas left out; one that is missing is empty.
  func list(_ name: OptionName) -> [String] {
    let parts = values(name).flatMap { text in
      text.split(separator: ",", omittingEmptySubsequences: false)
    }
    return parts.map { part in
      var word = part.drop { $0 == " " }
      while word.last == " " { word.removeLast() }
      return String(word)
    }
  }

  /// The option's argument; nil: not given.
  func value(_ name: OptionName) -> String? {
    for option in options where option.name == name { return option.argument }
    return nil
  }
}

struct GivenOption: Hashable, Sendable {
  var name: OptionName
  var argument: String
}
