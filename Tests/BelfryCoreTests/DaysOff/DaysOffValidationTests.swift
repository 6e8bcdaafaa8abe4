import Testing

@testable import BelfryCore

@Suite struct DaysOffValidationTests {
  struct Row: Sendable {
    var field: String?
    var rule: String?
    var change: @Sendable (inout Notification) -> Void

    init(
      _ field: String?, rule: String? = "FREQ=WEEKLY;BYDAY=MO",
      _ change: @escaping @Sendable (inout Notification) -> Void
    ) {
      (self.field, self.rule, self.change) = (field, rule, change)
    }
  }

  static let sunday = [AsOn(calendar: "feast", weekday: .sun)]

  static let rows = [
    Row(nil) { $0.exceptOn = ["a", "b"] },
    Row("exceptOn") { $0.exceptOn = (0...8).map { "c\($0)" } },
    Row("onlyOn[1]") { $0.onlyOn = ["a", "a"] },
    Row("onlyOn[0]") { $0.onlyOn = ["a/b"] },
    Row("exceptOn[0]") { $0.exceptOn = [""] },
    Row("exceptOn", rule: nil) { ($0.exceptOn, $0.fireDate) = (["a"], nil) },
    Row(nil, rule: nil) { $0.exceptOn = ["a"] },
    Row("onlyOn", rule: nil) {
      ($0.onlyOn, $0.fireDate) = (["a"], nil)
      $0.region = CircularRegion(latitude: 1, longitude: 1, radius: 100)
    },
    Row(nil) { $0.asOn = sunday },
    Row(nil, rule: "FREQ=DAILY;BYDAY=SU;INTERVAL=2") { $0.asOn = sunday },
    Row("asOn", rule: nil) { $0.asOn = sunday },
    Row("asOn", rule: nil) { ($0.asOn, $0.repeatInterval) = (sunday, .week) },
    Row("asOn", rule: "FREQ=WEEKLY") { $0.asOn = sunday },
    Row("asOn", rule: "FREQ=MONTHLY;BYDAY=MO") { $0.asOn = sunday },
    Row("asOn", rule: "FREQ=WEEKLY;BYDAY=MO;COUNT=3") { $0.asOn = sunday },
    Row("asOn", rule: "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1") { $0.asOn = sunday },
    Row("asOn") { ($0.asOn, $0.count) = (sunday, 3) },
    Row("asOn[1].calendar") { $0.asOn = sunday + sunday },
    Row("asOn[0].calendar") { $0.asOn = [AsOn(calendar: ".x", weekday: .mon)] },
    Row("asOn") {
      $0.asOn = (0...8).map { AsOn(calendar: "c\($0)", weekday: .mon) }
    },
  ]

  @Test(arguments: rows.indices) func E3_whatBreaksARuleIsNamed(index: Int) throws {
    let row = Self.rows[index]
    var draft = Notification()
    draft.alertBody = "x"
    draft.fireDate = Instant(nanoseconds: 1_800_000_000_000_000_000)
    draft.rrule = try row.rule.map { try RecurrenceRule.parse($0) }
    row.change(&draft)
    var field: String?
    do {
      _ = try draft.validated()
    } catch {
      field = error.field
    }
    #expect(field == row.field)
  }
}
