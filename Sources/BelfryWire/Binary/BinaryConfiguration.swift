import BelfryCore

extension BinaryWriter {
  mutating func put(_ value: ChildConfiguration) {
    put(value.name)
    put(value.file)
    put(value.runDirectory)
    put(count: value.settings.count)
    for setting in value.settings {
      put(setting.key)
      put(setting.value)
    }
  }

  mutating func put(_ value: PluginSummary) {
    put(value.id)
    put(value.name)
    put(value.version)
    put(value.vendor)
    put(value.licence)
    put(value.capabilities)
    put(value.wantsEverything)
    put(value.calendars)
    put(signed: value.concurrency)
  }
}

extension BinaryReader {
  mutating func configuration() throws(WireError) -> ChildConfiguration {
    let name = try text("name")
    let file = try text("file")
    let runDirectory = try text("runDirectory")
    let count = try length(of: 2, "settings")
    var settings: [Setting] = []
    settings.reserveCapacity(count)
    for _ in 0..<count {
      settings.append(Setting(key: try text("settings"), value: try text("settings")))
    }
    return ChildConfiguration(
      name: name, file: file, settings: settings, runDirectory: runDirectory)
  }

  mutating func pluginSummary() throws(WireError) -> PluginSummary {
    PluginSummary(
      id: try text("id"), name: try text("name"), version: try text("version"),
      vendor: try text("vendor"), licence: try text("licence"),
      capabilities: try texts("capabilities"), wantsEverything: try flag("wantsEverything"),
      calendars: try texts("calendars"), concurrency: try signed("concurrency"))
  }
}
