import BelfryCore
import BelfryWire

/// What is read of a calendar, as either kind of file, is written and read again as the same days.
@c(LLVMFuzzerTestOneInput)
func oneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let reader = DaysReader(zone: .utc, now: Instant(nanoseconds: 1_800_000_000_000_000_000))
  for kind in DaysReader.Kind.allCases {
    guard let entries = try? reader.read(bytes, kind) else { continue }
    precondition(!entries.isEmpty)
    let calendar = DayCalendar(entries)
    for range in calendar.ranges {
      precondition(range.first <= range.last && calendar.contains(range.last))
    }
    guard let again = try? DaysFileParser.read(DaysFileParser.write(calendar), asWritten: true)
    else {
      fatalError("what was written cannot be read")
    }
    precondition(DayCalendar(again) == calendar)
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
@c(FuzzDays_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, oneInput)
}
