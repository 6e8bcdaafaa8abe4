import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfryd --check`: what a configuration names has to be there, which a daemon finds out only when it
/// starts, or when something is due.
struct ConfigurationCheck {
  let path: String
  let paths: Paths
  let zones: ZoneFiles

  /// Returns how many plugins there are.
  func run(_ configuration: DaemonConfiguration) throws(StartFailure) -> Int {
    if let zone = configuration.zone {
      do throws(ZoneFileError) {
        _ = try zones.zone(zone)
      } catch {
        throw failure("[clock] zone: \(error.reason)")
      }
    }
    try checkSound(configuration)
    for plugin in configuration.plugins {
      if let problem = problem(of: plugin) {
        throw failure("[plugin:\(plugin.name)] \(problem)", line: plugin.line)
      }
    }
    return configuration.plugins.count
  }

  private func failure(_ reason: String, line: Int64? = nil) -> StartFailure {
    let place = path + (line.map { ":\($0)" } ?? "")
    return StartFailure(.configuration, "belfryd: \(place): \(reason)")
  }

  private func checkSound(_ configuration: DaemonConfiguration) throws(StartFailure) {
    guard let name = configuration.sound.last(where: { $0.key == "default" })?.value else { return }
    let folders = SoundFolders(configuration, manifests: [], paths)
    let isThere = name.contains("/") ? Files.may(name, 4) : folders.has(name, of: "")
    guard !isThere else { return }
    let searched = name.contains("/") ? "" : " in " + folders.common.joined(separator: ", ")
    throw failure("[sound] default: there is no sound \(FieldError.quoted(name))\(searched)")
  }

  /// A worker of its own says what the plugin thinks of its keys: nothing of it is started.
  private func problem(of plugin: DaemonConfiguration.Plugin) -> String? {
    guard let file = ChildProgram.findPlugin(plugin.file, in: paths.plugins) else {
      let searched =
        plugin.file.contains("/") ? "" : " in " + paths.plugins.joined(separator: ", ")
      return "file: there is no plugin \(FieldError.quoted(plugin.file))\(searched)"
    }
    guard let worker = ChildProgram.find(ChildProgram.worker, in: paths.programs) else {
      return nil
    }
    // One setting at least, so that they are judged: `file` is the host's own.
    let settings = [Setting(key: "file", value: file)] + plugin.settings
    let words = settings.flatMap { ["--set", $0.key + "=" + $0.value] }
    guard
      let said = Child.output(
        worker, arguments: ["--describe", file] + words, seconds: 10, errors: true),
      said.end != .exited(0)
    else { return nil }
    let line = said.text.split(separator: "\n").first.map { String($0) } ?? "\(file) crashes"
    return line.hasPrefix("belfry-worker: ") ? String(line.dropFirst(15)) : line
  }
}
