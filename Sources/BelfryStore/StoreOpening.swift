import BelfryCore
import BelfrySystem
import BelfryWire

/// How the store is opened.
public struct StoreOptions: Sendable {
  public var history = HistoryLimits()
  public var share = UserShare()
  /// A registered SQLite VFS; nil: SQLite's default.
  public var vfs: String?
  /// A file in memory, where what a start must find of the log is remembered over a kill; nil: it is
  /// not.
  public var note: String?
  /// Dates a file that is set aside.
  public var now: Instant

  public init(now: Instant) {
    self.now = now
  }
}

/// Open store, and what the clock starts from.
public struct OpenedStore {
  public var store: Store
  public var apps: [StoredApp]
  /// In order of due.
  public var occurrences: [OpenOccurrence]
  /// In order of happening.
  public var queuedEvents: [StoredQueuedEvent]
  public var snoozes: [StoredSnooze]
  /// What waits for an answer (E6).
  public var waiting: [WaitingAlert]
  /// What is paused and skipped, of rows that are there (E1, E2).
  public var pauses: [StoredPause]
  public var skips: [StoredSkips]
  /// What was last good of calendars of days (E3).
  public var days: [StoredDays]
  /// What sinks have yet to take back.
  public var owed: [(occurrence: OccurrenceID, sink: String)]
  /// What time it was when the store was last written (T9).
  public var lastTime: LastTime
  /// Where the board was when that last mattered (R3).
  public var lastFix: LocationFix?
  /// What the operator must hear of: store set aside, rows that cannot be read.
  public var warnings: [String]
}

extension Store {
  /// Opens the store, or makes it; gives every app to `app`, then every pending row to `pending`,
  /// in order of slot.
  ///
  /// A damaged file is set aside under a dated name, never deleted, and fresh ones begun with all
  /// that can be read of it. On a disk that cannot be written the store is read, and are written
  /// as soon as they can be (D8). `warnings` says so; `forget` is called for rows that were given
  /// before the damage showed. Throws what cannot be mended here: `newerVersion`, `inUse`,
  /// `noRights`, `cannotOpen`, and the disk's errors where it cannot be read either. Blocks on the
  /// disk.
  @export(interface)
  public static func open(
    path: String, options: StoreOptions, forget: @escaping () -> Void,
    app: @escaping (StoredApp) -> Void = { _ in }, pending: @escaping (PendingSummary) -> Void
  ) throws(StoreError) -> OpenedStore {
    var place = try StorePlace(path, now: options.now)
    let note = options.note.map { LogNote($0) }
    let missing = note?.judge(place.path, origin: path)
    let wasEmpty = StorePlace.isEmpty(place.path)
    let opening = StoreOpening(
      file: StoreFile(origin: path, path: place.path, vfs: options.vfs, note: note),
      options: options, forget: forget, app: app, pending: pending)
    var opened = try opening.run()
    // Said once; what this life writes is noted anew.
    note?.clear()
    do throws(StoreError) {
      try place.requireOurs()
    } catch {
      opened.store.close()
      throw error
    }
    if wasEmpty {
      place.warn("\(place.path) was an empty file: the books were begun anew, with nothing in them")
    }
    if let missing { place.warn(missing) }
    opened.warnings = place.warnings + opened.warnings
    return opened
  }
}

/// One opening of the store.
private struct StoreOpening {
  let file: StoreFile
  let options: StoreOptions
  let forget: () -> Void
  let app: (StoredApp) -> Void
  let pending: (PendingSummary) -> Void

  private var path: String { file.path }

  /// A file that was closed in an orderly way is believed, and so is a larger one: then reading
  /// the pending rows is the check, and an error met later makes the next start check all.
  private static let quickCheckBytes: Int64 = 16 << 20

