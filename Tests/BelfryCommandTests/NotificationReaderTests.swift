import BelfryCore
import BelfrySystem
import BelfryWire
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct NotificationReaderTests {
    func notification(_ options: [String]) throws -> Notification {
      guard case .run(let given) = try CommandLineParser.parse(["schedule"] + options) else {
        throw CommandError.usage("not a command to run")
      }
      let now = try instant("2026-12-25T08:30:00+01:00")
      let trigger = try TriggerReader(
        given: given, now: now, board: berlin, files: ZoneFiles()
      ).read()
      return try NotificationReader.read(given, trigger: trigger, now: now)
    }

    @Test func everyOptionReachesItsField() throws {
      let made = try notification([
        "--body", "b", "--title", "t", "--subtitle", "s", "--action", "a", "--sound", "bell.wav",
        "--badge", "3", "--category", "c", "--user-info", "{\"n\":1,\"x\":[1.0,true]}", "--thread",
        "th",
        "--level", "critical", "--volume", "0.5", "--id", "i", "--at", "2027-01-01T07:00Z",
        "--repeat", "week", "--calendar", "iso8601", "--expires", "2028-01-01T07:00Z", "--late",
        "90",
      ])
      var expected = Notification()
      expected.identifier = "i"
      expected.alertBody = "b"
      expected.alertTitle = "t"
      expected.alertSubtitle = "s"
      expected.alertAction = "a"
      expected.soundName = "bell.wav"
      expected.applicationIconBadgeNumber = 3
      expected.category = "c"
      expected.userInfo = ["n": .integer(1), "x": .array([.double(1), .boolean(true)])]
      expected.threadIdentifier = "th"
      expected.interruptionLevel = .critical
      expected.volume = 0.5
      expected.fireDate = try instant("2027-01-01T07:00Z")
      expected.repeatInterval = .week
      expected.repeatCalendar = "iso8601"
      expected.expires = try instant("2028-01-01T07:00Z")
      expected.late = .seconds(90)
      #expect(made == expected)
    }

    @Test func aBellIsOnlyASound() throws {
      let made = try notification(["--sound", "default", "--now", "--no-action"])
      #expect(made.alertBody == nil)
      #expect(!made.hasAction)
      #expect(made.fireDate == nil)
    }

    @Test(arguments: [("50%", 0.5), ("0.25", 0.25), ("100%", 1), ("0%", 0), ("12.5%", 0.125)])
    func N19_aVolumeMayBeGivenPerCent(_ text: String, _ volume: Double) throws {
      let given = ["--sound", "default", "--now", "--volume", text]
      #expect(try notification(given).volume == volume)
    }

    static let wrong: [([String], EndStatus, String)] = [
      (
        ["--now"], .wrongUsage,
        "something to deliver is needed: --body, --title, --sound, --badge or --user-info"
      ),
      (["--badge", "many", "--now"], .wrongUsage, "--badge: \"many\" is not a whole number"),
      (
        ["--body", "x", "--now", "--volume", "loud"], .wrongUsage,
        "--volume: \"loud\" is not a volume; use 0.5 or 50%"
      ),
      (
        ["--body", "x", "--now", "--late", "soon"], .wrongUsage,
        "--late: \"soon\" is not fire, drop or a duration such as 10m"
      ),
      (
        ["--body", "x", "--now", "--level", "crticial"], .wrongUsage,
        "--level: there is no level \"crticial\"; did you mean critical?"
          + " (one of passive, active, timeSensitive, critical)"
      ),
      (
        ["--body", "x", "--now", "--action", "a", "--no-action"], .wrongUsage,
        "--action and --no-action cannot stand together"
      ),
      (["--body", "x", "--now", "--volume", "0.5"], .wrongUsage, "--volume needs --sound NAME"),
      (
        ["--sound", "default", "--now", "--repeat-sound", "2", "--ring-for", "1m"], .wrongUsage,
        "--repeat-sound and --ring-for cannot stand together"
      ),
    ]

    @Test(arguments: wrong)
    func wrongValuesAreNamed(_ options: [String], _ status: EndStatus, _ message: String) throws {
      #expect(throws: CommandError(status: status, message: message)) {
        _ = try notification(options)
      }
    }

    @Test(arguments: [
      (["--body", String(repeating: "x", count: 16385), "--now"], "--body: "),
      (["--body", "x", "--now", "--sound", "../x.wav"], "--sound: "),
      (["--body", "x", "--now", "--volume", "2"], "--volume: \"2\" is not within 0 to 1"),
      (["--body", "x", "--now", "--volume", "200%"], "--volume: \"200%\" is not within 0% to"),
      (["--body", "x", "--now", "--id", String(repeating: "i", count: 129)], "--id: "),
      (["--body", "x", "--now", "--user-info", "{\"a\":{\"b\":null}}"], "--user-info a.b: "),
      (["--body", "x", "--now", "--badge", "99999999999"], "--badge: "),
      (
        [
          "--body", "x", "--at", "2026-12-25T09:00+01:00", "--expires", "2026-12-25T08:45+01:00",
        ], "--expires: "
      ),
      (
        ["--body", "x", "--now", "--repeat", "day", "--calendar", "discordian"], "--calendar: "
      ),
    ])
    func A4_brokenRulesNameTheField(_ options: [String], _ field: String) throws {
      do {
        _ = try notification(options)
        Issue.record("made")
      } catch let error as CommandError {
        #expect(error.status == .refused)
        #expect(error.message.hasPrefix(field), "\(error.message)")
        for name in ["fireDate", "alertBody", "(N", "(S"] {
          #expect(!error.message.contains(name), "\(error.message)")
        }
      }
    }

    @Test func E3_daysThatStandForACalendarAreToldTheirOption() throws {
      let line = "schedule --repeat day --except-on 2027-12-24 --only-on mon-fri --only-on x"
      guard case .run(let given) = try CommandLineParserTests.parse(line) else {
        return #expect(Bool(false), "\(line)")
      }
      let told = { (field: String, name: String) in
        DaysArguments.told("\(field): there is no calendar \"\(name)\" yet, so it rings", given)
      }
      let head = { (option: String, name: String) in
        "--\(option): there is no calendar \"\(name)\" yet, so it rings"
      }
      #expect(
        told("exceptOn", "2027-12-24") == head("except-on", "2027-12-24")
          + "; for a day by itself write --exdate 2027-12-24")
      #expect(
        told("onlyOn", "mon-fri")
          == head("only-on", "mon-fri")
          + "; for days of the week write --weekdays mon-fri, and no --repeat")
      #expect(told("onlyOn", "x") == head("only-on", "x"))
      #expect(DaysArguments.told("its sound is not heard", given) == "its sound is not heard")
    }

    /// Every field of a notification has an option, but for those that only programs set.
    @Test func everyFieldHasItsOption() {
      let fields = NotificationField.table.map { $0.name }
      let set = OptionTable.all.compactMap { $0.field }
      #expect(Set(set).count == set.count && Set(set).isSubset(of: fields))
      #expect(
        Set(fields).subtracting(set) == [
          "alertActionLocalizationArgs", "alertBodyIsFormat", "alertLaunchImage",
          "alertLocalizationArgs", "alertSubtitleLocalizationArgs", "alertTitleLocalizationArgs",
          "badgeOperation", "datesAreOld", "hasAction", "push", "rrules",
        ])
      // What is copied is a text on the wire.
      for spec in OptionTable.all where spec.isCopied {
        #expect(NotificationField.table.contains { $0.name == spec.field && $0.type == "string" })
      }
    }
  }
}
