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
      let lines = options.json ? [json(file, module)] : text(file, module)
      for line in lines { try? Output.line(line) }
      return 0
    } catch {
      complain(error.reason, options)
      return 1
    }
  }

  /// Says what is wrong: a line on standard error, or an object.
  static func complain(_ reason: String, _ options: CheckOptions) {
    guard options.json else { return Output.errorLine("belfry-worker: " + reason) }
    var object = JSONObject()
    object["ok"] = .boolean(false)
    object["reason"] = .string(reason)
    try? Output.line(JSONValue.object(object).text)
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
    var object = JSONObject()
    object["file"] = .string(file)
    object["id"] = .string(plugin.id)
    object["name"] = .string(plugin.name)
    object["version"] = .string(plugin.version)
    object["vendor"] = .string(plugin.vendor)
    object["licence"] = .string(plugin.licence)
    object["abi"] = .string("\(abi.abi_major).\(abi.abi_minor)")
    object["capabilities"] = .array(plugin.capabilities.map { .string($0) })
    if !plugin.calendars.isEmpty {
      object["calendars"] = .array(plugin.calendars.map { .string($0) })
    }
    object["keys"] = .array(module.keys.map { .object(json($0)) })
    return JSONValue.object(object).text
  }

  private static func json(_ key: PluginKey) -> JSONObject {
    var object = JSONObject()
    object["name"] = .string(key.name)
    object["type"] = .string(key.kind.word)
    if let value = key.defaultValue { object["default"] = .string(value) }
    if key.kind == .choice { object["choices"] = .array(key.choices.map { .string($0) }) }
    object["help"] = .string(key.help)
    return object
  }
}
