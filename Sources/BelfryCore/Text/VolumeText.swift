/// A volume as people write it.
public enum VolumeText {
  /// `0.8` or `80%`; nil: neither, or beyond 0 to 1.
  public static func parse(_ text: String) -> Double? {
    var digits = text.utf8[...]
    let percent = digits.last == UInt8(ascii: "%")
    if percent { digits = digits.dropLast() }
    var value = 0.0
    var scale = 0.0
    var any = false
    for byte in digits {
      switch byte {
      case 0x2E where scale == 0: scale = 1
      case 0x30...0x39:
        any = true
        value = value * 10 + Double(byte - 0x30)
        scale *= 10
      default: return nil
      }
    }
    if scale > 1 { value /= scale }
    if percent { value /= 100 }
    return any && value <= 1 ? value : nil
  }
}
