import BelfryCore
import Testing

@testable import BelfryCommand

struct WeekdaysArgumentTests {
  @Test(arguments: [
    ("mon-fri", "MO,TU,WE,TH,FR"), ("weekdays", "MO,TU,WE,TH,FR"), ("Mon,wed, FRIDAY", "MO,WE,FR"),
    ("sat,sun", "SA,SU"), ("weekend", "SA,SU"), ("sat-mon", "MO,SA,SU"), ("tu", "TU"),
    ("mon-wed,sat", "MO,TU,WE,SA"), ("daily", "MO,TU,WE,TH,FR,SA,SU"),
    ("sun-sat", "MO,TU,WE,TH,FR,SA,SU"),
    ("fri-fri", "FR"),
  ])
  func E8_weekdaysAreARule(_ text: String, _ days: String) throws {
    #expect(try WeekdaysArgument.rule(text).text == "FREQ=WEEKLY;BYDAY=" + days)
  }

  @Test(arguments: [
    ("mon-fun", "\"fun\" is no day; did you mean sun?"), ("", "lacks a day"),
    ("mon-tue-wed", "is not understood"),
    ("weekday-sun", "\"weekday\" is no day; did you mean weekdays?"), ("m", "\"m\" is no day"),
    ("mond", "\"mond\" is no day; did you mean monday?"),
  ])
  func A4_E8_whatIsNoDayIsSaidWithTheNearest(_ text: String, _ said: String) {
    do throws(CommandError) {
      _ = try WeekdaysArgument.rule(text)
      Issue.record("\(text) is understood")
    } catch {
      #expect(error.field == "--weekdays")
      #expect(error.reason.contains(said), "\(error.reason)")
      #expect(error.reason.contains("write days (mon,wed,fri)"))
    }
  }

  @Test(arguments: [
    ("mon,,tue", "mon,tue"), ("mon-", "mon"), ("1-5", "mon-fri"), ("Mon..Fri", "mon-fri"),
    ("all", "daily"),
  ])
  func A4_E8_whatIsNearlyAListIsToldWhichOne(_ text: String, _ meant: String) {
    #expect(
      throws: CommandError.usage(
        "--weekdays: \"\(text)\" is no list of days; did you mean \(meant)?")
    ) { try WeekdaysArgument.rule(text) }
  }

  @Test func E8_E7_theOptionIsARuleAndGoesWithNoOther() throws {
    let reader = CommandLines.NotificationReaderTests()
    let made = try reader.notification(
      ["--body", "b", "--at", "07:00", "--weekdays", "mon-fri", "--except-on", "holidays"])
    #expect(made.rrule?.text == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" && made.exceptOn == ["holidays"])
    for other in [["--repeat", "day"], ["--rrule", "FREQ=DAILY"]] {
      #expect(throws: CommandError.self) {
        try reader.notification(["--body", "b", "--at", "07:00", "--weekdays", "mon"] + other)
      }
    }
  }
}
