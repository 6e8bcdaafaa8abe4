import BelfryCore
import BelfryWire

/// What is paused, what is to be skipped, and what calendars of days say (E1, E2, E3).
extension Store {
  func put(_ pause: StoredPause) throws(StoreError) {
    let put = try statement(.putPause).bind(pause.number)
    switch pause.scope {
    case .everything: put.bindNull().bindNull().bindNull().bindNull()
    case .app(let app): put.bind(app).bindNull().bindNull().bindNull()
    case .notification(let app, let slot, let uuid):
      put.bind(app).bind(slot).bind(Int64(bitPattern: uuid.high))
        .bind(Int64(bitPattern: uuid.low))
    }
    try put.bind(pause.from.nanoseconds).bind(pause.until?.nanoseconds).run()
  }

  func put(_ stored: StoredSkips) throws(StoreError) {
    guard !stored.skips.isEmpty else {
      return try statement(.deleteSkips).bind(stored.slot).run()
    }
    try statement(.putSkips).bind(stored.slot).bind(stored.app)
      .bind(Int64(bitPattern: stored.uuid.high)).bind(Int64(bitPattern: stored.uuid.low))
      .bind(stored.generation).bind(stored.skips.text).run()
  }

  /// One row of the history for each notification and pause, which grows; without a pause, one each
  /// time.
  func passOver(
    _ row: HistoryRow, _ app: AppNumber, _ pause: Int64?
  ) throws(StoreError) {
    guard let pause else { return try add(row, app: app, shown: false, content: nil) }
    let uuid = row.occurrence.uuid
    let (high, low) = (Int64(bitPattern: uuid.high), Int64(bitPattern: uuid.low))
    let find = try statement(.findPauseRun).bind(pause).bind(high).bind(low)
    let known = try find.step() ? find.integer(0) : nil
    find.reset()
    if let known {
      try statement(.growHistory).bind(row.missed + 1).bind(row.due.nanoseconds)
        .bind(row.occurrence.generation).bind(row.occurrence.k).bind(row.reason).bind(row.text)
        .bind(known).bind(high).bind(low).run()
      if database.lastChanges > 0 { return }
      // It was too old for the history.
      try statement(.deletePauseRun).bind(known).run()
    }
    // Of days off the newest alone grows.
    if pause < 0 { try statement(.deleteDayRuns).bind(high).bind(low).run() }
    try add(row, app: app, shown: false, content: nil)
    try statement(.addPauseRun).bind(pause).bind(high).bind(low).run()
  }

  func put(_ stored: StoredDays) throws(StoreError) {
    guard !stored.days.isEmpty else {
      return try statement(.deleteDays).bind(stored.app ?? "").bind(stored.name).run()
    }
    try statement(.putDays).bind(stored.app ?? "").bind(stored.name).bind(stored.path)
      .bind(DaysFileParser.write(stored.days)).run()
  }

  // MARK: A start

  /// One that cannot be read is left out: its file will tell.
  func days() throws(StoreError) -> [StoredDays] {
    var found: [StoredDays] = []
    let row = try statement(.days)
    defer { row.reset() }
    while try row.step() {
      let app = row.text(0)
      do throws(DaysError) {
        let days = DayCalendar(try DaysFileParser.read(row.blob(3), asWritten: true))
        found.append(
          StoredDays(
            app: app.isEmpty ? nil : app, name: row.text(1), path: row.text(2), days: days))
      } catch {
        complain(StoreError(.content, "the calendar \(row.text(1)): \(error.text)").reason)
      }
    }
    return found
  }

  /// Those of notifications that have left are left out.
  func pauses() throws(StoreError) -> [StoredPause] {
    var found: [StoredPause] = []
    let row = try statement(.pauses)
    defer { row.reset() }
    while try row.step() {
      let scope: StoredPause.Scope
      if row.isNull(1) {
        scope = .everything
      } else if row.isNull(2) {
        scope = .app(AppNumber(truncatingIfNeeded: row.integer(1)))
      } else {
        scope = .notification(
          app: AppNumber(truncatingIfNeeded: row.integer(1)),
          slot: Slot(truncatingIfNeeded: row.integer(2)), uuid: row.uuid(3))
      }
      found.append(
        StoredPause(
          number: row.integer(0), scope: scope, from: Instant(nanoseconds: row.integer(5)),
          until: row.optionalInteger(6).map { Instant(nanoseconds: $0) }))
    }
    return found
  }

  /// Those of notifications that have left, or of an older generation, are left out; so is what cannot
  /// be read, which rings.
  func skips() throws(StoreError) -> [StoredSkips] {
    var found: [StoredSkips] = []
    let row = try statement(.skips)
    defer { row.reset() }
    while try row.step() {
      guard let skips = SkipSet(text: row.text(5)) else {
        complain(StoreError(.content, "row \(row.integer(0)): what is skipped of it").reason)
        continue
      }
      found.append(
        StoredSkips(
          app: AppNumber(truncatingIfNeeded: row.integer(1)),
          slot: Slot(truncatingIfNeeded: row.integer(0)), uuid: row.uuid(2),
          generation: row.integer(4), skips: skips))
    }
    return found
  }
}

extension StoredPause {
  /// A salvaged row; nil: it makes no sense.
  init?(_ row: ShapedRow) {
    guard let from = row.values[5].integer else { return nil }
    let app = row.values[1].integer
    let slot = row.values[2].integer
    let scope: Scope
    switch (app, slot, row.values[3].integer, row.values[4].integer) {
    case (nil, nil, _, _): scope = .everything
    case (let app?, nil, _, _) where (1...Int64(AppNumber.max)).contains(app):
      scope = .app(AppNumber(app))
    case (let app?, let slot?, let high?, let low?)
    where (1...Int64(AppNumber.max)).contains(app) && (1...Int64(Slot.max)).contains(slot):
      scope = .notification(
        app: AppNumber(app), slot: Slot(slot),
        uuid: UUIDBits(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)))
    default: return nil
    }
    self.init(
      number: row.rowID, scope: scope, from: Instant(nanoseconds: from),
      until: row.values[6].integer.map { Instant(nanoseconds: $0) })
  }
}
