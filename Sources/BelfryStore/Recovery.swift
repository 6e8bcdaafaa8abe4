import BelfryCore
import BelfrySystem

/// Takes over from a damaged store what its pages still hold, into a fresh one.
///
/// SQLite is not asked: the header, the schema's text and the branches of the trees may be damaged.
/// Every page in use is read by itself, and a row is known by its shape (`RowShape`). What was
/// deleted stays deleted: a page of the free list is only looked at for rows that the index of names
/// still has. Nothing is written to the damaged file.
struct Recovery {
  /// What was saved.
  struct RecoveryReport: Hashable {
    var notifications: Int64 = 0
    var occurrences: Int64 = 0
    var history: Int64 = 0
    /// Entries of inboxes.
    var pushes: Int64 = 0
    /// Pages that the device would not give.
    var unreadable: Int64 = 0
    /// It gives none of them.
    var isBlank = false

    /// To go behind "fresh ones begun".
    var words: String {
      let missing = counted(unreadable, "page")
      let pages = unreadable == 0 ? "" : "; the disk does not give \(missing) of them"
      if notifications + occurrences + history + pushes == 0 {
        return "; nothing could be read from them: what was scheduled is only in that file" + pages
      }
      let inboxes =
        pushes == 0 ? "" : " and " + counted(pushes, "push", many: "pushes") + " in inboxes"
      let saved =
        counted(notifications, "scheduled notification") + ", "
        + counted(occurrences, "delivery", many: "deliveries") + " under way and "
        + counted(history, "row") + " of history" + inboxes
      return " with \(saved) that were saved from them; what is missing is only in that file"
        + pages
    }
  }

  private let file: PageFile
  private let target: Database
  private let walk: PageWalk
  private let free: FreePages
  /// Of pending notifications, as their index has them.
  private let names: Set<PageWalk.Name>

  /// Fills `target`, which is empty, and brings it to the newest schema.
  ///
  /// Errors are those of `target`: what cannot be read of the file at `path` is left out.
  static func copy(from path: String, into target: Database) throws(StoreError) -> RecoveryReport {
    try target.execute(Schema.foundation)
    try Schema.bringUp(target)
    guard let file = PageFile(path), file.lastPage > 0 else { return RecoveryReport() }
    try target.execute("BEGIN")
    do throws(StoreError) {
      let report = try Recovery(file, target).copyAll()
      try target.execute("COMMIT")
      return report
    } catch {
      target.rollBack()
      throw error
    }
  }

  private init(_ file: PageFile, _ target: Database) {
    self.file = file
    self.target = target
    walk = PageWalk(file)
    free = FreePages(file, reached: walk.reached)
    var names = Set<PageWalk.Name>()
    walk.eachName { names.insert($0) }
    self.names = names
  }

  private func copyAll() throws(StoreError) -> RecoveryReport {
    let rows = RecoveredRows(target)
    // Whose page such an image is remains unknown, and it is newer than any other.
    for offset in file.log.loose {
      if let image = file.log.image(at: offset) { try take(image, rows) }
    }
    for number in 1...file.lastPage where isInUse(number) {
      if let image = file.page(number) { try take(image, rows) }
    }
    try takeNamed(rows)
    try takeDisplaced(rows)
    try RecoveredInboxes(walk: walk, target: target).mend()
    try RecoveredApps(walk: walk, target: target).name()
    return RecoveryReport(
      notifications: try target.integer("SELECT count(*) FROM notification"),
      occurrences: try target.integer("SELECT count(*) FROM occurrence"),
      history: try target.integer("SELECT count(*) FROM history"),
      pushes: try target.integer("SELECT count(*) FROM entry"),
      unreadable: Int64(file.unreadable.count),
      isBlank: file.unreadable.count > 0 && file.unreadable.count >= Int(file.filePages))
  }

  private func isInUse(_ number: UInt32) -> Bool {
    walk.reached.contains(number) || !walk.isComplete && !free.pages.contains(number)
  }

  // MARK: Pages

  private func take(_ image: [UInt8], _ rows: RecoveredRows) throws(StoreError) {
    for row in self.rows(on: image) { try rows.add(row) }
  }

  private func rows(on image: [UInt8]) -> [ShapedRow] {
    let cells = PageCells(image, start: 0)
    guard isLeaf(cells) else { return [] }
    return cells.rows(from: file) { cell in
      guard let row = ShapedRow(cell)?.accepted else { return nil }
      return (row, cell.isPlain && row.agrees && row.name.map { names.contains($0) } != false)
    }
  }

  /// Also one whose kind has one bit wrong.
  private func isLeaf(_ page: PageCells) -> Bool {
    switch page.kind {
    case .tableLeaf: true
    case .tableBranch: page.children.contains { $0 == 0 || $0 > file.lastPage }
    case .indexLeaf, .indexBranch: false
    case nil: (page.bytes[0] ^ PageCells.Kind.tableLeaf.rawValue).nonzeroBitCount == 1
    }
  }

  // MARK: Free pages

  /// Most names that are looked for, and most rows that a swapped page brings.
  private static let maxNames = 65_536
  private static let maxOnPage = 64

