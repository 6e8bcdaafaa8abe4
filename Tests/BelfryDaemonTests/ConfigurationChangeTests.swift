import BelfryCore
import Testing

@testable import BelfryDaemon

/// What an operator is told of a configuration that was read again.
@Suite struct ConfigurationChangeTests {
  private func read(_ text: String) throws -> DaemonConfiguration {
    try ConfigurationReader.read(Array(text.utf8))
  }

  private func changed(_ new: String, since old: String) throws -> [String] {
    try read(new).changedKeys(since: read(old))
  }

  @Test func A4_whatHasChangedIsNamed() throws {
    let old = "[clock]\ngrace = 1\n[plugin:door]\nfile = a\n"
    #expect(try changed(old, since: old) == [])
    #expect(try changed("# first\n\n" + old, since: old) == [])
    #expect(
      try changed("[clock]\ngrace = 1\n[plugin:door]\nfile = b\nx = 1\n", since: old)
        == ["[plugin:door]"])
    #expect(
      try changed("[clock]\ngrace = 2\n[limits]\napps = 3\n[plugin:bell]\nfile = a\n", since: old)
        == ["[clock] grace", "[limits] apps", "[plugin:bell]", "[plugin:door]"])
    #expect(try changed("[plugin:door]\nfile = a\n", since: old) == ["[clock] grace"])
    #expect(
      try changed(
        "[sound]\nfolder = /b\nfolder = /a\n", since: "[sound]\nfolder = /a\nfolder = /b\n")
        == ["[sound] folder"])
  }

  @Test func A4_whatNeedsARestartIsNamedAndStaysAsItWas() throws {
    let old = try read("[clock]\nrealtime = 5\ngrace = 1\n[access]\ngroup = bell\n")
    let new = try read("[clock]\ngrace = 2\nwake = all\n[access]\ngroup = 7\n")
    #expect(new.changedKeys(since: old) == ["[clock] grace"])
    let keys = ["[clock] wake", "[access] group", "[clock] realtime"]
    #expect(new.restartKeys(sinceStart: old) == keys)
    let kept = new.keeping(startOf: old)
    #expect(kept.realtime == 5 && kept.operatorGroup == "bell" && kept.scheduler.wake == .urgent)
    #expect(kept.scheduler.grace == 2 * Nanoseconds.second)
    // They are named until the restart, whatever is read in between; and not when they are taken back.
    #expect(new.restartKeys(sinceStart: kept) == keys)
    #expect(old.restartKeys(sinceStart: kept) == [])
  }

  @Test func A4_theLogHasALevel() throws {
    #expect(try ConfigurationReader.read([]).logLevel == .info)
    #expect(
      try ConfigurationReader.read(Array("[log]\nlevel = warning\n".utf8)).logLevel == .warning)
    let error = #expect(throws: ConfigurationError.self) {
      try ConfigurationReader.read(Array("[log]\nlevel = loud\n".utf8))
    }
    #expect(
      error?.line == 2 && error?.reason.contains("error, warning, notice, info or debug") == true)
  }

  @Test func T11_theConfigurationTakesTheWordThatStatusPrints() throws {
    for wake in EngineConfiguration.Wake.allCases {
      let text = "[clock]\nwake = \(wake.rawValue)\n"
      #expect(try ConfigurationReader.read(Array(text.utf8)).scheduler.wake == wake)
    }
  }

  @Test func D9_soundThatIsToBeSilentIsKnownToTheClock() throws {
    let text = "[sound]\nenabled = no\nvolume = 0\nquiet = 22:00-06:00\n"
    let sounds = try ConfigurationReader.read(Array(text.utf8)).scheduler.sounds
    #expect(!sounds.isEnabled && sounds.volume == 0 && sounds.quiet?.text == "22:00-06:00")
  }
}
