import BelfryCore
import Testing

@testable import BelfryDaemon

@Suite struct ManifestReaderTests {
  private static let system = ManifestFolder(path: "/etc/belfry/apps", user: nil)

  private func read(
    _ text: String, id: String = "org.example.clock", in folder: ManifestFolder = system
  ) throws(ConfigurationError) -> AppManifest {
    try ManifestReader.read(Array(text.utf8), id: id, in: folder)
  }

  @Test func anEmptyOneIsTheDefaults() throws {
    let manifest = try read("")
    #expect(manifest.path == "/etc/belfry/apps/org.example.clock.app")
    #expect(manifest.profile.allowed == .all)
    #expect(manifest.owner == nil && manifest.launch == nil && manifest.location == nil)
    #expect(!manifest.profile.canLaunch && !manifest.profile.launchesForPush)
  }

  @Test func everyKeyIsTakenUp() throws {
    let manifest = try read(
      """
      # The clock.
      [app]
      name = Clock of ours
      executable = /usr/lib/clock/clock
      user = daemon
      soundFolder = /usr/share/clock/sounds
      stringsFolder = /usr/share/clock
      daysFolder = /usr/share/clock/days
      language = de-AT
      allowed = alert, sound
      location = yes
      notifications = 10
      onFull = refuse
      regions = 3
      sessions = 2
      late = 60
      inbox = 50
      launchForPush = yes
      """)
    #expect(manifest.launch == .executable("/usr/lib/clock/clock"))
    #expect(manifest.soundFolder == "/usr/share/clock/sounds")
    #expect(manifest.stringsFolder == "/usr/share/clock")
    #expect(manifest.daysFolder == "/usr/share/clock/days")
    let profile = manifest.profile
    #expect(profile.name == "Clock of ours")
    #expect(profile.owner == 1)
    #expect(profile.launch == "/usr/lib/clock/clock" && profile.canLaunch)
    #expect(profile.language == "de-AT")
    #expect(profile.allowed == [.alert, .sound])
    #expect(profile.mayLocate == true)
    let limits = profile.limits
    #expect(limits.notifications == 10 && limits.regions == 3 && limits.sessions == 2)
    #expect(limits.onFull == .refuse && limits.late == .seconds(60))
    #expect(limits.inbox == 50 && profile.launchesForPush)
    #expect(try read("[app]\nunit = clock@1.service").launch == .unit("clock@1.service"))
    #expect(try read("[app]\nallowed = none").allowed == [])
    #expect(try read("[app]\nlate = 5m").limits.late == .seconds(300))
    #expect(try read("[app]\nuser = 4711").owner == 4711)
  }

  @Test(arguments: [
    // line, text, words of the reason
    (2, "[app]\nnme = x", "nme is no key"),
    (1, "[apps]\nname = x", "[apps] is no section"),
    (2, "# c\n[app:x]", "[app:x] is no section"),
    (1, "name = x", "before any"),
    (3, "[app]\nname = a\nname = b", "already"),
    (2, "[app]\nname =", "1 to 255 bytes"),
    (2, "[app]\nexecutable = clock", "whole path"),
    (2, "[app]\nexecutable = ./clock", "whole path"),
    (3, "[app]\nexecutable = /bin/clock\nunit = clock.service", "one of executable and unit"),
    (2, "[app]\nunit = clock", "whole name"),
    (2, "[app]\nunit = --force.service", "whole name"),
    (2, "[app]\nunit = a.service b.service", "whole name"),
    (2, "[app]\nuser = no-such-user", "no such user"),
    (2, "[app]\nsoundFolder = sounds", "whole path"),
    (2, "[app]\nstringsFolder = ~/strings", "whole path"),
    (2, "[app]\nlanguage = de_AT", "language's tag"),
    (2, "[app]\nlanguage = ../etc", "language's tag"),
    (2, "[app]\nallowed = noise", "alert, badge and sound"),
    (2, "[app]\nallowed =", "alert, badge and sound"),
    (2, "[app]\nlocation = here", "yes or no"),
    (2, "[app]\nnotifications = 0", "from 1 to"),
    (2, "[app]\nonFull = explode", "discard or refuse"),
    (2, "[app]\nregions = many", "from 0 to"),
    (2, "[app]\nsessions = 0", "from 1 to"),
    (2, "[app]\nlate = never", "fire, drop or"),
    (2, "[app]\nlaunchForPush = often", "yes or no"),
    (2, "[app]\ninbox = 0", "from 1 to"),
  ])
  func A4_whatIsWrongIsNamedWithItsLine(line: Int64, text: String, words: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try read(text) }
    #expect(error?.line == line)
    #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
  }

  @Test func A1_aManifestInAUsersFolderCountsForThatUserOnly() throws {
    let folder = ManifestFolder(path: "/home/a/.config/belfry/apps", user: 1000)
    #expect(try read("[app]\nname = x", in: folder).owner == 1000)
    #expect(try read("[app]\nuser = 1000", in: folder).owner == 1000)
    let error = #expect(throws: ConfigurationError.self) {
      try read("[app]\nuser = 1001", in: folder)
    }
    #expect(error?.reason.contains("counts for him alone") == true)
  }

  @Test func S6_nobodyGivesHimselfTheRightToBeCritical() throws {
    let folder = ManifestFolder(path: "/home/a/.config/belfry/apps", user: 1000)
    #expect(try read("[app]\ncritical = yes").profile.mayBeCritical == true)
    #expect(try read("[app]\ncritical = no").profile.mayBeCritical == false)
    #expect(try read("[app]\nname = x").profile.mayBeCritical == nil)
    #expect(try read("[app]\ncritical = yes", in: folder).profile.mayBeCritical == nil)
    #expect(try read("[app]\ncritical = no", in: folder).profile.mayBeCritical == false)
    #expect(throws: ConfigurationError.self) { try read("[app]\ncritical = ward") }
  }

  @Test func A1_aUsersOwnIdIsNobodyElsesToGive() throws {
    #expect(try read("[app]\nuser = 1000", id: "user.1000").owner == 1000)
    #expect(try read("[app]\nname = x", id: "user.1000").owner == nil)
    #expect(throws: ConfigurationError.self) { try read("[app]\nuser = 1001", id: "user.1000") }
    let folder = ManifestFolder(path: "/home/a/.config/belfry/apps", user: 1001)
    #expect(throws: ConfigurationError.self) { try read("", id: "user.1000", in: folder) }
  }
}
