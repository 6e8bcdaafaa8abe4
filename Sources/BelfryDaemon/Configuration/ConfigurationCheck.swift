import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfryd --check`: all that is wrong with a configuration, and what it names and is not there, which a
/// daemon finds out only when it starts, or when something is due.
struct ConfigurationCheck {
  let path: String
  let paths: Paths
  let zones: ZoneFiles

  private var problems: [ConfigurationError] = []
  private var file = INIFile()

  init(path: String, paths: Paths, zones: ZoneFiles) {
    self.path = path
    self.paths = paths
    self.zones = zones
  }

  /// Returns how many plugins there are; throws with a line for each problem.
  mutating func run(_ bytes: [UInt8]) throws(StartFailure) -> Int {
    let mistakes = ConfigurationMistakes(bytes)
    problems = mistakes.found
    let configuration = mistakes.rest
    file = mistakes.file
    checkZone(configuration)
    checkSound(configuration)
    checkAccess(configuration)
    for plugin in configuration.plugins {
      for problem in problems(of: plugin) {
        problems.append(
          ConfigurationError(line(of: problem, plugin), "[plugin:\(plugin.name)] \(problem)"))
      }
    }
    problems.sort { $0.line < $1.line }
    guard problems.isEmpty else {
      let lines = problems.map { problem in
        let place = problem.line > 0 ? ":\(problem.line)" : ""
        return "belfryd: \(path)\(place): \(problem.reason)"
      }
      throw StartFailure(.configuration, lines.joined(separator: "\n"))
    }
    return configuration.plugins.count
  }

  private mutating func add(_ section: String, _ key: String, _ value: String, _ reason: String) {
    let entries = file.sections.first { $0.header == section }?.entries ?? []
    let line = entries.last { $0.key == key && $0.value == value }?.line
    problems.append(ConfigurationError(line ?? 0, "[\(section)] \(key): \(reason)"))
  }

  /// That of the key which the sentence names between backquotes or begins with; else of the section.
  private func line(of problem: String, _ plugin: DaemonConfiguration.Plugin) -> Int64 {
    let entries = file.sections.first { $0.line == plugin.line }?.entries ?? []
    let words = problem.split(separator: "`", omittingEmptySubsequences: false)
    var keys = words.indices.filter { $0 % 2 == 1 }.map { words[$0].prefix { $0 != " " } }
    keys.append(problem.prefix { $0 != ":" })
    for key in keys {
      if let entry = entries.last(where: { $0.key == key }) { return entry.line }
    }
    return plugin.line
  }

  private mutating func checkZone(_ configuration: DaemonConfiguration) {
    guard let zone = configuration.zone else { return }
    do throws(ZoneFileError) {
      _ = try zones.zone(zone)
    } catch {
      add("clock", "zone", zone, error.reason)
    }
  }

  private mutating func checkSound(_ configuration: DaemonConfiguration) {
    for setting in configuration.sound {
      let app = setting.key.hasPrefix("folder:") ? String(setting.key.dropFirst(7)) : nil
      guard app != nil || setting.key == "folder", !Files.may(setting.value, 0) else { continue }
      add(
        app.map { "app:" + $0 } ?? "sound", "folder", setting.value,
        "there is no folder \(setting.value)")
    }
    guard let name = configuration.sound.last(where: { $0.key == "default" })?.value else { return }
    let folders = SoundFolders(configuration, manifests: [], paths)
    let isThere = name.contains("/") ? Files.may(name, 4) : folders.has(name, of: "")
    guard !isThere else { return }
    let searched = name.contains("/") ? "" : " in " + folders.common.joined(separator: ", ")
    add("sound", "default", name, "there is no sound \(FieldError.quoted(name))\(searched)")
  }

  private mutating func checkAccess(_ configuration: DaemonConfiguration) {
    let groups = [
      ("group", configuration.operatorGroup), ("critical", configuration.criticalGroup),
    ]
    for case (let key, let name?) in groups where Group.number(of: name) == nil {
      add("access", key, name, "there is no group \(name) (groupadd --system \(name))")
    }
    let users = [
      ("workerUser", configuration.workerUser), ("speakerUser", configuration.speakerUser),
    ]
    for case (let key, let name?) in users
    where UInt32(name) == nil && Account.find(name) == nil {
      add("access", key, name, "there is no user \(name)")
    }
  }

  /// A worker of its own says what the plugin thinks of its keys: nothing of it is started.
  private func problems(of plugin: DaemonConfiguration.Plugin) -> [String] {
    guard let file = ChildProgram.findPlugin(plugin.file, in: paths.plugins) else {
      let searched =
        plugin.file.contains("/") ? "" : " in " + paths.plugins.joined(separator: ", ")
      return ["file: there is no plugin \(FieldError.quoted(plugin.file))\(searched)"]
    }
    guard let worker = ChildProgram.find(ChildProgram.worker, in: paths.programs) else {
      return []
    }
    // One setting at least, so that they are judged: `file` is the host's own.
    let settings = [Setting(key: "file", value: file)] + plugin.settings
    let words = settings.flatMap { ["--set", $0.key + "=" + $0.value] }
    let said = Child.output(
      worker, arguments: ["--describe", file] + words, seconds: 10, errors: true)
    guard let said else { return ["its worker gave no answer within 10 s"] }
    if said.end == .exited(0) { return [] }
    let head = "belfry-worker: "
    let lines = said.text.split(separator: "\n")
    let told = lines.filter { $0.hasPrefix(head) }.map { String($0.dropFirst(head.count)) }
    if !told.isEmpty { return told }
    return [lines.first.map { String($0) } ?? "\(file) crashes"]
  }
}
