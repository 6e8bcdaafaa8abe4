import BelfryCore

/// What `--exdate` takes out: times, and days with all that falls on them.
extension TriggerReader {
  /// Adds what falls on each day that stands alone, by the clocks of `days`, and tells of what takes
  /// nothing out.
  func exclude(
    _ wire: WireTimes, _ zone: BoardZone, days: BoardZone, from trigger: inout Trigger
  ) throws(CommandError) {
    let texts = given.list(.exdate)
    if texts.isEmpty, let edited { move(edited, wire, zone, to: &trigger) }
    if given.has(.rdate), table(of: trigger) == nil { throw Self.noRepeat("--rdate") }
    // Too many are refused as such.
    guard !texts.isEmpty, texts.count <= Notification.Limit.dates else { return }
    guard let table = table(of: trigger) else { throw Self.noRepeat("--exdate") }
    var times: [(text: String, time: TimeText)] = []
    for text in texts {
      if TimeText.isClock(text) {
        throw .usage(
          "--exdate: " + FieldError.quoted(text) + " says of no day which is left out; write"
            + " 2027-12-24, or 'fri \(text)'")
      }
      guard var date = TimeText.day(text, today: days.civil(now).date) else {
        times.append((text, try TimeText.parse(text, option: .exdate, now: now, zone: zone)))
        continue
      }
      var found = occurrences(on: date, of: table, days)
      // Of a weekday that is today the next is meant, once what is due today is past.
      if TimeText.isWeekday(text), let last = found.last ?? days.start(of: date), last <= now {
        date = CivilDate(days: date.days + 7)
        found = occurrences(on: date, of: table, days)
      }
      for instant in found { add(instant, wire, to: &trigger) }
      if found.isEmpty { trigger.warnings.append("--exdate: nothing is due on " + date.text) }
    }
    let rest = self.table(of: trigger, dates: trigger.draft.exdate) ?? table
    for (text, time) in times {
      let clock = Self.nearChange(of: zone, time)
      // Beside a change of the clocks it may take out what another date names, too.
      let left =
        clock == nil ? rest : self.table(of: trigger, dates: [wire.date(time)].compactMap { $0 })
      let taken = taken(by: time, from: table, leaving: left ?? table, clock, wire, zone)
      if let words = odd(time, text, taken, trigger, table, zone) {
        trigger.warnings.append("--exdate: " + words)
        if taken.isEmpty, let date = wire.date(time) { trigger.strayDates.append(date) }
      }
    }
    if trigger.warnings.count > 3 {
      let rest = trigger.warnings.count - 2
      trigger.warnings.replaceSubrange(
        2..., with: ["--exdate: nor is anything due at \(rest) more of these dates"])
    }
  }

  /// Of what is edited and fires once.
  private static func noRepeat(_ option: String) -> CommandError {
    .refused(
      option + ": it fires once; give --repeat, --weekdays or --rrule too"
        + (option == "--exdate" ? ", or cancel it" : ", or schedule another"))
  }

  /// All of its occurrences, with what an edit leaves as it is; nil: no rule says them.
  func table(
    of trigger: Trigger, dates: [Instant] = [], gap: GapPolicy? = nil
  ) -> Timetable? {
    var whole = trigger.draft
    if whole.rules.isEmpty, whole.repeatInterval == nil, let edited {
      (whole.rrule, whole.rrules) = (edited.rrule, edited.rrules)
      whole.until = whole.until ?? edited.until
      whole.count = whole.count ?? edited.count
    }
    guard !whole.rules.isEmpty else { return nil }
    (whole.exdate, whole.offset) = (dates, .none)
    if let gap { whole.gap = gap }
    return whole.reading(scheduledAt: now, named: trigger.named.rules, board: board.rules)
      .timetable()
  }

  private func add(_ instant: Instant, _ wire: WireTimes, to trigger: inout Trigger) {
    let time =
      trigger.mode == .absolute
      ? TimeText.instant(instant)
      : .wall(trigger.zone.rules.wall(at: instant), isLastPass: false)
    if let date = wire.date(time) { trigger.draft.exdate.append(date) }
  }

  /// What is taken out already goes with a start that moves: the same day's, by its place in that day.
  private func move(
    _ edited: Notification, _ wire: WireTimes, _ zone: BoardZone, to trigger: inout Trigger
  ) {
    let starts: [OptionName] = [.at, .inDuration, .now, .timeZone, .zoneMode]
    guard !edited.exdate.isEmpty, starts.contains(where: { given.has($0) }),
      trigger.draft.rules.isEmpty, let new = table(of: trigger)
    else { return }
    let named = edited.timeZone.flatMap { BoardZone.read($0, files) } ?? board
    let there = edited.mode == .zoned ? named : board
    var bare = edited
    (bare.exdate, bare.offset) = ([], .none)
    let old = bare.reading(scheduledAt: now, named: named.rules, board: board.rules).timetable()
    for excluded in edited.exdate {
      let second = Self.wholeSecond(excluded)
      guard let due = old.first(after: second.advanced(by: -1)),
        due.instant < second.advanced(by: Nanoseconds.second)
      else { continue }
      let date = there.civil(due.instant).date
      let place = occurrences(on: date, of: old, there).firstIndex(of: due.instant)
      let moved = occurrences(on: date, of: new, zone)
      if let place, place < moved.count { add(moved[place], wire, to: &trigger) }
    }
  }

