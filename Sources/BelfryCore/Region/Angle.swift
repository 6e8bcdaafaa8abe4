/// The few functions of trigonometry that distances on a sphere need, without a library: floor 1
/// calls none.
///
/// Taylor's series around 0, within 45° of it: what they leave out is below the last bit of a
/// double there, so results are within a few units of it.
enum Angle {
  /// Exact at multiples of 90°; any angle up to some thousand turns.
  static func sinCos(degrees: Double) -> (sin: Double, cos: Double) {
    let quarter = Int64(degrees / 90 + (degrees < 0 ? -0.5 : 0.5))
    let rest = (degrees - Double(quarter) * 90) * (Double.pi / 180)
    let (sin, cos) = (sin(rest), cos(rest))
    switch quarter & 3 {
    case 0: return (sin, cos)
    case 1: return (cos, -sin)
    case 2: return (-sin, -cos)
    default: return (-cos, sin)
    }
  }

  /// Radians, at most π/4 either way.
  static func sin(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 0.0
    for term in stride(from: 18.0, through: 2, by: -2) {
      sum = square / (term * (term + 1)) * (1 - sum)
    }
    return angle * (1 - sum)
  }

  /// Radians, at most π/4 either way.
  static func cos(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 0.0
    for term in stride(from: 17.0, through: 1, by: -2) {
      sum = square / (term * (term + 1)) * (1 - sum)
    }
    return 1 - sum
  }

  /// Of what is 0 or more: the processor's own would be a call of libm in builds for debugging.
  static func squareRoot(_ square: Double) -> Double {
    guard square > 0 else { return 0 }
    // Half the exponent; then Newton's method, which doubles the digits each time.
    var root = Double(bitPattern: (square.bitPattern >> 1) + (0x3FF0_0000_0000_0000 >> 1))
    for _ in 0..<5 { root = (root + square / root) / 2 }
    return root
  }

  /// The angle in radians whose sine is `sine`, 0 to √½.
  static func arcSine(_ sine: Double) -> Double {
    let square = sine * sine
    var angle = sine * (1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (15.0 / 336))))
    // What the series leaves out is below the last bit here, some 120 km of the globe.
    guard square > 1e-4 else { return angle }
    // Newton's method doubles the digits each time; this begins with two.
    for _ in 0..<4 { angle -= (sin(angle) - sine) / cos(angle) }
    return angle
  }
}
