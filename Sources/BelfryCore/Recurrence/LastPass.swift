/// k of what a rule by the hour or below has in the last pass of an hour that comes twice (D7).
///
/// In the first pass k is the civil second, as everywhere else; so the ids of all other hours do not
/// depend on any zone. In the last pass it also says where the clocks went back, by which any two k
/// have an order. All are lower than any civil second.
enum LastPass {
  private static let base: Int64 = -1 << 62
  /// No pass is longer than so many seconds, as offsets are within 26 hours (RFC 8536, 3.2).
  private static let longest: Int64 = 1 << 18

  /// `end` is what the clocks would have shown when they went back; both in seconds.
  static func k(wall: Int64, end: Int64) -> Int64 {
    base + end * longest + wall - end + longest
  }

  static func has(_ k: Int64) -> Bool { k < base / 2 }

  /// The civil second.
  static func wall(of k: Int64) -> Int64 { end(of: k) - longest + floorModulo(k &- base, longest) }

  /// Whether `k` comes before `other`, of the same rule in the same zone.
  static func isBefore(_ k: Int64, _ other: Int64) -> Bool {
    switch (has(k), has(other)) {
    case (true, false): end(of: k) <= other
    case (false, true): k < end(of: other)
    default: k < other
    }
  }

  private static func end(of k: Int64) -> Int64 { floorDivide(k &- base, longest) }
}
