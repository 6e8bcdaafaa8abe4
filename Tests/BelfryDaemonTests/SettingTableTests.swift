import BelfryCore
import BelfryServer
import BelfryWire
import Testing

@testable import BelfryDaemon

/// The parsers accept what the tables list, and nothing else.
@Suite struct SettingTableTests {
  private static let sections: [(header: String, rows: [SettingHelp])] = [
    (
      "clock",
      SettingHelp.rows(of: ClockKey.self)
        + SettingHelp.rows(of: AppLimitKey.self) { $0.section == .clock }
    ),
    ("sound", SettingHelp.rows(of: SoundKey.self)),
    ("output:x", SettingHelp.rows(of: OutputKey.self)),
    (
      "limits",
      SettingHelp.rows(of: LimitKey.self)
        + SettingHelp.rows(of: AppLimitKey.self) { $0.section == .limits }
    ),
    ("access", SettingHelp.rows(of: AccessKey.self)),
    ("log", SettingHelp.rows(of: LogKey.self)),
    (
      "app:org.example.a",
      SettingHelp.rows(of: AppKey.self) + SettingHelp.rows(of: AppLimitKey.self)
    ),
  ]
  private static let manifest =
    SettingHelp.rows(of: ManifestKey.self) + SettingHelp.rows(of: AppLimitKey.self)

  private func read(_ text: String) throws(ConfigurationError) -> DaemonConfiguration {
    try ConfigurationReader.read(Array(text.utf8))
  }

  private func readManifest(_ text: String) throws(ConfigurationError) -> AppManifest {
    try ManifestReader.read(
      Array(text.utf8), id: "org.example.a",
      in: ManifestFolder(path: "/etc/belfry/apps", user: nil))
  }

  /// A value that a key takes, and one that it does not.
  private func samples(_ values: SettingValues) -> (good: String, bad: String) {
    switch values {
    case .boolean: ("yes", "perhaps")
    case .integer(let range): ("\(range.lowerBound)", "-1")
    case .duration: ("9s", "soon")
    case .words(let words): (words[0], "other")
    case .volume: ("80%", "2")
    case .quietHours: ("22:00-06:00", "25:00-06:00")
    case .latePolicy: ("drop", "never")
    case .zone: ("Europe/Berlin", "../localtime")
    case .path: ("/srv", "srv")
    case .text, .group: ("x", "")
    case .user: ("root", "")
    case .unit: ("clock.service", "clock")
    case .language: ("de-AT", "de_AT")
    case .parts: ("alert", "noise")
    case .size: ("64M", "many")
    case .outputs: ("x", "x/y")
    }
  }

  @Test func A4_everyKeyOfTheConfigurationsTableIsJudgedByIt() throws {
    for (header, rows) in Self.sections {
      for row in rows {
        let (good, bad) = samples(row.values)
        let output = row.values == .outputs ? "[output:x]\n" : ""
        #expect(throws: Never.self, "[\(header)] \(row.name)") {
          try read("[\(header)]\n\(row.name) = \(good)\n\(output)")
        }
        let error = #expect(throws: ConfigurationError.self, "[\(header)] \(row.name)") {
          try read("[\(header)]\n\(row.name) = \(bad)\n")
        }
        #expect(error?.line == 2 && error?.reason.contains(row.values.phrase) == true)
      }
    }
  }

  @Test func A4_everyKeyOfTheManifestsTableIsJudgedByIt() throws {
    for row in Self.manifest {
      let (good, bad) = samples(row.values)
      #expect(throws: Never.self, "\(row.name)") {
        try readManifest("[app]\n\(row.name) = \(good)\n")
      }
      let error = #expect(throws: ConfigurationError.self, "\(row.name)") {
        try readManifest("[app]\n\(row.name) = \(bad)\n")
      }
      #expect(error?.line == 2 && error?.reason.contains(row.values.phrase) == true)
    }
  }

  @Test func A4_aKeyBelongsToItsOwnSections() throws {
    let names = Set(Self.sections.flatMap { $0.rows.map { $0.name } })
    for (header, rows) in Self.sections {
      let own = Set(rows.map { $0.name } + (header.hasPrefix("app:") ? AppKey.later : []))
      for name in names.subtracting(own) {
        let error = #expect(throws: ConfigurationError.self) {
          try read("[\(header)]\n\(name) = 1\n")
        }
        #expect(error?.reason.contains("is no key of this section") == true)
      }
    }
  }

  /// A default that can be written in a file changes nothing when it is written there.
  @Test func theDefaultsOfTheTableAreThoseOfTheDaemon() throws {
    func words(_ configuration: DaemonConfiguration) -> String {
      var configuration = configuration
      (configuration.keys, configuration.keysOfStart, configuration.sound) = ([], [], [])
      return String(describing: configuration)
    }
    let unsaid = words(DaemonConfiguration())
    #expect(words(try read("")) != words(try read("[clock]\ngrace = 6\n")))
    var checked = 0
    for (header, rows) in Self.sections where !header.hasPrefix("app:") {
      for row in rows {
        // Nobody having said anything is more than a default there, or the server's to know.
        guard !["onFull", "requestsPerSecond", "connections", "zone"].contains(row.name),
          let text = row.usual, row.values.read(text) != nil
        else { continue }
        if case .text = row.values { continue }
        if case .user = row.values { continue }
        checked += 1
        var written = try read("[\(header)]\n\(row.name) = \(text)\n")
        written.scheduler.sinks = DaemonConfiguration().scheduler.sinks
        #expect(words(written) == unsaid, "[\(header)] \(row.name) = \(text)")
      }
    }
    #expect(checked > 10)
    let server = ServerConfiguration()
    #expect(usual(LimitKey.connections) == "\(server.connections)")
    #expect(usual(LimitKey.requestsPerSecond) == "\(server.requestsPerSecond)")
    #expect(EngineConfiguration.OnFull.refuse.ordinaryLimit == 512)
    #expect(EngineConfiguration.OnFull.discard.ordinaryLimit == 64)
  }

  private func usual(_ key: some SettingKey) -> String? {
    let row: SettingHelp = key.row()
    return row.usual
  }
}
