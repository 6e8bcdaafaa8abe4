import BelfryCore

/// A zone file's bytes, or a zone's text: what is read answers for every time, from local to instant
/// as from instant to local.
@c(LLVMFuzzerTestOneInput)
func zoneOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
  if let zone = try? ZoneRules(tzif: bytes) { check(zone) }
  if let zone = try? ZoneRules(posix: String(decoding: bytes, as: UTF8.self)) { check(zone) }
  return 0
}

private func check(_ zone: ZoneRules) {
  var instants: [Instant] = [.distantPast, Instant(nanoseconds: 0), .distantFuture]
  for start in [-8_000_000_000, 0, 4_000_000_000] as [Int64] {
    var place = Instant(nanoseconds: start * Nanoseconds.second)
    for _ in 0..<8 {
      guard let change = zone.transition(after: place) else { break }
      precondition(change.instant > place)
      place = change.instant
      instants += [place.advanced(by: -1), place, place.advanced(by: 1)]
    }
  }
  for instant in instants {
    let wall = zone.wall(at: instant)
    // At the ends of the range a wall clock may lie beyond it.
    guard abs(instant.nanoseconds / 2) < .max / 2 - Nanoseconds.day else { continue }
    switch zone.resolve(wall: wall) {
    case .once(let back): precondition(back == instant)
    case .twice(let first, let last):
      precondition(first < last)
      precondition(instant >= first && instant <= last)
    case .skipped(_, _, let change):
      // A zone may change again before a gap is over; then no wall clock is sure.
      _ = zone.offset(at: change)
    }
  }
}

/// libFuzzer's own main loop (its header FuzzerInterface.h).
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM's name for the program's entry.
@c(FuzzTZif_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, zoneOneInput)
}
