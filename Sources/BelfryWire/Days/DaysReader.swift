import BelfryCore

/// Reads a calendar of days (E3): a `.days` file, or an `.ics` file of iCalendar.
public struct DaysReader: Sendable {
  /// How a file's name ends.
  public enum Kind: String, CaseIterable, Sendable {
    case days, ics

    public var suffix: String { "." + rawValue }

    /// The kind of a file, and the calendar's name; nil: it is neither.
    @export(interface)
    public static func of(_ file: String) -> (kind: Kind, name: String)? {
      for kind in allCases where file.hasSuffix(kind.suffix) {
        return (kind, String(file.dropLast(kind.suffix.utf8.count)))
      }
      return nil
    }
  }

  /// Bytes of a file (A2).
  public static let limit = 4 << 20

  /// The board's: UTC times of an `.ics` file have their days by it.
  public var zone: ZoneRules
  /// Events that repeat are taken from three years before this to twenty years after it.
  public var now: Instant

  public init(zone: ZoneRules, now: Instant) {
    self.zone = zone
    self.now = now
  }

  /// The entries in order; there is at least one. Never cut: what is too much is refused.
  @export(interface)
  public func read(_ bytes: [UInt8], _ kind: Kind) throws(DaysError) -> [DayCalendar.Range] {
    guard bytes.count <= Self.limit else { throw Self.tooLong }
    var entries =
      switch kind {
      case .days: try DaysFileParser.read(bytes)
      case .ics: try EventParser.read(bytes, self)
      }
    guard !entries.isEmpty else {
      throw DaysError(line: 0, "it names no day: a calendar has one at least")
    }
    entries.sort { ($0.first, $0.last, $0.name) < ($1.first, $1.last, $1.name) }
    return entries
  }

  public static let tooLong = DaysError(
    line: 0, "it is longer than \(limit >> 20) MiB: leave out years that are past")

  static func tooMany(_ line: Int64) -> DaysError {
    DaysError(
      line: line,
      "these are more than \(DayCalendar.Limit.ranges) entries: leave out years that are past")
  }
}