  /// A page in use that was swapped with a free one: the index of names tells which rows were
  /// pending.
  private func takeNamed(_ rows: RecoveredRows) throws(StoreError) {
    let wanted = try missingNames()
    if wanted.isEmpty { return }
    var found = 0
    for number in 1...file.lastPage where !isInUse(number) {
      guard let image = file.page(number) else { continue }
      for row in self.rows(on: image) where row.table == .notification {
        if let name = row.name, wanted.contains(name) {
          try rows.add(row)
          found += 1
        }
      }
    }
    if found > 0 { try dropUnnamed() }
  }

  private func missingNames() throws(StoreError) -> Set<PageWalk.Name> {
    let find = try target.prepare(
      "SELECT 1 FROM notification WHERE slot = ? OR app = ? AND identifier = ?")
    var missing = Set<PageWalk.Name>()
    for name in names.prefix(Self.maxNames) {
      find.reset()
      find.bind(name.slot).bind(name.app).bind(text: name.identifier)
      if try !find.step() { missing.insert(name) }
    }
    return missing
  }

  /// What had another's slot, which is damaged, if the index of names still knows it.
  private func takeDisplaced(_ rows: RecoveredRows) throws(StoreError) {
    if rows.displaced.isEmpty { return }
    var slots: [PageWalk.Name: Int64] = [:]
    for name in names { slots[name.ofNoSlot] = name.slot }
    for row in rows.displaced {
      if let name = row.name, let slot = slots[name.ofNoSlot] { try rows.add(row, at: slot) }
    }
  }

  /// What stood on the free page had been deleted.
  private func dropUnnamed() throws(StoreError) {
    var named = Set<Int64>()
    for name in names { named.insert(name.slot) }
    var unnamed: [Int64] = []
    let rows = try target.prepare("SELECT slot FROM notification")
    while try rows.step() {
      if !named.contains(rows.integer(0)) { unnamed.append(rows.integer(0)) }
    }
    // More than that no swap explains: better one alarm too many than one too few.
    guard unnamed.count <= Self.maxOnPage else { return }
    let delete = try target.prepare("DELETE FROM notification WHERE slot = ?")
    for slot in unnamed { try delete.bind(slot).run() }
  }
}

extension ShapedRow {
  /// Of a notification: as the index of names has it.
  var name: PageWalk.Name? {
    guard table == .notification, let app = values[1].integer, case .text(let name) = values[9]
    else { return nil }
    return PageWalk.Name(app: app, identifier: name, slot: rowID)
  }

  /// Of a notification: in another slot.
  fileprivate func at(_ slot: Int64) -> ShapedRow {
    var row = self
    row.rowID = slot
    row.values[0] = .integer(slot)
    return row
  }
}

/// Writes rows into fresh store.
final class RecoveredRows {
  private let target: Database
  /// Notifications whose slot, or whose name, another has that is not older.
  private(set) var displaced: [ShapedRow] = []
  private static let mostDisplaced = 4096
  private var inserts: [RowShape.Table: Statement] = [:]

  init(_ target: Database) {
    self.target = target
  }

  /// A row that breaks a rule of its table is none; of two versions of a notification the newer
  /// stays.
  func add(_ row: ShapedRow) throws(StoreError) {
    if row.table == .version { return }
    if try insert(row) || row.table != .notification { return }
    let older = try target.prepare(
      """
      DELETE FROM notification WHERE (slot = ?1 OR app = ?2 AND identifier = ?3)
        AND (generation, firedThrough) < (?4, ?5)
      """)
    for column in [0, 1, 9, 2, 6] { older.bind(row.values[column]) }
    try older.run()
    if target.lastChanges > 0, try insert(row) { return }
    if displaced.count < Self.mostDisplaced { displaced.append(row) }
  }

  /// The row of a notification that is not there yet, in this slot, or a new one where that is taken.
  func add(_ row: ShapedRow, at slot: Int64) throws(StoreError) {
    let next = try target.integer("SELECT max(slot) + 1 FROM notification")
    for slot in [slot, next] where try insert(row.at(slot)) { return }
  }

  private func insert(_ row: ShapedRow) throws(StoreError) -> Bool {
    let insert = try statement(row.table)
    insert.reset()
    for value in row.values { insert.bind(value) }
    try insert.run()
    return target.lastChanges > 0
  }

  private func statement(_ table: RowShape.Table) throws(StoreError) -> Statement {
    if let prepared = inserts[table] { return prepared }
    let columns = ShapedRow.columns(of: table)
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let list = columns.joined(separator: ", ")
    let prepared = try target.prepare(
      "INSERT OR IGNORE INTO \(table.rawValue) (\(list)) VALUES (\(places))")
    inserts[table] = prepared
    return prepared
  }
}

extension Statement {
  @discardableResult
  func bind(_ value: RecordValue) -> Statement {
    switch value {
    case .null: bindNull()
    case .integer(let value): bind(value)
    case .real(let value): bind(value)
    case .text(let bytes): bind(text: bytes)
    case .blob(let bytes): bind(bytes)
    }
  }
}
