import BelfryCore

/// Zones that a rule is expanded in.
private let zones = [
  ZoneRules.utc,
  try! ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"),
  try! ZoneRules(posix: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
]

/// 2026-03-01T12:00:00Z
private let now = Instant(nanoseconds: 1_772_366_400 * Nanoseconds.second)

/// A meter is looked at again after no more than a look at each second of a day (an eighth of a step
/// each), and what is found is not thrown away.
private let slack: Int64 = 16_384

/// Bounds beyond `RuleBudget.search` of what no look from now on foretells.
private let unforeseen: Int64 = 16

/// Bytes as a rule that may be costly, what scheduling it and asking for its occurrences takes in
/// steps: no budget of A2 is exceeded, and inputs that take more are kept for others to come from.
@c(LLVMFuzzerTestOneInput)
func workOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var maker = CostlyRule(Array(UnsafeBufferPointer(start: bytes, count: count)))
  let text = maker.text()
  let zone = zones[Int(maker.byte()) % zones.count]
  let anchor = now.advanced(
    by: (maker.number(4) % 2_000_000_000 - 1_000_000_000) * Nanoseconds.second)
  let asked = Int32(maker.number(2) % 1000)
  guard let rule = try? RecurrenceRule.parse(text) else { return 0 }
  precondition((try? RecurrenceRule.parse(rule.text)) == rule, text)

  var meter = StepMeter(limit: RuleBudget.count)
  let plan = RepeatPlan(.rule(rule)).counted(from: anchor, in: zone, &meter)
  climb(meter.steps)
  precondition(meter.steps <= RuleBudget.count + slack, "\(text): \(meter.steps) for COUNT")
  guard !meter.isSpent else { return 0 }
  let table = Timetable(plan: plan, anchor: anchor, mode: .floating, zone: zone)
  guard plan.isWithinBudget(table, anchor: anchor, now: now) else { return 0 }

  var place = now
  for number in 0..<12 {
    meter = StepMeter(limit: RuleBudget.count)
    let due = table.first(after: place, &meter)
    climb(meter.steps)
    // So many were looked at before it was let in.
    let most = number < 8 ? RuleBudget.search : unforeseen * RuleBudget.search
    precondition(meter.steps <= most, "\(text) after \(place): \(meter.steps)")
    guard let due else { break }
    place = due.instant
  }
  meter = StepMeter(limit: RuleBudget.list)
  let found = Occurrences.next(
    in: table, after: now, expires: nil, count: asked, zoneName: "", &meter)
  climb(meter.steps)
  precondition(meter.steps <= RuleBudget.list + slack, "\(text): \(meter.steps) for a list")
  precondition(found.count <= asked)
  return 0
}

/// Takes a branch of its own for each doubling of `steps`, which libFuzzer sees as something new: so
/// it goes on with what costs more.
@inline(never)
private func climb(_ steps: Int64) {
  switch 64 - steps.leadingZeroBitCount {
  case ..<4: heights.0 &+= 1
  case 4: heights.1 &+= 1
  case 5: heights.2 &+= 1
  case 6: heights.3 &+= 1
  case 7: heights.4 &+= 1
  case 8: heights.5 &+= 1
  case 9: heights.6 &+= 1
  case 10: heights.7 &+= 1
  case 11: heights.8 &+= 1
  case 12: heights.9 &+= 1
  case 13: heights.10 &+= 1
  case 14: heights.11 &+= 1
  case 15: heights.12 &+= 1
  case 16: heights.13 &+= 1
  case 17: heights.14 &+= 1
  case 18: heights.15 &+= 1
  case 19: heights.16 &+= 1
  default: heights.17 &+= 1
  }
}

/// How often each was reached: that no two branches are the same.
nonisolated(unsafe) private var heights = (
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
)

/// libFuzzer's own main loop (its header FuzzerInterface.h).
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM's name for the program's entry.
@c(FuzzWork_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, workOneInput)
}