  private func occurrences(
    on date: CivilDate, of table: Timetable, _ zone: BoardZone
  ) -> [Instant] {
    guard let start = zone.start(of: date), let end = zone.start(of: CivilDate(days: date.days + 1))
    else { return [] }
    var found: [Instant] = []
    var place = start.advanced(by: -1)
    while found.count <= Notification.Limit.dates, let due = table.first(after: place),
      due.instant < end
    {
      found.append(due.instant)
      place = due.instant
    }
    return found
  }

  private static func wholeSecond(_ instant: Instant) -> Instant {
    let second = Nanoseconds.second
    return instant.advanced(by: -((instant.nanoseconds % second + second) % second))
  }

  /// A change of the clocks within a day; nil: there is none.
  private static func nearChange(of zone: BoardZone, _ time: TimeText) -> Instant? {
    let meant = time.instant(in: zone)
    let change = zone.rules.transition(after: meant.advanced(by: -Nanoseconds.day))?.instant
    return change.flatMap { $0 < meant.advanced(by: Nanoseconds.day) ? $0 : nil }
  }

  /// What it takes out, which is what `rest` does not have; by the whole second, as EXDATE is (T6).
  private func taken(
    by time: TimeText, from table: Timetable, leaving rest: Timetable, _ change: Instant?,
    _ wire: WireTimes, _ zone: BoardZone
  ) -> [Due] {
    var places = time.instants(in: zone)
    if let moved = wire.date(time) { places.append(moved) }
    // It counts by its wall clock, whichever pass that is in, and by where a gap moves it.
    for instant in places {
      let wall = zone.rules.wall(at: instant)
      places += [false, true].map { zone.instant(ofWall: wall, isLastPass: $0) }
    }
    if let change { places.append(change) }
    var found: [Due] = []
    for place in places {
      let start = Self.wholeSecond(place)
      if let due = table.first(after: start.advanced(by: -1)),
        due.instant < start.advanced(by: Nanoseconds.second),
        rest.first(after: start.advanced(by: -1))?.instant != due.instant, !found.contains(due)
      {
        found.append(due)
      }
    }
    return found.sorted { $0.instant < $1.instant }
  }

  /// What to say of a time that takes out nothing, or what was not meant; nil: nothing.
  private func odd(
    _ time: TimeText, _ text: String, _ taken: [Due], _ trigger: Trigger, _ table: Timetable,
    _ zone: BoardZone
  ) -> String? {
    if case .wall(let wall, _) = time,
      case .skipped(let before, _, _) = zone.rules.resolve(wall: wall)
    {
      // The clocks jump over it, and it travels as where the policy moves it.
      let shifted = wall.advanced(by: -Int64(before) * Nanoseconds.second)
      let there = self.table(of: trigger, gap: .shift)?.first(after: shifted.advanced(by: -1))
      let isOfRule =
        there.map {
          $0.instant == shifted && !$0.because.isDisjoint(with: [.gapShifted, .merged])
        } ?? false
      if let due = taken.first, !isOfRule || due.because.contains(.merged) {
        return "\(text) does not exist there; it takes out " + Self.shown(due.instant, zone)
      }
      // No slip, whatever becomes of it.
      if isOfRule { return nil }
    }
    guard !taken.isEmpty else {
      let instant = time.instant(in: zone)
      let next = occurrences(on: zone.civil(instant).date, of: table, zone).first
      var there = next.map { "; on that day it is at " + LocalWords.clock(zone.civil($0)) }
      // It may have been written by other clocks.
      if case .instant = time { there? += " in " + zone.told }
      return "nothing is due at \(text)" + (there ?? ", nor on that day")
    }
    let meant = time.instants(in: zone).map { Self.wholeSecond($0) }
    let others = taken.map { $0.instant }.filter { !meant.contains(Self.wholeSecond($0)) }
    guard !others.isEmpty else { return nil }
    return "\(text) takes out " + others.map { Self.shown($0, zone) }.joined(separator: " and ")
      + (others.count < taken.count ? ", too" : "")
  }

  /// A time of day, where clocks show it twice with its offset.
  private static func shown(_ instant: Instant, _ zone: BoardZone) -> String {
    let offset = zone.rules.offset(at: instant)
    return LocalWords.clock(zone.civil(instant))
      + (zone.doubles(zone.rules.wall(at: instant))
        ? String(RFC3339.text(instant, offset: Int64(offset)).suffix(6)) : "")
  }
}
