import BelfryCore
import BelfrySystem

extension Trigger {
  /// What somebody should know who repeats an instant by days or more, where clocks change: it
  /// stays at one time of UTC, and so drifts on the wall (T1); nil: nothing.
  func drift(board: BoardZone, now: Instant) -> String? {
    guard mode == .absolute, draft.repeatsByDays, draft.pluginCalendar == nil,
      let change = board.rules.nextShift(after: max(draft.fireDate ?? now, now))
    else { return nil }
    let table = draft.reading(scheduledAt: now, named: named.rules, board: board.rules).timetable()
    // One that has ended by then never drifts.
    guard let due = table.first(after: change.instant.advanced(by: -1))?.instant else { return nil }
    let meant = LocalWords.clock(CivilTime(due, offset: Int64(change.before.offset)))
    let shown = LocalWords.clock(CivilTime(due, offset: Int64(change.after.offset)))
    let keep =
      ZoneName.isName(board.name) ? "--time-zone " + board.name : "--zone-mode floating"
    return "it repeats by UTC: from " + LocalWords.date(board.civil(due).date) + " on at " + shown
      + " in " + board.told + ", no longer at " + meant + "; " + keep + " keeps the wall clock"
  }

  /// That clocks jump over the time that was given, or show it twice; nil: they do not, or whoever says
  /// a policy knows.
  func passing(_ next: Instant?, _ given: Invocation, board: BoardZone, now: Instant) -> String? {
    guard let next, !given.has(.gap), !given.has(.overlap), !draft.goesByDays,
      draft.pluginCalendar == nil
    else { return nil }
    if let because { return "--at: " + because }
    let table = draft.reading(scheduledAt: now, named: named.rules, board: board.rules).timetable()
    guard let due = table.first(after: next.advanced(by: -1)), due.instant == next,
      !due.because.isDisjoint(with: [.gapShifted, .gapNext, .firstPass, .lastPass])
    else { return nil }
    return table.words(for: due, zoneName: zone.name)
  }
}
