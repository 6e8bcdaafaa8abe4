import Foundation

/// Steps the real clock by nothing, as adjtimex(2) with ADJ_SETOFFSET does: a step for the kernel,
/// while no test's time goes back; false: no right to.
func stepClockByNothing() -> Bool {
  guard let symbol = dlsym(nil, "adjtimex") else { return false }
  let adjust = unsafeBitCast(
    symbol, to: (@convention(c) (UnsafeMutableRawPointer) -> Int32).self)
  // struct timex: its modes, and zeros as the offset.
  var request = [UInt32](repeating: 0, count: 64)
  request[0] = 0x0100
  return request.withUnsafeMutableBytes { adjust($0.baseAddress!) } >= 0
}
