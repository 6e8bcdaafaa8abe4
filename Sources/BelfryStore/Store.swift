import BelfryCore
import BelfryWire

/// The open store: carries out one operation at a time inside whatever transaction the caller has
/// begun.
///
/// Made by `Store.open`; used by one thread at a time, whichever that is. `StoreWriter` adds
/// transactions and what happens when the disk refuses.
public final class Store: @unchecked Sendable {
  var database: Database
  var file: StoreFile
  /// Which file is open; nil: none that is written.
  var place: FilePlace?
  private(set) var limits: HistoryLimits
  /// What one user may fill.
  private(set) var share: UserShare
  /// The connection that is open keeps count of it.
  var countsBytes = false
  private var statements = PreparedStatements()
  /// Due of the oldest row of the history, so that its age costs no query; nil: not known.
  var oldestHistory: Instant?
  /// Whose the history's rows are; nil: not counted.
  var historyShares: HistoryShares?
  /// What making room in the history has cost, which is no fault of whose row is the newest.
  var nobodysCost: Int64 = 0
  /// Of rows that are damaged: what of them is lost, for the history.
  var losses: [UUIDBits: String] = [:]
  /// Identifiers of damaged rows that the operator has heard of.
  var told: Set<ByteString> = []
  /// What the operator should hear of, gathered until `takeComplaints`.
  private var complaints: [String] = []

  init(_ database: Database, _ file: StoreFile, limits: HistoryLimits, share: UserShare) {
    self.database = database
    self.file = file
    (self.limits, self.share) = (limits, share)
    if file.refusal == nil { place = FilePlace(file) }
  }

  /// Folds the log into the file and closes it.
  public func close() {
    oldestHistory = nil
    historyShares = nil
    countsBytes = false
    statements = PreparedStatements()
    database.close()
  }

  /// The same for good: the next start looks for no log, where all of it is in the file.
  public func end() {
    close()
    if file.refusal == nil, !IntegrityMark.hasLog(file.path) { file.note?.clear() }
  }

  func statement(_ query: AppQuery) throws(StoreError) -> Statement {
    try statements.app.statement(query, database)
  }

  func statement(_ query: ClockQuery) throws(StoreError) -> Statement {
    try statements.clock.statement(query, database)
  }

  func statement(_ query: UserQuery) throws(StoreError) -> Statement {
    try statements.user.statement(query, database)
  }

  func statement(_ query: NotificationQuery) throws(StoreError) -> Statement {
    try statements.notification.statement(query, database)
  }

  func statement(_ query: OccurrenceQuery) throws(StoreError) -> Statement {
    try statements.occurrence.statement(query, database)
  }

  func statement(_ query: HistoryQuery) throws(StoreError) -> Statement {
    try statements.history.statement(query, database)
  }

  func statement(_ query: ShownQuery) throws(StoreError) -> Statement {
    try statements.shown.statement(query, database)
  }

  func statement(_ query: InboxQuery) throws(StoreError) -> Statement {
    try statements.inbox.statement(query, database)
  }

  func statement(_ query: PauseQuery) throws(StoreError) -> Statement {
    try statements.pause.statement(query, database)
  }

  /// Ends whatever a failed operation left unread.
  func resetAll() { statements.reset() }

  func complain(_ sentence: String) {
    if complaints.count < 16 { complaints.append(sentence) }
  }

  /// Sentences about rows that could not be read, each given once.
  func takeComplaints() -> [String] {
    defer { complaints = [] }
    return complaints
  }

  /// Carries out one operation; nil: it is not answered.
  ///
  /// An error leaves the operation half done: the caller rolls the transaction back.
  func carryOut(_ operation: StoreOperation) throws(StoreError) -> StoreOutcome? {
    switch operation {
    case .question(let question): return try answer(question)
    case .change(let change): return try carryOut(change)
    case .record(let record):
      try write(record)
      return nil
    }
  }

  /// Answers a question, as `StoreQuestion` says.
  func answer(_ question: StoreQuestion) throws(StoreError) -> StoreOutcome {
    switch question {
    case .load(let slots): try load(slots)
    case .barrier: .loaded([])
    case .find(let app, let identifier): .found(try find(app, identifier))
    case .findAll(let app, let identifiers): .loaded(try find(app, identifiers))
    case .list(let apps, let cursor, let limit): try list(apps, after: cursor, limit)
    case .listShown(let apps, let cursor, let limit): try listShown(apps, after: cursor, limit)
    case .history(let apps, let cursor, let limit): try history(apps, after: cursor, limit)
    case .findShown(let app, let identifier, let id): try findShown(app, identifier, id)
    case .fetchInbox(let app, let container, let since, let blank, let limit):
      .fetched(try fetch(app, container, since: since, blank: blank, limit))
    }
  }

  /// Carries out a change, as `StoreChange` says.
  func carryOut(_ change: StoreChange) throws(StoreError) -> StoreOutcome {
    switch change {
    case .schedule(let row, let limit, let time): try schedule(row, ifAdded: limit, at: time)
    case .cancel(let app, let identifiers, let time):
      .cancelled(try cancel(app, identifiers, at: time))
    case .cancelEqual(let app, let notification, let time):
      .cancelled(try cancelEqual(app, notification, at: time))
    case .cancelAll(let app, let time): .cancelled(try cancelAll(app, at: time))
    case .replaceAll(let app, let rows, let discarded, let time):
      try replaceAll(app, rows, discarded: discarded, at: time)
    case .registerApp(let app): try register(app)
    case .commit: .committed
    case .push(let push): .pushed(try append(push))
    case .markRead(let app, let container, let ids, let now):
      try markRead(app, container, ids, at: now)
    }
  }

