/// A zone's changes while they are gathered.
struct ZoneTable {
  /// Offsets are smaller than this, in seconds.
  static let farthest: Int64 = 26 * 3600
  /// The seconds that `Instant` reaches to.
  static let range = Int64.min / Nanoseconds.second - 1...Int64.max / Nanoseconds.second

  private(set) var changes: [Int64] = []
  private(set) var order: [UInt8]
  private(set) var kinds: [ZonePeriod]
  /// When the last one came in, also if it changed nothing.
  private(set) var last: Int64?

  /// `first` holds before all changes.
  init(_ first: ZonePeriod) {
    kinds = [first]
    order = [0]
  }

  /// From `seconds`, which is not before the last change, `period` holds. Changes before `Instant`'s
  /// range only tell how it begins, those behind it tell nothing.
  mutating func append(_ period: ZonePeriod, from seconds: Int64) {
    last = seconds
    guard seconds <= Self.range.upperBound else { return }
    let kind = place(of: period)
    if seconds < Self.range.lowerBound || changes.last == seconds {
      order[order.count - 1] = kind
    } else if order.last != kind {
      changes.append(seconds)
      order.append(kind)
    }
  }

  private mutating func place(of period: ZonePeriod) -> UInt8 {
    if let known = kinds.firstIndex(of: period) { return UInt8(known) }
    kinds.append(period)
    return UInt8(kinds.count - 1)
  }
}
