internal import BelfryCore

/// The days of a calendar count as a weekday, whatever weekday they are (E3).
public struct CountedAs: Hashable, Sendable {
  public enum Weekday: Int, CaseIterable, Sendable {
    case monday = 1, tuesday, wednesday, thursday, friday, saturday, sunday

    var wire: AsOn.Weekday { AsOn.Weekday.allCases[rawValue - 1] }

    init(_ wire: AsOn.Weekday) { self = Weekday(rawValue: Int(wire.number)) ?? .monday }
  }

  /// The calendar's name.
  public var calendar: String
  public var weekday: Weekday

  public init(calendar: String, weekday: Weekday) {
    self.calendar = calendar
    self.weekday = weekday
  }
}
