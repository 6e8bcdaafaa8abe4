/// What clocks of a zone show between two of its transitions.
public struct ZonePeriod: Hashable, Sendable {
  /// Seconds east of UTC, within -89999 to 93599 (RFC 8536, 3.2).
  public var offset: Int32
  public var isDST: Bool
  /// Such as `CEST` or `+03`; printable ASCII.
  public var abbreviation: String

  public init(offset: Int32, isDST: Bool, abbreviation: String) {
    self.offset = offset
    self.isDST = isDST
    self.abbreviation = abbreviation
  }
}

/// One change of a zone's clocks.
public struct ZoneTransition: Hashable, Sendable {
  /// The first instant at which `after` holds.
  public var instant: Instant
  public var before: ZonePeriod
  public var after: ZonePeriod
}

/// The instants at which clocks of a zone show one wall clock (T5).
///
/// Instants outside `Instant`'s range stick at its ends.
public enum LocalTime: Hashable, Sendable {
  case once(Instant)
  /// Never: at `transition` the clocks went from before it to behind it. Offsets are in seconds east
  /// of UTC; the gap is `after` - `before`.
  case skipped(before: Int32, after: Int32, transition: Instant)
  /// On the first pass and on the last; a third between them, where a zone changed twice within
  /// hours, is not told.
  case twice(first: Instant, last: Instant)
}
