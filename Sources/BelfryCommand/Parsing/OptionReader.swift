import CLinux

/// Reads options with getopt_long(3), by the table. One at a time, on one thread: getopt_long keeps
/// its place in globals.
struct OptionReader: ~Copyable {
  enum Finding: Hashable {
    case option(GivenOption)
    /// As written.
    case unknown(String)
    case missingArgument(String)
    case needlessArgument(String)
    /// The words that are no options.
    case end([String])
  }

  private let handle: OpaquePointer
  private let specs: [OptionSpec]
  private let count: Int

  private init(_ handle: OpaquePointer, _ specs: [OptionSpec], count: Int) {
    self.handle = handle
    self.specs = specs
    self.count = count
  }

  /// nil without memory.
  static func make(_ options: [OptionName], arguments: [String]) -> OptionReader? {
    let specs = options.map { OptionTable.spec($0) }
    let count = arguments.count + 1
    guard let handle = clinux_getopt_create(Int32(specs.count), Int32(count)) else { return nil }
    var failed = clinux_getopt_add_argument(handle, "belfry")
    for argument in arguments { failed = min(failed, clinux_getopt_add_argument(handle, argument)) }
    for (index, spec) in specs.enumerated() {
      let takes: Int32 = spec.argument == nil ? 0 : 1
      failed = min(
        failed,
        clinux_getopt_add_option(
          handle, spec.name.rawValue, CChar(spec.letter), takes, firstValue + Int32(index)))
    }
    let reader = OptionReader(handle, specs, count: count)
    if failed < 0 { return nil }
    return reader
  }

  deinit { clinux_getopt_free(handle) }

  /// The next finding; `inOrder` ends at the first word that is no option.
  func next(inOrder: Bool) -> Finding {
    var text: UnsafePointer<CChar>?
    let found = clinux_getopt_next(handle, inOrder ? 1 : 0, &text)
    let argument = text.map { String(cString: $0) } ?? ""
    switch Int(found) {
    case CLINUX_GETOPT_END: return .end(words())
    case CLINUX_GETOPT_UNKNOWN: return .unknown(argument)
    case CLINUX_GETOPT_MISSING_ARGUMENT: return .missingArgument(argument)
    case CLINUX_GETOPT_NEEDLESS_ARGUMENT: return .needlessArgument(argument)
    default: return .option(GivenOption(name: name(found), argument: argument))
    }
  }

  private static let firstValue: Int32 = 256

  private func name(_ found: Int32) -> OptionName {
    if found >= Self.firstValue { return specs[Int(found - Self.firstValue)].name }
    for spec in specs where Int32(spec.letter) == found { return spec.name }
    return .help
  }

  private func words() -> [String] {
    var words: [String] = []
    var index = clinux_getopt_rest(handle)
    while index < count {
      words.append(String(cString: clinux_getopt_argument(handle, index)))
      index += 1
    }
    return words
  }
}
