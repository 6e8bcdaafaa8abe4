import BelfryCore

/// What `--exdate` takes out: times, and days with all that falls on them.
extension TriggerReader {
  /// Adds what falls on each day that stands alone, and tells of what takes nothing out.
  func exclude(
    _ wire: WireTimes, _ zone: BoardZone, from trigger: inout Trigger
  ) throws(CommandError) {
    let texts = given.list(.exdate)
    // Too many are refused as such.
    guard !texts.isEmpty, texts.count <= Notification.Limit.dates else { return }
    var whole = trigger.draft
    if whole.rules.isEmpty, let edited {
      (whole.rrule, whole.rrules) = (edited.rrule, edited.rrules)
      whole.until = whole.until ?? edited.until
      whole.count = whole.count ?? edited.count
    }
    guard !whole.rules.isEmpty else {
      throw .refused("--exdate: there is no repeat whose dates it could change")
    }
    (whole.exdate, whole.offset) = ([], .none)
    let table = whole.reading(
      scheduledAt: now, named: trigger.named.rules, board: board.rules
    ).timetable()
    for text in texts {
      if let date = TimeText.date(text[...]) {
        let found = occurrences(on: date, of: table, zone)
        for instant in found {
          let time =
            trigger.mode == .absolute
            ? TimeText.instant(instant)
            : .wall(trigger.zone.rules.wall(at: instant), isLastPass: false)
          if let date = wire.date(time) { trigger.draft.exdate.append(date) }
        }
        if found.isEmpty { trigger.warnings.append("--exdate: nothing is due on " + text) }
      } else {
        let time = try TimeText.parse(text, option: .exdate, now: now, zone: zone)
        trigger.warnings += miss(of: time, text, table, wire, zone, trigger.mode)
      }
    }
    if trigger.warnings.count > 3 {
      let rest = trigger.warnings.count - 2
      trigger.warnings.replaceSubrange(
        2..., with: ["--exdate: nor is anything due at \(rest) more of these dates"])
    }
  }

  private func occurrences(
    on date: CivilDate, of table: Timetable, _ zone: BoardZone
  ) -> [Instant] {
    guard let wall = CivilTime(date: date, nanosecondOfDay: 0).instant() else { return [] }
    let end = zone.instant(ofWall: wall.advanced(by: Nanoseconds.day), isLastPass: false)
    var found: [Instant] = []
    var place = zone.instant(ofWall: wall, isLastPass: false).advanced(by: -1)
    while found.count <= Notification.Limit.dates, let due = table.first(after: place),
      due.instant < end
    {
      found.append(due.instant)
      place = due.instant
    }
    return found
  }

  /// By the whole second, as EXDATE is (T6).
  private func miss(
    of time: TimeText, _ text: String, _ table: Timetable, _ wire: WireTimes, _ zone: BoardZone,
    _ mode: ZoneMode
  ) -> [String] {
    // What the clocks jump over is no slip, whatever becomes of it, unless something else is due there.
    if case .wall(let wall, _) = time,
      case .skipped(let before, _, _) = zone.rules.resolve(wall: wall)
    {
      let moved = wall.advanced(by: -Int64(before) * Nanoseconds.second)
      guard let due = table.first(after: moved.advanced(by: -1)), due.instant == moved,
        due.because.isDisjoint(with: [.gapShifted, .gapNext])
      else { return [] }
      return [
        "--exdate: " + text + " does not exist there; it takes out "
          + LocalWords.clock(zone.civil(moved))
      ]
    }
    let second = Nanoseconds.second
    var meant = time.instants(in: zone)
    if let moved = wire.date(time) { meant.append(moved) }
    // It counts by its wall clock, whichever pass that is in (T6).
    for instant in meant where mode != .absolute {
      let wall = zone.rules.wall(at: instant)
      meant += [false, true].map { zone.instant(ofWall: wall, isLastPass: $0) }
    }
    let isHit = meant.contains { instant in
      let fraction = (instant.nanoseconds % second + second) % second
      let start = instant.advanced(by: -fraction)
      guard let due = table.first(after: start.advanced(by: -1)) else { return false }
      return due.instant < start.advanced(by: second)
    }
    guard !isHit, let instant = meant.first else { return [] }
    let next = occurrences(on: zone.civil(instant).date, of: table, zone).first
    let there = next.map { "; on that day it is at " + LocalWords.clock(zone.civil($0)) }
    return ["--exdate: nothing is due at " + text + (there ?? ", nor on that day")]
  }
}
