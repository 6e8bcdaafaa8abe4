import Foundation

/// Steps the real clock forward by a microsecond, with ADJ_SETOFFSET of adjtimex(2): no test's time
/// goes back; false: no right to.
func stepClockForward() -> Bool {
  guard let symbol = dlsym(nil, "adjtimex") else { return false }
  let adjust = unsafeBitCast(
    symbol, to: (@convention(c) (UnsafeMutableRawPointer) -> Int32).self)
  // struct timex of 64-bit machines: `modes` comes first, `time.tv_usec` behind 80 bytes.
  var request = [UInt32](repeating: 0, count: 64)
  (request[0], request[20]) = (0x0100, 1)
  return request.withUnsafeMutableBytes { adjust($0.baseAddress!) } >= 0
}
