import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// The text of a rule: its canonical form, and what is refused where.
struct RuleTextTests {
  @Test func T6_aRuleIsItsText() throws {
    let seed = TestSeed.here()
    var random = RandomRule(random: SeededRandom(seed: seed))
    for _ in 0..<4000 {
      let written = random.text(atMost: .yearly, atLeast: .secondly)
      let rule = try RecurrenceRule.parse(written)
      #expect(try RecurrenceRule.parse(rule.text) == rule, "seed \(seed): \(written)")
      #expect(try RecurrenceRule.parse(rule.text).text == rule.text, "seed \(seed): \(written)")
      var plan = RepeatPlan(.rule(rule))
      plan.exdates = [Instant(nanoseconds: -7), Instant(nanoseconds: 1 << 60)]
      plan.rdates = [Instant(nanoseconds: 0)]
      #expect(try RepeatPlan.parse(plan.text) == plan, "seed \(seed): \(written)")
    }
  }

  @Test(arguments: [
    ("RRULE:FREQ=DAILY;INTERVAL=1;WKST=MO", "FREQ=DAILY"),
    ("byday=fr,mo,+1su;freq=monthly;count=3", "FREQ=MONTHLY;COUNT=3;BYDAY=MO,FR,1SU"),
    ("FREQ=YEARLY;BYMONTHDAY=-1,31,1,31", "FREQ=YEARLY;BYMONTHDAY=-1,1,31"),
    ("FREQ=YEARLY;UNTIL=20271231", "FREQ=YEARLY;UNTIL=20271231"),
    // As they are met.
    ("rrule:freq=daily;interval=2;", "FREQ=DAILY;INTERVAL=2"),
    ("FREQ=DAILY;UNTIL=99991231T235959Z", "FREQ=DAILY"),
    ("FREQ=DAILY;UNTIL=22620101", "FREQ=DAILY"),
    ("FREQ=YEARLY;UNTIL=20271231T235960", "FREQ=YEARLY;UNTIL=20271231T235959"),
    ("FREQ=YEARLY;UNTIL=20271231T070000Z", "FREQ=YEARLY;UNTIL=20271231T070000Z"),
    ("SKIP=FORWARD;FREQ=MONTHLY", "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD"),
    ("RSCALE=GREGORIAN;FREQ=DAILY;SKIP=OMIT", "FREQ=DAILY"),
    ("FREQ=MINUTELY;BYSECOND=60,0;BYSETPOS=-1", "FREQ=MINUTELY;BYSECOND=0,59;BYSETPOS=-1"),
  ])
  func T6_theCanonicalText(written: String, canonical: String) throws {
    #expect(try RecurrenceRule.parse(written).text == canonical)
  }

  struct Refusal: CustomTestStringConvertible {
    var rule: String
    var code: FieldError.Code
    /// Of the part or the value that is wrong, counted from 1; nil: of none.
    var character: Int?
    var testDescription: String { rule }

    init(_ rule: String, _ code: FieldError.Code, at character: Int?) {
      (self.rule, self.code, self.character) = (rule, code, character)
    }
  }

