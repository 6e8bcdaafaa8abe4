/// The two logarithmic codes of telephony, as 16-bit samples (ITU-T G.711).
enum Companding {
  static func muLaw(_ code: UInt8) -> Int16 {
    let bits = Int(~code)
    let magnitude = ((bits & 0x0F) << 3 + 0x84) << ((bits & 0x70) >> 4)
    return Int16(bits & 0x80 != 0 ? 0x84 - magnitude : magnitude - 0x84)
  }

  static func aLaw(_ code: UInt8) -> Int16 {
    let bits = Int(code ^ 0x55)
    let segment = (bits & 0x70) >> 4
    var magnitude = (bits & 0x0F) << 4 + (segment == 0 ? 0x08 : 0x108)
    if segment > 1 { magnitude <<= segment - 1 }
    return Int16(bits & 0x80 != 0 ? magnitude : -magnitude)
  }
}
