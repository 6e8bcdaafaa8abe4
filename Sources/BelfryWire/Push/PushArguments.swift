import BelfryCore

extension MemberReader {
  /// What a localized text is filled with: strings and numbers.
  func arguments(_ name: String) throws(FieldError) -> [PropertyList] {
    var arguments: [PropertyList] = []
    for (index, item) in (try optionalArray(name) ?? []).enumerated() {
      switch item {
      case .string(let text): arguments.append(.string(text))
      case .integer(let number): arguments.append(.integer(number))
      case .double(let number): arguments.append(.double(number))
      default: throw wrongType("\(name)[\(index)]", "a string or a number")
      }
    }
    return arguments
  }
}
