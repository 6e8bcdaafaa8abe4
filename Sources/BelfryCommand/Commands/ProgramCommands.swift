import BelfryCore
import BelfrySystem
import BelfryWire

/// Commands that one of the other programs carries out, without a daemon.
enum ProgramCommands {
  static func soundCheck(_ context: CommandContext) throws(CommandError) {
    try become("belfry-speaker", "--check", context, more: longest(context))
  }

  static func soundPlay(_ context: CommandContext) throws(CommandError) {
    try become("belfry-speaker", "--play", context, more: longest(context))
  }

  /// `[sound] longest` of the daemon's configuration, if it is there and can be read.
  private static func longest(_ context: CommandContext) -> [String] {
    let path = SocketPlace.files(of: SocketPlace.find(context.given)).configuration
    guard let bytes = try? Files.read(path, limit: INIFile.limit),
      let file = try? INIFile.parse(bytes, repeatable: [SoundKey.folder.rawValue]),
      let section = file.sections.first(where: { $0.header == "sound" }),
      let text = section[SoundKey.longest.rawValue],
      case .integer(let longest)? = SoundKey.longest.values.read(text)
    else { return [] }
    return ["--longest", Nanoseconds.text(longest)]
  }

  static func pluginCheck(_ context: CommandContext) throws(CommandError) {
    try become("belfry-worker", "--check", context, file: try plugin(context))
  }

  /// The file of a plugin that is given as a path, by its name as `file =` takes it, or by that of
  /// its section.
  private static func plugin(_ context: CommandContext) throws(CommandError) -> String {
    let word = context.given.operands[0]
    if word.utf8.contains(UInt8(ascii: "/")) { return word }
    if let status = try? Files.status(word), status.kind == .regular { return "./" + word }
    let socket = SocketPlace.find(context.given)
    let installation = try Installation.here()
    var name = word
    if let status = context.status(within: 1000) {
      for row in status["plugins"]?.array ?? [] where row["name"]?.string == word {
        name = row["file"]?.string ?? word
      }
    }
    if name.utf8.contains(UInt8(ascii: "/")) { return name }
    let folders = [SocketPlace.files(of: socket).plugins] + installation.pluginFolders
    if let path = installation.plugin(name, in: folders) { return path }
    throw .refused(
      "FILE: there is no file " + FieldError.quoted(word) + " here, and no plugin of that name in "
        + folders.joined(separator: ", "))
  }

  private static func become(
    _ program: String, _ task: String, _ context: CommandContext, file: String? = nil,
    more: [String] = []
  ) throws(CommandError) {
    var flags = more + (context.json ? ["--json"] : [])
    for setting in context.given.values(.set) { flags += ["--set", setting] }
    try Installation.here().become(program, [task, file ?? context.given.operands[0]] + flags)
  }
}
