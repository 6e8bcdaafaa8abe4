import BelfryCore
import BelfryWire
import Testing

@testable import BelfryDaemon

@Suite struct ConfigurationTests {
  private func read(_ text: String) throws(ConfigurationError) -> DaemonConfiguration {
    try ConfigurationReader.read(Array(text.utf8))
  }

  @Test func withoutAFileEverythingHasItsDefault() throws {
    let configuration = try read("")
    #expect(configuration.scheduler.notifications == nil && configuration.scheduler.onFull == nil)
    #expect(configuration.scheduler.grace == 5 * Nanoseconds.second)
    #expect(configuration.scheduler.late == .fire)
    #expect(configuration.realtime == nil)
    #expect(configuration.history.rows == 10_000)
    #expect(configuration.scheduler.sinks.map { $0.name } == ["speaker"])
  }

  @Test func everyKeyOfThisBuildIsTakenUp() throws {
    let configuration = try read(
      """
      # a comment
      [clock]
      trust = always
      grace = 2m
      late = 30
      realtime = 12
      wake = all
      trustAfter = 1h
      zone = Europe/Berlin

      [sound]
      device = default;null
      default = bell.wav
      folder = /srv/a
      folder = /srv/b
      volume = 0.5
      quiet = 22:00-06:00
      enabled = yes

      [limits]
      notifications = 1000
      onFull = refuse
      history = 77
      requestsPerSecond = 5
      sessions = 6
      connections = 7
      regions = 8
      apps = 9
      inbox = 10

      [access]
      group = bells
      critical = ward

      [app:org.example.clock]
      notifications = 3
      onFull = discard
      late = drop
      folder = /srv/clock
      regions = 4
      sessions = 5
      allowed = alert, badge
      location = no
      critical = no
      inbox = 11

      [plugin:log]
      file = console
      colour = never

      [plugin:hook]
      file = /opt/hook.so
      """)
    #expect(configuration.trustsAlways)
    #expect(configuration.scheduler.grace == 2 * Nanoseconds.minute)
    #expect(configuration.scheduler.late == .seconds(30))
    #expect(configuration.realtime == 12)
    #expect(configuration.scheduler.wake == .all)
    #expect(configuration.scheduler.trustAfter == Nanoseconds.hour)
    #expect(configuration.zone == "Europe/Berlin")
    #expect(
      configuration.sound == [
        Setting(key: "device", value: "default;null"), Setting(key: "default", value: "bell.wav"),
        Setting(key: "folder", value: "/srv/a"), Setting(key: "folder", value: "/srv/b"),
        Setting(key: "volume", value: "0.5"), Setting(key: "quiet", value: "22:00-06:00"),
        Setting(key: "folder:org.example.clock", value: "/srv/clock"),
      ])
    #expect(configuration.scheduler.notifications == 1000)
    #expect(configuration.scheduler.onFull == .refuse)
    #expect(configuration.history.rows == 77)
    #expect(configuration.requestsPerSecond == 5)
    #expect(configuration.scheduler.sessions == 6)
    #expect(configuration.connections == 7)
    #expect(configuration.operatorGroup == "bells")
    #expect(configuration.criticalGroup == "ward")
    #expect(
      configuration.scheduler.overrides["org.example.clock"]?.mayBeCritical == false)
    let override = configuration.scheduler.overrides["org.example.clock"]
    #expect(override?.limits.notifications == 3)
    #expect(override?.limits.onFull == .discard)
    #expect(override?.limits.late == .drop)
    #expect(override?.limits.regions == 4 && override?.limits.sessions == 5)
    #expect(override?.allowed == [.alert, .badge])
    #expect(override?.mayLocate == false)
    #expect(configuration.scheduler.regions == 8)
    #expect(configuration.scheduler.apps == 9)
    #expect(configuration.scheduler.inbox == 10 && override?.limits.inbox == 11)
    #expect(configuration.scheduler.sinks.map { $0.name } == ["log", "hook", "speaker"])
    #expect(configuration.plugins[0].settings == [Setting(key: "colour", value: "never")])
    #expect(configuration.plugins[1].file == "/opt/hook.so")
  }

  @Test(arguments: [
    // line, text, words of the reason
    (2, "[clock]\ntick = 1", "[clock] tick is no key"),
    (1, "[clocks]\ngrace = 1", "[clocks] is no section"),
    (1, "[clocks]", "[clocks] is no section"),
    (1, "[clock:a]", "[clock:a] is no section"),
    (2, "[daemon]\nfoo = 1", "is no key"),
    (2, "[clock]\ntrustAfter = soon", "number of seconds"),
    (2, "[clock]\nzone = ../localtime", "is the name of a time zone"),
    (2, "[clock]\nwake = some", "all or never"),
    (2, "[clock]\ntrust = maybe", "auto or always"),
    (2, "[clock]\ngrace = soon", "number of seconds"),
    (2, "[clock]\ngrace = 2d", "up to 1d"),
    (2, "[clock]\nlate = -1", "fire, drop or"),
    (2, "[clock]\nrealtime = 100", "from 0 to 99"),
    (4, "[clock]\n\n; c\nrealtime = high", "from 0 to 99"),
    (2, "[sound]\nfolder = sounds", "whole path"),
    (2, "[sound]\nenabled = perhaps", "yes or no"),
    (2, "[sound]\nvolume = 2", "from 0 to 1"),
    (3, "[sound]\nvolume = 80%\nquiet = 25:00-06:00", "such as 22:00-06:00"),
    (2, "[sound]\nquiet = 22:00-22:00", "[sound] quiet is two different times of day"),
    (2, "[sound]\nquiet = 00:00-00:00", "or 00:00-24:00 for all day"),
    (2, "[sound]\ndevice =", "needs a value"),
    (2, "[sound]\nlongest = 11m", "up to 10m"),
    (2, "[sound]\nlongest = 0", "should be 1 s to 10 min"),
    (2, "[sound]\noutput = a", "there is no section [output:a]"),
    (2, "[sound]\noutput = a/b\n[output:a]", "names of outputs"),
    (1, "[output]\ndevice = default", "an output's name is 1 to 64 of"),
    (1, "[output:a b]\ndevice = default", "an output's name is 1 to 64 of"),
    (2, "[output:a]\nwake = 11", "[output:a] wake is a number of seconds"),
    (2, "[output:a]\nwake = -1", "up to 10s"),
    (2, "[output:a]\ndevice =", "needs a value"),
    (2, "[output:a]\nvolume = 1", "[output:a] volume is no key"),
    (4, "[output:a]\ndevice = x\n[app:b]\noutput = a, c", "there is no section [output:c]"),
    (17, (0..<9).map { "[output:o\($0)]\nwake = 1\n" }.joined(), "at most 8 outputs"),
    (2, "[limits]\nnotifications = 0", "from 1 to"),
    (2, "[limits]\nonFull = explode", "discard or refuse"),
    (2, "[limits]\nregions = -1", "from 0 to"),
    (2, "[limits]\napps = 0", "from 1 to"),
    (2, "[app:a]\nallowed = noise", "alert, badge and sound"),
    (2, "[app:a]\nlocation = perhaps", "yes or no"),
    (2, "[app:a]\nfolder = sounds", "whole path"),
    (2, "[app:a]\nregions = many", "from 0 to"),
    (2, "[app:a]\nlocation = here", "yes or no"),
    (2, "[limits]\ninbox = 0", "from 1 to"),
    (2, "[app:a]\ninbox = many", "from 1 to"),
    (2, "[limits]\nsessions = 0", "from 1 to 65536"),
    (2, "[access]\ngroup =", "group's name"),
    (2, "[access]\ncritical =", "group's name"),
    (2, "[app:a]\ncritical = ward", "is yes or no"),
    (1, "[plugin:a]", "needs file =, such as file = console"),
    (1, "[plugin:a]\npath = console", "needs file =, which here is written path ="),
    (1, "[plugin:a/b]\nfile = x", "plugin's name"),
    (1, "[plugin:speaker]\nfile = x", "the speaker has that name"),
    (1, "[plugin]\nfile = x", "plugin's name"),
    (1, "[app:a b]\nlate = fire", "app id"),
    (2, "[app:a]\nvolume = 1", "not in this build"),
    (2, "[app:a]\ncolour = red", "is no key"),
    (3, "[clock]\ngrace = 1\ngrace = 2", "already"),
    (1, "grace = 1", "before any"),
  ])
  func A4_whatIsWrongIsNamedWithItsLine(line: Int64, text: String, words: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try read(text) }
    #expect(error?.line == line)
    #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
  }

  @Test func E11_outputsAndTheLongestSoundAreTheSpeakersToKnow() throws {
    let configuration = try read(
      """
      [sound]
      output = amplifier
      longest = 5m
      [app:shop]
      output = kitchen, amplifier
      [output:amplifier]
      device = hw:1
      wake = 1.5s
      [output:kitchen]
      wake = 2
      """)
    #expect(
      configuration.sound.map { "\($0.key) = \($0.value)" } == [
        "output = amplifier", "longest = 300000000000", "output:shop = kitchen, amplifier",
        "device:amplifier = hw:1", "wake:amplifier = 1500000000", "wake:kitchen = 2000000000",
      ])
    #expect(configuration.scheduler.sounds.wake == 2 * Nanoseconds.second)
    #expect(configuration.scheduler.sounds.longest == 300 * Nanoseconds.second)
  }

  @Test func withoutSoundThereIsNoSpeaker() throws {
    #expect(try read("[sound]\nenabled = no").scheduler.sinks.isEmpty)
  }

  @Test func commentsAndPluginsDoNotNeedARestart() throws {
    let old = try read("[clock]\ngrace = 1\n[plugin:a]\nfile = a")
    let new = try read("# hello\n[clock]\ngrace = 1\n[plugin:a]\nfile = b\nkey = 1")
    #expect(old.keys == new.keys)
    #expect(old.keys != (try read("[clock]\ngrace = 2")).keys)
  }
}