  /// Writes a record, as `StoreRecord` says.
  func write(_ record: StoreRecord) throws(StoreError) {
    switch record {
    case .intend(let occurrence, let app, let slot):
      try put(occurrence, app: app, slot: slot, sinks: nil)
    case .withdrawIntent(let id, _): try statement(.deleteIntent).bind(id).run()
    case .fired(let occurrence, let app, let slot, let sinks):
      try fired(occurrence, app: app, slot: slot, sinks: sinks)
    case .settle(let row, let app, let shown, let replaces, let closes):
      try settle(row, app: app, shown: shown, replaces: replaces, closes: closes)
    case .finish(let slot, _, let generation):
      try statement(.deleteGeneration).bind(slot).bind(generation).run()
    case .skip(let slot, _, let generation, let firedThrough):
      try statement(.moveFiredThrough).bind(firedThrough).bind(slot).bind(generation).run()
    case .replanFromNow(let slot, _, let generation, let firedThrough):
      try statement(.replanFromNow).bind(generation).bind(firedThrough).bind(slot).run()
    case .rebase(let slot, _, let generation, let anchor, let relative):
      try statement(.rebase).bind(anchor.nanoseconds).bind(relative).bind(slot).bind(generation)
        .run()
    case .noteClock(let boot, let now):
      try statement(.putClock).bind(boot).bind(now.elapsed).bind(now.real.nanoseconds).run()
    case .keepQueuedEvent(let stored): try keep(stored)
    case .forgetQueuedEvent(let number, _): try statement(.forgetQueuedEvent).bind(number).run()
    case .markHandled(let id, let app, let identifier, let state, let reason, let sink):
      try markHandled(id, app: app, identifier, state, reason, sink: sink)
    case .queueWithdrawal(let id, let sink):
      try statement(.queueWithdrawal).bind(id.text).bind(sink).run()
    case .withdrawalsConfirmed(let sink): try statement(.withdrawalsConfirmed).bind(sink).run()
    case .snooze(let stored): try put(stored)
    case .unsnooze(let id, _): try statement(.unsnooze).bind(id.text).run()
    case .keepWaitingAlert(let stored): try put(stored)
    case .forgetWaitingAlert(let id, _): try statement(.forgetWaitingAlert).bind(id.text).run()
    case .register(let app, let registration):
      try statement(.register).bind(RegistrationCodec.bytes(of: registration)).bind(app).run()
    case .setSide(let slot, _, let generation, let side):
      try statement(.setSide).bind(side.rawValue).bind(slot).bind(generation).run()
    case .noteFix(let fix): try put(fix)
    case .passOver(
      let row, let app, let slot, let generation, let firedThrough, let finishes, let pause):
      try passOver(row, app, pause)
      guard let slot else { return }
      if finishes {
        try statement(.deleteGeneration).bind(slot).bind(generation).run()
      } else if let firedThrough {
        try statement(.moveFiredThrough).bind(firedThrough).bind(slot).bind(generation).run()
      }
    case .pause(let pause): try put(pause)
    case .resume(let number, _):
      try statement(.deletePauseRuns).bind(number).run()
      try statement(.deletePause).bind(number).run()
    case .setSkips(let skips): try put(skips)
    case .keepDays(let stored): try put(stored)
    case .limitHistory(let rows): limits = HistoryLimits(rows: rows, age: limits.age)
    case .limitBytes(let bytes): share.bytes = bytes
    case .setBadge(let app, let badge): try statement(.setBadge).bind(badge).bind(app).run()
    case .noteUse(let app, let used): try statement(.noteUse).bind(used.nanoseconds).bind(app).run()
    case .noteCritical(let owner, let group):
      try statement(.noteCritical).bind(group.map { Int64($0) }).bind(Int64(owner)).run()
    case .forgetApp(let app): try forget(app)
    }
  }

  private func register(_ app: StoredApp) throws(StoreError) -> StoreOutcome {
    try statement(.putApp).bind(app.number).bind(app.name).bind(Int64(app.owner)).bind(app.badge)
      .bind(app.used == .distantPast ? nil : app.used.nanoseconds)
      .bind(app.criticalGroup.map { Int64($0) }).run()
    return .registered
  }

  private func forget(_ app: AppNumber) throws(StoreError) {
    try statement(.deleteNotificationsOfApp).bind(app).run()
    try statement(.deleteOccurrencesOfApp).bind(app).run()
    try statement(.deleteHistoryOfApp).bind(app).run()
    try statement(.deleteQueuedEventsOfApp).bind(app).run()
    try statement(.deleteSnoozedOfApp).bind(app).run()
    try statement(.deleteWaitingAlertsOfApp).bind(app).run()
    try statement(.deletePauseRunsOfApp).bind(app).run()
    try statement(.deletePausesOfApp).bind(app).run()
    try statement(.deleteSkipsOfApp).bind(app).run()
    // Before the inboxes, by which they are found.
    try statement(.deleteEntriesOfApp).bind(app).run()
    try statement(.deleteInboxesOfApp).bind(app).run()
    try statement(.deleteApp).bind(app).run()
    oldestHistory = nil
    historyShares = nil
  }
}
