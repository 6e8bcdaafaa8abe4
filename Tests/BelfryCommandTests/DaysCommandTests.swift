import BelfryCore
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct DaysCommandTests {
    private func draft(_ line: String) throws -> BelfryCore.Notification {
      var draft = BelfryCore.Notification()
      try DaysArguments.set(try CommandLineParserTests.invocation(line), in: &draft)
      return draft
    }

    @Test func E3_calendarsAreNamedAsOftenAsNeeded() throws {
      let draft = try draft(
        "schedule --except-on a --except-on b --only-on c --as-on d=sun --as-on e=Monday")
      #expect(draft.exceptOn == ["a", "b"] && draft.onlyOn == ["c"])
      #expect(
        draft.asOn == [
          AsOn(calendar: "d", weekday: .sun), AsOn(calendar: "e", weekday: .mon),
        ])
    }

    @Test(arguments: ["d", "d=", "d=someday", "=x"]) func E3_asOnNamesADay(text: String) throws {
      do {
        _ = try draft("schedule --as-on " + text)
        Issue.record("it was read")
      } catch let error as CommandError {
        #expect(error.message.hasPrefix("--as-on: "))
      }
    }

    @Test func E3_doctorWarnsSixtyDaysAhead() {
      var row = ListedDays(app: nil, name: "off", path: "/off.days", state: .good)
      row.last = 159
      #expect(DaysCheck.judge(row, today: 99) == nil)
      #expect(DaysCheck.judge(row, today: 100)?.finding == "off ends: its last day is 1970-06-09")
      row.state = .ended
      #expect(
        DaysCheck.judge(row, today: 160)?.finding == "off has ended: its last day was 1970-06-09")
      (row.state, row.problem) = (.kept, "it is gone")
      #expect(
        DaysCheck.judge(row, today: 0)?.finding == "off counts as it was read last: it is gone")
      row.state = .unusable
      #expect(DaysCheck.judge(row, today: 0)?.result == .fail)
    }
  }
}
