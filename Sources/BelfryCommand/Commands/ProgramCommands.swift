import BelfryCore
import BelfrySystem
import BelfryWire

/// Commands that one of the other programs carries out, without a daemon.
enum ProgramCommands {
  static func soundCheck(_ context: CommandContext) throws(CommandError) {
    try checkName(context.given.operands[0])
    warnOfNearName(context)
    try become("belfry-speaker", "--check", context, more: sound(context))
  }

  static func soundPlay(_ context: CommandContext) throws(CommandError) {
    try checkName(context.given.operands[0])
    warnOfNearName(context)
    try become("belfry-speaker", "--play", context, more: sound(context))
  }

  /// Of a name that no folder has, where one has nearly that.
  private static func warnOfNearName(_ context: CommandContext) {
    let word = context.given.operands[0]
    let folders = folders(context)
    guard word != Notification.defaultSoundName, !word.utf8.contains(UInt8(ascii: "/")),
      !([""] + folders.map { $0 + "/" }).contains(where: { Files.may($0 + word, 0) }),
      let near = Files.nearest(to: word, in: folders)
    else { return }
    context.warn("no sound is called \(FieldError.quoted(word)); did you mean \(near)?")
  }

  /// What can be neither a name nor a file is no sound that could fall back to another.
  private static func checkName(_ word: String) throws(CommandError) {
    if word.isEmpty { throw .usage("SOUND: a name is missing; write such as bell.wav, or default") }
    guard let status = try? Files.status(word), status.kind == .folder else { return }
    throw .refused("SOUND: " + FieldError.quoted(word) + " is a folder; name a file in it")
  }

  /// What the daemon goes by: `[sound]` of its configuration, if that can be read, and the folders that
  /// it names, of the app first.
  static func sound(_ context: CommandContext) -> [String] {
    let places = SocketPlace.files(of: SocketPlace.find(context.given))
    let bytes = (try? Files.read(places.configuration, limit: INIFile.limit)) ?? []
    let file = try? INIFile.parse(bytes, repeatable: [SoundKey.folder.rawValue])
    let sections = file?.sections ?? []
    let section = sections.first { $0.header == "sound" }
    var flags: [String] = []
    if let text = section?[SoundKey.longest.rawValue],
      case .integer(let longest)? = SoundKey.longest.values.read(text)
    {
      flags += ["--longest", Nanoseconds.text(longest)]
    }
    let outputs = section?[SoundKey.output.rawValue].flatMap { OutputNames.read($0) } ?? []
    var devices = outputs.compactMap { name in
      sections.first { $0.header == "output:" + name }?[SoundKey.device.rawValue]
    }
    if let device = context.given.value(.device) { devices = [device] }
    var settings = devices.map { (SoundKey.device.rawValue, $0) }
    for key in [SoundKey.volume, .standard] + (devices.isEmpty ? [.device] : []) {
      if let value = section?[key.rawValue] { settings.append((key.rawValue, value)) }
    }
    for folder in folders(context) { settings.append((SoundKey.folder.rawValue, folder)) }
    return flags + settings.flatMap { ["--set", $0.0 + "=" + $0.1] }
  }

  /// As the daemon says; without one those that need no configuration.
  private static func folders(_ context: CommandContext) -> [String] {
    let texts = { (value: JSONValue?) in (value?.array ?? []).compactMap { $0.string } }
    guard let status = context.status(within: 1000) else {
      let home = SocketPlace.files(of: SocketPlace.find(context.given)).configuration
      return [Files.parent(of: home) + "/sounds", "/usr/share/sounds"]
    }
    return texts(status["appSoundFolders"]?.object?[context.ownApp]) + texts(status["soundFolders"])
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
    let own = SocketPlace.files(of: socket).plugins
    let folders = [own] + installation.pluginFolders.filter { $0 != own }
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
