import BelfryCore

/// Zones that a rule is expanded in.
private let zones = [
  ZoneRules.utc,
  try! ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"),
  try! ZoneRules(posix: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
]

/// Seven bytes of start and policies, then a rule's text: what is read is written back as the same,
/// and its occurrences come in order, found again by their index.
@c(LLVMFuzzerTestOneInput)
func ruleOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
  let text = String(decoding: bytes.dropFirst(7), as: UTF8.self)
  guard bytes.count > 7, let rule = try? RecurrenceRule.parse(text) else {
    _ = try? RepeatPlan.parse(String(decoding: bytes, as: UTF8.self))
    return 0
  }
  precondition((try? RecurrenceRule.parse(rule.text)) == rule, rule.text)
  var plan = RepeatPlan(.rule(rule))
  plan.gap = GapPolicy.allCases[Int(bytes[0] % 3)]
  plan.overlap = OverlapPolicy.allCases[Int(bytes[1] % 3)]
  precondition((try? RepeatPlan.parse(plan.text)) == plan, plan.text)
  // All of the range, and mostly not the ends of it.
  let second = bytes[2..<7].reduce(Int64(0)) { $0 << 8 | Int64($1) } % 18_000_000_000
  let table = Timetable(
    plan: plan, anchor: Instant(nanoseconds: (second - 9_000_000_000) * Nanoseconds.second),
    mode: .floating, zone: zones[Int(bytes[0] / 3) % zones.count])
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