  func run() throws(StoreError) -> OpenedStore {
    try recovery.finish()
    do throws(StoreError) {
      return try openAsIs()
    } catch {
      forget()
      switch error.code {
      case _ where error.isDamage: return try openAfresh(error)
      case .readOnly, .full, .inputOutput: return try openUnwritten(error)
      default: throw error
      }
    }
  }

  private func openAsIs() throws(StoreError) -> OpenedStore {
    var integrityMark = try IntegrityMark(path)
    integrityMark.add(try PageCheck.run(path))
    let database = try Database.written(path, options.vfs)
    let opened = try takeIn(database, file, integrityMark)
    integrityMark.clear()
    try? Files.remove(IntegrityMark.begun(path))
    return opened
  }

  private func takeIn(
    _ database: Database, _ file: StoreFile, _ integrityMark: IntegrityMark?
  ) throws(StoreError) -> OpenedStore {
    do throws(StoreError) {
      if let integrityMark, integrityMark.isDue(upTo: Self.quickCheckBytes) {
        let verdict = try database.text("PRAGMA \(integrityMark.check)(1)")
        guard verdict == "ok" else { throw StoreError(.damaged, "check: \(verdict)") }
      }
      let store = Store(database, file, limits: options.history, share: options.share)
      let apps = try store.apps()
      for stored in apps { app(stored) }
      let occurrences = try store.openOccurrences()
      let queuedEvents = try store.queuedEvents()
      let snoozes = try store.snoozes()
      let waiting = try store.waitingAlerts()
      let owed = try store.owed()
      try store.eachPending(pending)
      let opened = OpenedStore(
        store: store, apps: apps, occurrences: occurrences, queuedEvents: queuedEvents,
        snoozes: snoozes, waiting: waiting, pauses: try store.pauses(),
        skips: try store.skips(), days: try store.days(), owed: owed,
        lastTime: try store.lastTime(), lastFix: try store.lastFix(),
        warnings: store.takeComplaints())
      // Whatever the cache holds of all that was read, later work asks for other pages.
      try database.execute("PRAGMA shrink_memory")
      return opened
    } catch {
      database.close()
      throw error
    }
  }

  // MARK: Damage

  private var recovery: StoreRepair {
    StoreRepair(path: path, vfs: options.vfs, now: options.now)
  }

  private func openAfresh(_ damage: StoreError) throws(StoreError) -> OpenedStore {
    let sentence: String
    do throws(StoreError) {
      sentence = try recovery.replace(damage)
    } catch {
      guard error.concernsTheDisk else { throw error }
      // Neither here nor beside it: from memory, until there is room.
      return try openRecovered(damage, error)
    }
    var opened = try openAsIs()
    opened.warnings.insert(sentence, at: 0)
    return opened
  }

  // MARK: A disk that cannot be written

  private func openUnwritten(_ refusal: StoreError) throws(StoreError) -> OpenedStore {
    var file = file
    file.refusal = refusal
    var opened: OpenedStore
    do throws(StoreError) {
      let isOdd = try PageCheck.run(path)
      let database = try file.read()
      // Without a file there is nothing that could make a check due.
      var integrityMark = DamagedFile.isThere(path) ? try IntegrityMark(path) : nil
      integrityMark?.add(isOdd)
      opened = try takeIn(database, file, integrityMark)
    } catch {
      guard error.isDamage || error.code == .inputOutput else {
        throw error.concernsTheDisk ? refusal : error
      }
      forget()
      // A page that the device does not give is not read by trying the same way again.
      return error.isDamage ? try openRecovered(error, refusal) : try openAfresh(error)
    }
    opened.warnings.insert(
      """
      \(refusal.reason): alerts go on from what stands in the books, and nothing new is kept \
      until they can be written
      """, at: 0)
    return opened
  }

