import BelfryCore

/// Times of the command line as the wire carries them: instants, which in floating and zoned mode
/// are read once as what the clocks of `zoneName` show then (T2).
struct WireTimes: Sendable {
  let mode: ZoneMode
  /// What `--time-zone` names, or of a zoned one the board's.
  let named: BoardZone?
  let board: BoardZone
  let gap: GapPolicy
  /// `named` is that of what is edited: nobody has said by whose clocks an instant is to be read.
  var isEdited = false

  /// The notification's `timeZone`. A wall clock that no zone is named for goes by UTC, which has
  /// every one of them.
  var zoneName: String? {
    mode == .absolute ? nil : carrier.name
  }

  /// The zone of that name.
  var carrier: BoardZone { named ?? .utc }

  /// A `fireDate`, and in words what has moved it already.
  ///
  /// Throws for a wall clock that the clocks jump over and that no instant can stand for.
  func start(
    _ time: TimeText, repeats: Bool
  ) throws(CommandError) -> (date: Instant, because: String?) {
    guard mode != .absolute, case .wall(let wall, _) = time,
      case .skipped = carrier.rules.resolve(wall: wall)
    else {
      // What is edited begins as it did.
      if isEdited, case .instant(let instant) = time { return (instant, nil) }
      return (end(time), nil)
    }
    guard !repeats, let due = moved(wall) else {
      throw .refused(
        "--at: the clocks of \(carrier.name) jump over it: begin on another day, or give an offset")
    }
    return (due.instant, timetable(wall).words(for: due, zoneName: carrier.name))
  }

  /// One of a list of dates. What the clocks jump over has no instant, and travels as the one it is
  /// moved to, by which what stands there is taken out as well as added (T6); nil: it is dropped, and
  /// so is what stands there.
  func date(_ time: TimeText) -> Instant? {
    guard mode != .absolute, case .wall(let wall, _) = time,
      case .skipped = carrier.rules.resolve(wall: wall)
    else { return end(time) }
    return moved(wall)?.instant
  }

  /// Where a wall clock is due that the clocks jump over.
  private func moved(_ wall: Instant) -> Due? {
    timetable(wall).first(after: .distantPast)
  }

  private func timetable(_ wall: Instant) -> Timetable {
    var plan = RepeatPlan(.once)
    plan.gap = gap
    return Timetable(plan: plan, anchor: wall, mode: .zoned, zone: carrier.rules)
  }

  /// A time at which something ends.
  func end(_ time: TimeText) -> Instant {
    switch (mode, time) {
    case (.absolute, _): time.instant(in: named ?? board)
    case (_, .wall): time.instant(in: carrier)
    // Without a name it is the board whose clock is meant.
    case (.floating, .instant(let instant)) where isEdited:
      carrier.instant(ofWall: board.rules.wall(at: instant), isLastPass: false)
    case (_, .instant(let instant)): named == nil ? board.rules.wall(at: instant) : instant
    }
  }
}