  static let refusals = [
    Refusal("", .malformed, at: 1),
    Refusal("INTERVAL=2;COUNT=3", .missing, at: nil),
    Refusal("FREQ=DAILY;COUNT=3;UNTIL=20271231", .conflict, at: 20),
    Refusal("FREQ=DAILY;BYSETPOS=1", .conflict, at: 12),
    Refusal("FREQ=DAILY;INTERVAL=0", .outOfRange, at: 21),
    Refusal("FREQ=DAILY;INTERVAL=-1", .outOfRange, at: 21),
    Refusal("FREQ=DAILY;INTERVAL=1000000000000", .outOfRange, at: 21),
    Refusal("FREQ=DAILY;INTERVAL=99999999999999999999999999", .outOfRange, at: 21),
    Refusal("FREQ=DAILY;COUNT=0", .outOfRange, at: 18),
    Refusal("FREQ=DAILY;COUNT=1000001", .outOfRange, at: 18),
    Refusal("FREQ=DAILY;FREQ=DAILY", .conflict, at: 12),
    Refusal("FREQ=DAILY;BYHOUR=7;BYHOUR=8", .conflict, at: 21),
    Refusal("FREQ=FORTNIGHTLY", .unknown, at: 6),
    Refusal("FREQ", .malformed, at: 1),
    Refusal("FREQ=", .unknown, at: 6),
    Refusal("FREQ=DAILY;;COUNT=2", .malformed, at: 12),
    Refusal("FREQ=DAILY COUNT=2", .malformed, at: 11),
    Refusal("FREQ=DAILY;BYFOO=1", .unknown, at: 12),
    Refusal("FREQ=DAILY;BYHOUR=24", .outOfRange, at: 19),
    Refusal("FREQ=DAILY;BYHOUR=", .malformed, at: 19),
    Refusal("FREQ=DAILY;BYHOUR=7,", .malformed, at: 21),
    Refusal("FREQ=DAILY;BYMINUTE=60", .outOfRange, at: 21),
    Refusal("FREQ=DAILY;BYSECOND=61", .outOfRange, at: 21),
    Refusal("FREQ=DAILY;BYMONTH=13", .outOfRange, at: 20),
    Refusal("FREQ=DAILY;BYMONTH=5L", .malformed, at: 21),
    Refusal("FREQ=MONTHLY;BYMONTHDAY=0", .outOfRange, at: 25),
    Refusal("FREQ=MONTHLY;BYMONTHDAY=1,-32", .outOfRange, at: 28),
    Refusal("FREQ=YEARLY;BYYEARDAY=367", .outOfRange, at: 23),
    Refusal("FREQ=YEARLY;BYWEEKNO=54", .outOfRange, at: 22),
    Refusal("FREQ=MONTHLY;BYWEEKNO=20", .conflict, at: 14),
    Refusal("FREQ=MONTHLY;BYYEARDAY=20", .conflict, at: 14),
    Refusal("FREQ=WEEKLY;BYMONTHDAY=20", .conflict, at: 13),
    Refusal("FREQ=WEEKLY;BYDAY=1MO", .conflict, at: 13),
    Refusal("FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO", .conflict, at: 25),
    Refusal("FREQ=MONTHLY;BYDAY=0MO", .outOfRange, at: 20),
    Refusal("FREQ=MONTHLY;BYDAY=54MO", .outOfRange, at: 20),
    Refusal("FREQ=MONTHLY;BYDAY=MOO", .malformed, at: 20),
    Refusal("FREQ=MONTHLY;BYDAY=XX", .malformed, at: 20),
    Refusal("FREQ=DAILY;WKST=1", .malformed, at: 17),
    Refusal("FREQ=DAILY;UNTIL=2027", .malformed, at: 18),
    Refusal("FREQ=DAILY;UNTIL=20270230", .outOfRange, at: 18),
    Refusal("FREQ=DAILY;UNTIL=20271231T250000", .outOfRange, at: 18),
    Refusal("FREQ=DAILY;UNTIL=16771231", .outOfRange, at: 18),
    Refusal("FREQ=DAILY;UNTIL=99991332", .outOfRange, at: 18),
    Refusal("FREQ=WEEKLY;BYDAY=MO-FR", .malformed, at: 21),
    Refusal("FREQ=WEEKLY;;", .malformed, at: 13),
    Refusal("FREQ=DAILY;RSCALE=HEBREW", .unknown, at: 19),
    Refusal("FREQ=DAILY;SKIP=SIDEWAYS", .unknown, at: 17),
    Refusal("FREQ=DAILY;\u{0}", .malformed, at: 12),
    Refusal("FREQ=DÄILY", .unknown, at: 6),
    Refusal("FREQ=DAILY;BYDAY=" + String(repeating: "MO,", count: 4000), .tooLong, at: nil),
  ]

  @Test(arguments: refusals)
  func T6_whatIsNoRuleIsRefusedWhereItIsWrong(_ row: Refusal) throws {
    let error = try #require(throws: FieldError.self) { try RecurrenceRule.parse(row.rule) }
    #expect(error.field == "rrule")
    #expect(error.code == row.code, "\(error.reason)")
    if let character = row.character {
      #expect(error.reason.hasSuffix("(character \(character))"), "\(error.reason)")
    }
  }
}