  private func openRecovered(
    _ damage: StoreError, _ refusal: StoreError
  ) throws(StoreError) -> OpenedStore {
    var file = file
    file.refusal = refusal
    file.isDamaged = true
    let database = try Database()
    let report = try Recovery.copy(from: path, into: database)
    if report.isBlank { throw refusal }
    file.mayBeReplaced = report.unreadable == 0
    var opened = try takeIn(database, file, nil)
    opened.warnings.insert(
      """
      \(damage.reason), and \(refusal.reason): alerts go on from memory\(report.words), and nothing \
      new is kept until there is a disk that can be written
      """, at: 0)
    return opened
  }
}

// What the clock starts from.
extension Store {
  fileprivate func apps() throws(StoreError) -> [StoredApp] {
    var apps: [StoredApp] = []
    let row = try statement(.apps)
    while try row.step() {
      var app = StoredApp(
        number: AppNumber(truncatingIfNeeded: row.integer(0)), name: row.text(1),
        owner: UInt32(truncatingIfNeeded: row.integer(2)), badge: row.integer(3),
        used: row.isNull(4) ? .distantPast : Instant(nanoseconds: row.integer(4)))
      app.criticalGroup = row.optionalInteger(6).map { UInt32(truncatingIfNeeded: $0) }
      if !row.isNull(5) { app.registration = registration(row.blob(5), of: app.name) }
      apps.append(app)
    }
    row.reset()
    return apps
  }

  /// One that cannot be read is complained of: the app registers again when it starts.
  private func registration(_ bytes: [UInt8], of app: String) -> AppRegistration? {
    do throws(FieldError) {
      return try RegistrationCodec.read(bytes)
    } catch {
      complain(StoreError(.content, "settings of \(app): \(error.field) \(error.reason)").reason)
      return nil
    }
  }

  /// Begins to count what users hold, too.
  fileprivate func eachPending(_ body: (PendingSummary) -> Void) throws(StoreError) {
    var held: [AppNumber: Int64] = [:]
    try readPending(body, &held)
    try countBytes(held)
  }

  private func readPending(
    _ body: (PendingSummary) -> Void, _ held: inout [AppNumber: Int64]
  ) throws(StoreError) {
    let row = try statement(.pending)
    defer { row.reset() }
    var last: Slot = -1
    while try row.step() {
      var summary = PendingSummary(row)
      // A real number in place of a whole one would be another instant.
      guard (0...6).allSatisfy({ row.isInteger($0) }) else {
        throw StoreError(.damaged, "types of the scheduled list")
      }
      // Pages that stand in another's place read like rows of the list.
      guard summary.slot > last, summary.app > 0 else {
        throw StoreError(.damaged, "order of the scheduled list")
      }
      last = summary.slot
      summary.critical = row.optionalText(14)
      held[summary.app, default: 0] += row.integer(15) + UserShare.row
      summary.goBy(hasRegion: row.integer(16) != 0)
      if summary.isBroken(row) {
        complain(StoreError(.content, "row \(summary.slot): when it is due").reason)
      }
      body(summary)
    }
  }

  fileprivate func openOccurrences() throws(StoreError) -> [OpenOccurrence] {
    var open: [OpenOccurrence] = []
    let row = try statement(.occurrences)
    defer { row.reset() }
    while try row.step() {
      guard let notification = readable(row.blob(14), identifier: row.text(13)) else { continue }
      var occurrence = Occurrence(
        id: row.occurrenceID(3), app: row.text(1), notification: notification,
        due: Instant(nanoseconds: row.integer(8)))
      occurrence.missed = row.integer(9)
      occurrence.missedSince = row.optionalInteger(10).map { Instant(nanoseconds: $0) }
      occurrence.isForApp = row.integer(15) != 0
      open.append(
        OpenOccurrence(
          occurrence: occurrence, app: AppNumber(truncatingIfNeeded: row.integer(0)),
          slot: row.optionalInteger(2).map { Slot(truncatingIfNeeded: $0) },
          sinks: row.optionalText(11).map { OccurrenceKey.split($0) },
          settled: OccurrenceKey.split(row.text(12))))
    }
    return open
  }
}
