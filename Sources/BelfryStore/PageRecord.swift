/// A value of a record, as SQLite stores it.
enum RecordValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  var integer: Int64? {
    if case .integer(let value) = self { return value }
    return nil
  }

  var text: String? {
    if case .text(let bytes) = self { return String(decoding: bytes, as: UTF8.self) }
    return nil
  }

  var blob: [UInt8]? {
    if case .blob(let bytes) = self { return bytes }
    return nil
  }
}

/// A cell of a b-tree page (SQLite's file format, "B-tree Pages").
struct PageCell {
  /// 0 in an index.
  var rowID: Int64
  var record: [RecordValue]
  /// Each whole number takes as few bytes as it can, as SQLite writes it.
  var isPlain: Bool
}

/// One b-tree page, read without believing more of it than must be.
struct PageCells {
  enum Kind: UInt8 {
    case indexBranch = 2
    case tableBranch = 5
    case indexLeaf = 10
    case tableLeaf = 13
  }

  /// No row of Belfry's is longer.
  private static let maxPayload = 4 << 20
  private static let usable = PageFile.pageSize

  private(set) var bytes: [UInt8]
  /// Where the page's own header begins: behind the file's on the first page.
  let start: Int
  let kind: Kind?

  init(_ bytes: [UInt8], start: Int) {
    self.bytes = bytes
    self.start = start
    kind = Kind(rawValue: bytes[start])
  }

  private func headerSize(_ kind: Kind) -> Int {
    kind == .indexBranch || kind == .tableBranch ? 12 : 8
  }

  /// Where the cells begin, as far as they can be on the page.
  private func pointers(_ kind: Kind) -> [Int] {
    let first = start + headerSize(kind)
    let count = min(bytes.short(start + 3), (Self.usable - first) / 2)
    var found: [Int] = []
    found.reserveCapacity(count)
    for index in 0..<count {
      let place = bytes.short(first + 2 * index)
      if place >= first + 2, place < Self.usable - 3 { found.append(place) }
    }
    return found
  }

  /// How many cells there should be.
  var count: Int { bytes.short(start + 3) }

  /// Pages below, in order; the rightmost last.
  var children: [UInt32] {
    guard let kind, kind == .indexBranch || kind == .tableBranch else { return [] }
    return pointers(kind).map { bytes.word($0) } + [bytes.word(start + 8)]
  }

  /// The cells that can be read, taken for those of `kind`; `overflow` is told of every page that
  /// goes on where this one ends.
  func cells(
    as kind: Kind, from file: PageFile, overflow: (UInt32) -> Bool = { _ in true }
  ) -> [PageCell] {
    if kind == .tableBranch { return [] }
    return pointers(kind).compactMap { cell(at: $0, kind, file, overflow) }
  }

  /// Most bytes of a cell that stand before the values of its row.
  private static let mostHead = 40

  /// The rows of a leaf of a table, as `read` takes them: it says, too, whether what a row tells twice
  /// agrees. What is no row as it stands may have one bit of its head wrong.
  func rows<Row>(
    from file: PageFile, _ read: (PageCell) -> (row: Row, agrees: Bool)?
  ) -> [Row] {
    pointers(.tableLeaf).compactMap { place in
      cell(at: place, .tableLeaf, file) { _ in true }.flatMap { read($0)?.row }
        ?? mended(at: place, file, read)
    }
  }

  /// The first that agrees, or else the first.
  private func mended<Row>(
    at place: Int, _ file: PageFile, _ read: (PageCell) -> (row: Row, agrees: Bool)?
  ) -> Row? {
    var first: Row?
    var page = self
    for byte in place..<min(place + Self.mostHead, Self.usable) {
      for bit in 0..<8 as Range<UInt8> {
        page.bytes[byte] ^= 1 << bit
        defer { page.bytes[byte] ^= 1 << bit }
        guard let cell = page.cell(at: place, .tableLeaf, file, { _ in true }),
          let (row, agrees) = read(cell)
        else { continue }
        if agrees { return row }
        first = first ?? row
      }
    }
    return first
  }

