import BelfryCore
import Testing

@testable import BelfryDaemon

/// What an operator is told of a configuration that was read again.
@Suite struct ConfigurationChangeTests {
  private func keys(_ new: String, since old: String) throws -> [String] {
    try ConfigurationReader.read(Array(new.utf8)).restartKeys(
      since: ConfigurationReader.read(Array(old.utf8)))
  }

  @Test func A4_whatNeedsARestartIsNamed() throws {
    let old = "[clock]\ngrace = 1\n[plugin:door]\nfile = a\n"
    #expect(try keys(old, since: old) == [])
    #expect(try keys("[clock]\ngrace = 1\n[plugin:door]\nfile = b\nx = 1\n", since: old) == [])
    #expect(
      try keys("[clock]\ngrace = 2\n[limits]\napps = 3\n[plugin:bell]\nfile = a\n", since: old)
        == ["[clock] grace", "[limits] apps", "[plugin:bell]", "[plugin:door]"])
    #expect(try keys("[plugin:door]\nfile = a\n", since: old) == ["[clock] grace"])
    #expect(
      try keys(
        "[sound]\nfolder = /b\nfolder = /a\n", since: "[sound]\nfolder = /a\nfolder = /b\n")
        == ["[sound] folder"])
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
