import BelfryCore

/// Goes down the trees of a damaged file from their roots, to find which of its pages are in use.
struct PageWalk {
  /// An entry of the index of names.
  struct Name: Hashable {
    var app: Int64
    var identifier: [UInt8]
    var slot: Int64

    /// To find it where the slot is what is asked for.
    var ofNoSlot: Name { Name(app: app, identifier: identifier, slot: -1) }
  }

  private let file: PageFile
  private(set) var reached: PageSet
  /// Every table was gone through, and nothing in them was out of place.
  private(set) var isComplete = true
  private var roots: [ByteString: UInt32] = [:]

  init(_ file: PageFile) {
    self.file = file
    reached = PageSet(upTo: file.lastPage)
    guard file.lastPage > 0 else { return }
    walkSchema()
    for table in RowShape.Table.allCases where table != .version {
      if let root = roots[table.rawValue] {
        walk(root, as: table)
      } else if !Self.later.contains(table) {
        isComplete = false
      }
    }
    for (name, root) in roots where RowShape.Table(rawValue: name.text) == nil {
      walkIndex(root) { _ in }
    }
    if let root = roots["version"] { walk(root, as: .version) }
  }

  /// What an older schema has not.
  private static let later: [RowShape.Table] = [
    .clock, .fix, .happening, .owed, .snoozed, .inbox, .entry, .waitingAlert,
    .pause, .pauseRun, .skip, .days,
  ]

  // MARK: The schema

  private mutating func walkSchema() {
    // Where the first page was swapped with another, it is found by its first words.
    guard let first = file.page(1), first.isFirstPage else {
      isComplete = false
      for number in 1...file.lastPage {
        if let page = file.page(number), page.isFirstPage { readSchema(page, 100) }
      }
      return
    }
    reached.insert(1)
    walkSchema(first, start: 100, depth: 0)
  }

  private mutating func walkSchema(_ page: [UInt8], start: Int, depth: Int) {
    let cells = PageCells(page, start: start)
    if cells.kind == .tableBranch, depth < 8 {
      for child in cells.children {
        guard isNew(child), let below = file.page(child) else {
          isComplete = false
          continue
        }
        walkSchema(below, start: 0, depth: depth + 1)
      }
    } else {
      readSchema(page, start)
    }
  }

  private mutating func readSchema(_ page: [UInt8], _ start: Int) {
    let cells = PageCells(page, start: start)
    let rows = cells.cells(as: .tableLeaf, from: file) { reached.insert($0) }
    if cells.kind != .tableLeaf || rows.count != cells.count { isComplete = false }
    for row in rows {
      guard row.record.count == 5, let name = row.record[1].text, let root = row.record[3].integer,
        (2...Int64(file.lastPage)).contains(root)
      else {
        isComplete = false
        continue
      }
      roots[name] = UInt32(root)
    }
  }

  // MARK: Trees

  private mutating func isNew(_ page: UInt32) -> Bool {
    page > 0 && page <= file.lastPage && reached.insert(page)
  }

  private mutating func walk(_ root: UInt32, as table: RowShape.Table) {
    var open = [(page: root, depth: 0)]
    while let (number, depth) = open.popLast() {
      guard isNew(number), let page = file.page(number) else {
        isComplete = false
        continue
      }
      let cells = PageCells(page, start: 0)
      switch cells.kind {
      case .tableBranch where depth < 16:
        for child in cells.children { open.append((child, depth + 1)) }
      case .tableLeaf:
        let rows = cells.cells(as: .tableLeaf, from: file) { reached.insert($0) }
        if rows.count != cells.count { isComplete = false }
        // Another table's page stands here.
        if let row = rows.first, ShapedRow(row)?.table != table { isComplete = false }
      default: isComplete = false
      }
    }
  }

  private mutating func walkIndex(_ root: UInt32, _ entry: (PageCell) -> Void) {
    var open = [(page: root, depth: 0)]
    while let (number, depth) = open.popLast() {
      guard isNew(number), let page = file.page(number) else { continue }
      let cells = PageCells(page, start: 0)
      guard let kind = cells.kind, kind == .indexLeaf || kind == .indexBranch, depth < 16 else {
        continue
      }
      for child in cells.children { open.append((child, depth + 1)) }
      for cell in cells.cells(as: kind, from: file, overflow: { reached.insert($0) }) {
        entry(cell)
      }
    }
  }

  /// Gives the entries of an index, as far as they can be read.
  func eachEntry(of index: String, _ body: ([RecordValue]) -> Void) {
    guard let root = roots[index] else { return }
    var again = self
    again.reached = PageSet(upTo: file.lastPage)
    again.walkIndex(root) { body($0.record) }
  }

  /// The names of pending notifications, as the index has them.
  func eachName(_ body: (Name) -> Void) {
    eachEntry(of: "notificationName") { record in
      guard record.count == 3, let app = record[0].integer, case .text(let name) = record[1],
        let slot = record[2].integer
      else { return }
      body(Name(app: app, identifier: name, slot: slot))
    }
  }
}

extension [UInt8] {
  /// It begins as a database does; one flipped bit is overlooked.
  var isFirstPage: Bool {
    let magic = Array("SQLite format 3".utf8) + [0]
    guard count >= magic.count else { return false }
    var wrong = 0
    for index in magic.indices where self[index] != magic[index] { wrong += 1 }
    return wrong <= 1
  }
}

/// The pages that a file says are free: what stands on them was deleted.
struct FreePages {
  private(set) var pages: PageSet
  /// The list was whole, and as long as the header says.
  private(set) var isSound = false

  init(_ file: PageFile, reached: PageSet) {
    pages = PageSet(upTo: file.lastPage)
    guard file.lastPage > 0 else { return }
    if let first = file.page(1), first.isFirstPage, follow(first.word(32), first.word(36), file) {
      isSound = true
      return
    }
    // Without its beginning the list is put together from the pages that look like parts of it.
    for number in 2...max(2, file.lastPage) where !reached.contains(number) {
      guard let page = file.page(number), let listed = Self.listed(page, file.lastPage) else {
        continue
      }
      for free in listed { pages.insert(free) }
    }
  }

  private mutating func follow(_ first: UInt32, _ count: UInt32, _ file: PageFile) -> Bool {
    var found: UInt32 = 0
    var next = first
    var whole = PageSet(upTo: file.lastPage)
    while next != 0 {
      guard next <= file.lastPage, whole.insert(next), let page = file.page(next),
        let listed = Self.listed(page, file.lastPage)
      else { return false }
      found += 1
      for free in listed {
        guard whole.insert(free) else { return false }
        found += 1
      }
      next = page.word(0)
    }
    guard found == count else { return false }
    pages = whole
    return true
  }

  /// The free pages that a page of the list names; nil: it is no such page.
  private static func listed(_ page: [UInt8], _ last: UInt32) -> [UInt32]? {
    let count = page.word(4)
    guard page.word(0) <= last, count <= UInt32(PageFile.pageSize / 4 - 2) else { return nil }
    var listed: [UInt32] = []
    for index in 0..<Int(count) {
      let free = page.word(8 + 4 * index)
      guard free >= 2, free <= last else { return nil }
      listed.append(free)
    }
    return listed
  }
}