  private func cell(
    at place: Int, _ kind: Kind, _ file: PageFile, _ overflow: (UInt32) -> Bool
  ) -> PageCell? {
    var place = kind == .indexBranch ? place + 4 : place
    guard let size = bytes.variable(&place), size > 0, size <= Int64(Self.maxPayload) else {
      return nil
    }
    var rowID: Int64 = 0
    if kind == .tableLeaf {
      guard let key = bytes.variable(&place) else { return nil }
      rowID = key
    }
    guard let payload = payload(at: place, Int(size), kind, file, overflow),
      let record = RecordReader.read(payload)
    else { return nil }
    return PageCell(rowID: rowID, record: record.values, isPlain: record.isPlain)
  }

  private func payload(
    at place: Int, _ size: Int, _ kind: Kind, _ file: PageFile, _ overflow: (UInt32) -> Bool
  ) -> [UInt8]? {
    let isTable = kind == .tableLeaf
    let most = isTable ? Self.usable - 35 : (Self.usable - 12) * 64 / 255 - 23
    let least = (Self.usable - 12) * 32 / 255 - 23
    var local = size
    if size > most {
      local = least + (size - least) % (Self.usable - 4)
      if local > most { local = least }
    }
    guard place + local <= Self.usable else { return nil }
    var payload = Array(bytes[place..<place + local])
    guard local < size else { return payload }
    var next = bytes.word(place + local)
    while payload.count < size {
      guard overflow(next), let page = file.page(next) else { return nil }
      payload += page[4..<min(Self.usable, 4 + size - payload.count)]
      next = page.word(0)
    }
    return payload
  }
}

/// Takes a record apart (SQLite's file format, "Record Format").
enum RecordReader {
  /// nil: it is none. `isPlain` is as a cell has it.
  static func read(_ bytes: [UInt8]) -> (values: [RecordValue], isPlain: Bool)? {
    var head = 0
    guard let headSize = bytes.variable(&head), headSize >= 1, headSize <= 512,
      headSize <= Int64(bytes.count)
    else { return nil }
    var place = Int(headSize)
    var values: [RecordValue] = []
    var isPlain = true
    while head < Int(headSize) {
      guard let type = bytes.variable(&head), head <= Int(headSize),
        let value = value(type, bytes, &place)
      else { return nil }
      if let integer = value.integer, type != self.type(of: integer) { isPlain = false }
      values.append(value)
    }
    return place == bytes.count ? (values, isPlain) : nil
  }

  /// What SQLite writes a number as.
  private static func type(of value: Int64) -> Int64 {
    switch value {
    case 0...1: 8 + value
    case -0x80...0x7F: 1
    case -0x8000...0x7FFF: 2
    case -0x80_0000...0x7F_FFFF: 3
    case -0x8000_0000...0x7FFF_FFFF: 4
    case -0x8000_0000_0000...0x7FFF_FFFF_FFFF: 5
    default: 6
    }
  }

  private static func value(
    _ type: Int64, _ bytes: [UInt8], _ place: inout Int
  ) -> RecordValue? {
    switch type {
    case 0: return .null
    case 1...6:
      let size = [1, 2, 3, 4, 6, 8][Int(type) - 1]
      guard let value = integer(bytes, &place, size) else { return nil }
      return .integer(value)
    case 7:
      guard let value = integer(bytes, &place, 8) else { return nil }
      return .real(Double(bitPattern: UInt64(bitPattern: value)))
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 12...:
      let size = Int(truncatingIfNeeded: (type - 12) / 2)
      guard size >= 0, size <= bytes.count - place else { return nil }
      let content = Array(bytes[place..<place + size])
      place += size
      return type & 1 == 1 ? .text(content) : .blob(content)
    default: return nil
    }
  }

  private static func integer(_ bytes: [UInt8], _ place: inout Int, _ size: Int) -> Int64? {
    guard place + size <= bytes.count else { return nil }
    var value = Int64(Int8(bitPattern: bytes[place]))
    for index in 1..<max(1, size) { value = value << 8 | Int64(bytes[place + index]) }
    place += size
    return value
  }
}

extension [UInt8] {
  /// SQLite's integer of one to nine bytes; nil: it does not end here.
  func variable(_ place: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard place < count else { return nil }
      let byte = self[place]
      place += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int64(bitPattern: value) }
    }
    return nil
  }
}
