import BelfryCore

/// Zones that a rule is expanded in.
private let zones = [
  ZoneRules.utc,
  try! ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"),
  try! ZoneRules(posix: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
]

/// Seven bytes of start and policies, then a rule's text, or those of several with `|` between them:
/// what is read is written back as the same, and its occurrences come in order, found again by their
/// index. The end of a COUNT is found as it is for a notification.
@c(LLVMFuzzerTestOneInput)
func ruleOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
  let text = String(decoding: bytes.dropFirst(7), as: UTF8.self)
  var rules: [RecurrenceRule] = []
  for part in text.split(separator: "|").prefix(RepeatPlan.mostRules) where bytes.count > 7 {
    guard let rule = try? RecurrenceRule.parse(String(part)) else { continue }
    precondition((try? RecurrenceRule.parse(rule.text)) == rule, rule.text)
    rules.append(rule)
  }
  guard !rules.isEmpty else {
    _ = try? RepeatPlan.parse(String(decoding: bytes, as: UTF8.self))
    return 0
  }
  var plan = RepeatPlan(rules.count == 1 ? .rule(rules[0]) : .rules(rules))
  plan.gap = GapPolicy.allCases[Int(bytes[0] % 3)]
  plan.overlap = OverlapPolicy.allCases[Int(bytes[1] % 3)]
  precondition((try? RepeatPlan.parse(plan.text)) == plan, plan.text)
  // All of the range; one in 128 is within days of an end of it.
  let number = bytes[2..<7].reduce(Int64(0)) { $0 << 8 | Int64($1) }
  let anchor =
    switch bytes[2] {
    case 0xFF: Instant.distantFuture.advanced(by: -number % (200 * Nanoseconds.hour) - 1)
    case 0xFE: Instant.distantPast.advanced(by: number % (200 * Nanoseconds.hour) + 1)
    default:
      Instant(nanoseconds: (number % 18_000_000_000 - 9_000_000_000) * Nanoseconds.second)
    }
  let zone = zones[Int(bytes[0] / 3) % zones.count]
  var meter = StepMeter(limit: RuleBudget.count)
  plan = plan.counted(from: anchor, in: zone, &meter)
  if meter.isSpent { return 0 }
  let table = Timetable(plan: plan, anchor: anchor, mode: .floating, zone: zone)
  guard plan.isWithinBudget(table, anchor: anchor, now: anchor) else { return 0 }
  var last = Instant.distantPast
  for _ in 0..<8 {
    guard let due = table.first(after: last) else { break }
    precondition(due.instant > last)
    precondition(table.due(k: due.k) == due, "\(text): \(due)")
    precondition(table.newest(notAfter: due.instant) == due, "\(text): \(due)")
    last = due.instant
  }
  return 0
}

/// libFuzzer's own main loop (its header FuzzerInterface.h).
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM's name for the program's entry.
@c(FuzzRule_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, ruleOneInput)
}
