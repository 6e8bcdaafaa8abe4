/// The sine by additions and multiplications alone, so that every machine gets the same bits and no
/// program needs libm for it.
enum Sine {
  /// sin(2π × `turns`), within 1e-13.
  static func of(turns: Double) -> Double {
    // To a quarter around zero, where the series converges fast.
    var part = turns - Double(Int64(turns))
    if part > 0.5 { part -= 1 }
    if part < -0.5 { part += 1 }
    if part > 0.25 { part = 0.5 - part }
    if part < -0.25 { part = -0.5 - part }
    let x = part * 6.283185307179586
    let square = x * x
    var term = x
    var sum = x
    var index = 2.0
    while index < 20 {
      term = -term * square / (index * (index + 1))
      sum += term
      index += 2
    }
    return sum
  }
}
