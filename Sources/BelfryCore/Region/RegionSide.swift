/// Where the board is, as far as a region is concerned.
public enum RegionSide: Int64, Hashable, Sendable {
  /// No fix has decided yet.
  case unknown = 0
  case inside = 1
  case outside = 2
}
