import BelfryCore
import CLinux

/// The kernel's random numbers (getrandom(2)).
public enum Random {
  public static func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard count > 0 else { return bytes }
    // It fails only on kernels without the call, older than any that this runs on.
    guard clinux_random_fill(&bytes, count) == 0 else { fatalError("getrandom") }
    return bytes
  }

  /// A random UUID (RFC 9562, version 4).
  public static func uuid() -> UUIDBits {
    let bytes = bytes(16)
    let high = bytes[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let low = bytes[8...].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return UUIDBits(
      high: high & ~0xF000 | 0x4000, low: low & ~(0xC0 << 56) | 0x80 << 56)
  }
}
