/// A value of `userInfo` (N12): property-list types only, kept apart from each other.
public indirect enum PropertyList: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  case date(Instant)
  case data([UInt8])
  case array([PropertyList])
  case dictionary([String: PropertyList])
}
