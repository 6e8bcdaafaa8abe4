import BelfryCore
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct TriggerTests {
    func trigger(_ options: [String]) throws -> Trigger {
      guard case .run(let given) = try CommandLineParser.parse(["next"] + options) else {
        throw CommandError.usage("not a command to run")
      }
      return try Trigger.read(given, now: instant("2026-12-25T08:30:00+01:00"), zone: berlin)
    }

    @Test func formsAreToldApart() throws {
      #expect(try trigger(["--now"]).form == .now)
      #expect(try trigger(["--now"]).fireDate == nil)
      #expect(try trigger(["--in", "1h30m"]).fireDate == instant("2026-12-25T10:00:00+01:00"))
      #expect(try trigger(["--at", "09:00"]).form == .wallClock)
      #expect(try trigger(["--at", "2027-01-01T07:00Z"]).mode == "absolute")
      #expect(
        try trigger(["--at", "09:00"]).mode
          == "absolute: this instant, floating times are not in this build")
    }

    static let wrong: [([String], String)] = [
      (["-n", "2"], "one of --at TIME, --in DURATION and --now is needed"),
      (["--at", "07:00", "--now"], "--at and --now cannot stand together"),
      (["--in", "1x"], "--in: no duration in \"1x\"; write 90s, 10m, 1h30m, 2d"),
      (["--now", "--repeat", "weak"], "--repeat: there is no unit \"weak\"; did you mean week?"),
      (["--now", "--zone-mode", "floating"], "--zone-mode floating: not in this build"),
      (
        ["--now", "--zone-mode", "floatin"],
        "--zone-mode: no mode \"floatin\"; did you mean floating?"
      ),
      (
        ["--at", "07:00", "--repeat", "day"],
        "--at: a clock time that repeats by the day is a floating time, which is not in this build;"
          + " give it an offset, such as 2027-01-01T07:00+01:00, and it repeats in UTC"
      ),
    ]

    @Test(arguments: wrong)
    func wrongTriggersAreNamed(_ options: [String], _ message: String) throws {
      do {
        _ = try trigger(options)
        Issue.record("read: \(options)")
      } catch let error as CommandError {
        #expect(error.message == message)
      }
    }

    @Test func aClockTimeMayRepeatByTheHourOrAsAbsolute() throws {
      #expect(try trigger(["--at", "09:00", "--repeat", "hour"]).unit == .hour)
      let absolute = ["--at", "09:00", "--repeat", "day", "--zone-mode", "absolute"]
      #expect(try trigger(absolute).unit == .day)
    }

    @Test func everyUnitHasItsName() {
      #expect(Set(RepeatUnit.allCases.map { $0.name }) == Set(OptionTable.units))
    }
  }
}
