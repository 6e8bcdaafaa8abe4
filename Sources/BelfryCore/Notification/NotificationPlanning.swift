/// What a notification's fields say of when it is due, in the terms of `Timetable`.
extension Notification {
  /// T1 to T3.
  public var mode: ZoneMode {
    timeZone == nil ? .absolute : zoneMode ?? .floating
  }

  /// Fires more than once.
  public var repeats: Bool {
    repeatInterval != nil
  }

  /// The plan, its instants read as wall clocks of `zone`, which is that of `timeZone`; in absolute
  /// mode it does not matter.
  public func plan(reading zone: ZoneRules) -> RepeatPlan {
    RepeatPlan(repeatInterval.map { .unit($0, every: 1) } ?? .once)
  }
}
