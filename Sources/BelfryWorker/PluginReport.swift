import BelfryCore
import BelfrySystem
import BelfryWire
import CPlugin

/// A plugin's descriptor, printed.
enum PluginReport {
  static func describe(_ options: CheckOptions) -> Int32 {
    do throws(WorkerError) {
      let file = try PluginFile.checked(options.file, uid: Process.uid)
      let module = try PluginModule.load(file)
      let problems = try problems(of: options, module)
      guard problems.isEmpty else {
        complain(problems, options)
        return 1
      }
      let lines = options.json ? [json(file, module)] : text(file, module)
      for line in lines { try? Output.line(line) }
      return 0
    } catch {
      complain([error.reason], options)
      return 1
    }
  }

  /// All that is wrong with the settings; the plugin itself is asked of those that may be.
  private static func problems(
    of options: CheckOptions, _ module: PluginModule
  ) throws(WorkerError) -> [String] {
    if options.settings.isEmpty { return [] }
    let given = try WorkerSettings(options.settings).plugin
    var problems = PluginSettings.problems(of: given, module.keys)
    // What is to be one of a few decides what the plugin makes of the others.
    let decides = module.keys.contains { key in
      (key.kind == .boolean || key.kind == .choice)
        && given.contains { ByteString($0.key) == ByteString(key.name) && !key.accepts($0.value) }
    }
    if decides { return problems }
    do throws(WorkerError) {
      let sound = PluginSettings.sound(of: given, module.keys)
      try judge(try PluginSettings(sound, keys: module.keys), module)
    } catch {
      // A key that must be there has been told already.
      if problems.isEmpty || error.code != .settings { problems.append(error.reason) }
    }
    return problems
  }

  /// What the plugin itself says of its settings, if it says anything.
  private static func judge(
    _ settings: PluginSettings, _ module: PluginModule
  ) throws(WorkerError) {
    guard let check = module.settings?.pointee.check else { return }
    var problem: String?
    do throws(SystemError) {
      // Nobody reads what it logs.
      let pair = try UnixSocket.pair(.packet)
      let host = try PluginHost(
        channel: ClockChannel(descriptor: pair.first.raw), sink: "check", settings: settings,
        folder: nil, takesInput: false, takesPushes: false)
      var answer = Worker.emptyAnswer
      problem = check(host.pointer, &answer) == BELFRY_DONE ? nil : answer.text.line()
      withExtendedLifetime(host) {}
      _ = consume pair
    } catch {
      throw WorkerError(error)
    }
    guard let problem else { return }
    throw WorkerError(
      .start, problem.isEmpty ? "the plugin cannot use its settings and gives no reason" : problem)
  }

  /// Says what is wrong: a line each on standard error, or an object.
  static func complain(_ reasons: [String], _ options: CheckOptions) {
    guard options.json else {
      for reason in reasons { Output.errorLine("belfry-worker: " + reason) }
      return
    }
    try? Output.line(PluginCheck.Outcome().json(reason: reasons.joined(separator: "; ")))
  }

  private static func text(_ file: String, _ module: PluginModule) -> [String] {
    let plugin = module.summary(wantsEverything: false)
    let abi = module.descriptor.pointee
    var lines = [
      "plugin    \(plugin.id) \(plugin.version) (\(plugin.name))",
      "file      \(file)",
      "vendor    \(or(plugin.vendor)), licence \(or(plugin.licence))",
      "contract  \(abi.abi_major).\(abi.abi_minor), this worker \(PluginModule.abi)",
      "offers    \(plugin.capabilities.joined(separator: ", "))",
    ]
    if !plugin.calendars.isEmpty {
      lines.append("calendars " + plugin.calendars.joined(separator: ", "))
    }
    for key in module.keys {
      let given = key.defaultValue.map { "default `\($0)`" } ?? "must be given"
      let kind = key.kind == .choice ? key.choices.joined(separator: "|") : key.kind.word
      lines.append("key       \(key.name) = \(kind), \(given). \(key.help)")
    }
    return lines
  }

  private static func or(_ text: String) -> String {
    text.isEmpty ? "not said" : text
  }

  private static func json(_ file: String, _ module: PluginModule) -> String {
    let plugin = module.summary(wantsEverything: false)
    let abi = module.descriptor.pointee
    var object = JSONLine()
    object.append("file", file)
    object.append("id", plugin.id)
    object.append("name", plugin.name)
    object.append("version", plugin.version)
    object.append("vendor", plugin.vendor)
    object.append("licence", plugin.licence)
    object.append("abi", "\(abi.abi_major).\(abi.abi_minor)")
    object.append("capabilities", plugin.capabilities)
    object.append("calendars", plugin.calendars)
    object.append("keys", module.keys.map { json($0) })
    return object.text
  }

  private static func json(_ key: PluginKey) -> JSONLine {
    var object = JSONLine()
    object.append("name", key.name)
    object.append("type", key.kind.word)
    if let value = key.defaultValue { object.append("default", value) }
    if key.kind == .choice { object.append("choices", key.choices) }
    object.append("help", key.help)
    return object
  }
}
