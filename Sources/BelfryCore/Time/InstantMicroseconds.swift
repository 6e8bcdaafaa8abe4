extension Instant {
  /// Foundation's `Date.distantPast`, 0001-01-01, as the wire writes it.
  static let distantPastMicroseconds: Int64 = -62_135_769_600_000_000
  /// Foundation's `Date.distantFuture`, 4001-01-01, as the wire writes it.
  static let distantFutureMicroseconds: Int64 = 64_092_211_200_000_000

  /// Microseconds since 1970 UTC, as on the wire: rounded down to a whole one; `distantPast` and
  /// `distantFuture` are the years 1 and 4001, as in Foundation.
  public var microseconds: Int64 {
    switch self {
    case .distantPast: Self.distantPastMicroseconds
    case .distantFuture: Self.distantFutureMicroseconds
    // The first microsecond of the range is cut by it, so it counts as the next.
    default: max(floorDivide(nanoseconds, 1000), .min / 1000)
    }
  }

  /// The instant that `microseconds` writes; nil outside 1677-09-21 to 2262-04-11, but for the two
  /// distant ones (N2).
  public init?(microseconds: Int64) {
    switch microseconds {
    case Self.distantPastMicroseconds: self = .distantPast
    case Self.distantFutureMicroseconds: self = .distantFuture
    default:
      let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
      guard !overflow else { return nil }
      self.init(nanoseconds: nanoseconds)
    }
  }
}
