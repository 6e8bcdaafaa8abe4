import BelfryCore
import BelfrySystem

/// A zone by which the command line reads and writes clock times: the board's, or a named one.
struct BoardZone: Sendable {
  /// Such as `Europe/Berlin`; for a board without a link to a zone what its rules were read from.
  var name: String
  var rules: ZoneRules

  static let utc = BoardZone(name: "UTC", rules: .utc)

  /// The zone files as this process sees them: `TZDIR` and `TZ` hold as for libc (tzset(3)).
  static var files: ZoneFiles {
    ZoneFiles(
      folder: Environment.value(of: "TZDIR"), variable: Environment.value(of: "TZ"))
  }

  /// The board's own; universal time where it has none that can be read, as libc has it.
  static func board(_ files: ZoneFiles) -> BoardZone {
    guard let file = try? files.board() else { return utc }
    return BoardZone(name: file.name, rules: file.rules)
  }

  /// The zone that a daemon calls so, by its name or by its file; nil: it cannot be read here.
  static func read(_ name: String, _ files: ZoneFiles) -> BoardZone? {
    let file: ZoneFile?
    if name.hasPrefix("/") {
      file = try? ZoneFiles(folder: files.folder, localtime: name).board()
    } else {
      file = try? files.zone(name)
    }
    return file.map { BoardZone(name: $0.name, rules: $0.rules) }
  }

  func offset(at instant: Instant) -> Int64 {
    Int64(rules.offset(at: instant))
  }

  /// What the zone's clocks show at an instant.
  func civil(_ instant: Instant) -> CivilTime {
    rules.civil(at: instant)
  }

  /// When the zone's clocks show a wall clock, counted as if it showed UTC: the first time if they
  /// do so twice, and later by the gap if they never do (T5).
  func instant(ofWall wall: Instant) -> Instant {
    switch rules.resolve(wall: wall) {
    case .once(let instant): instant
    case .twice(let first, _): first
    case .skipped(let before, _, _): wall.advanced(by: -Int64(before) * Duration.second)
    }
  }
}
