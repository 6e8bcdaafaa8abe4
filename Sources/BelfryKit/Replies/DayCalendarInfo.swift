import Foundation

internal import BelfryCore

/// A calendar of days, as the daemon has it (E3).
public struct DayCalendarInfo: Hashable, Sendable {
  public enum State: String, CaseIterable, Sendable {
    case good
    /// Its last day is past.
    case ended
    /// The file is broken or missing: what was last good counts.
    case kept
    /// It was never good, and is ignored.
    case unusable
  }

  /// For whose notifications alone it is; nil: for all.
  public var app: String?
  /// As notifications name it.
  public var name: String
  public var file: String
  public var state: State
  /// So many days.
  public var count: Int
  /// The first and the last day in the Gregorian calendar: year, month and day.
  public var first: DateComponents?
  public var last: DateComponents?
  /// What is wrong with the file, with its line.
  public var problem: String?

  init(_ row: ListedDays) {
    app = row.app
    name = row.name
    file = row.path
    state = State(rawValue: row.state.rawValue) ?? .good
    count = Int(clamping: row.count)
    first = row.first.map { Self.components($0) }
    last = row.last.map { Self.components($0) }
    problem = row.problem
  }

  private static func components(_ days: Int64) -> DateComponents {
    let date = CivilDate(days: days)
    return DateComponents(year: Int(date.year), month: Int(date.month), day: Int(date.day))
  }
}
