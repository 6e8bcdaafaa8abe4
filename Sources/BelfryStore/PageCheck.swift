import BelfryCore

/// What the file's own pages say before SQLite believes them.
///
/// SQLite takes a header at its word: a flipped bit makes it append over live pages, take live pages
/// for free ones, open the file for reading alone, or drop the whole log. Costs the reading of the
/// first page, the list of free pages and the log.
struct PageCheck {
  private let file: PageFile

  /// True: the file is larger than it says, so that a look at all of it is due. Throws `damaged`,
  /// and `inUse` where another process writes it meanwhile.
  static func run(_ path: String) throws(StoreError) -> Bool {
    // What a power cut left in the middle of the first transaction, SQLite takes back as it opens it.
    if IntegrityMark.hasJournal(path) { return true }
    guard let file = PageFile(path) else { return false }
    if file.isInUse { throw StoreError(.inUse, "open \(path)") }
    return try PageCheck(file: file).run()
  }

  private func damage(_ what: String) -> StoreError { StoreError(.damaged, what) }

  private func run() throws(StoreError) -> Bool {
    let log = file.log
    if log.verdict == .damaged, log.isHeaderSound || !isFoldedIn {
      throw damage("its log has bad frames")
    }
    if file.fileSize == 0 {
      // SQLite would remove the log of an empty file.
      if !log.images.isEmpty { throw damage("the file is empty, its log is not") }
      return false
    }
    guard let first = file.page(1) else { throw damage("it is cut or cannot be read") }
    try checkFixed(first)
    guard FreePages(file, reached: PageSet(upTo: 0)).isSound else {
      throw damage("header: free pages")
    }
    return try checkSize(first)
  }

  /// Whether all that the log has stands in the file too: nobody misses such a log.
  private var isFoldedIn: Bool {
    for (page, offset) in file.log.images {
      guard let image = file.log.image(at: offset), image == file.filePage(page) else {
        return false
      }
    }
    return true
  }

  /// Fields that are the same in all store (SQLite's file format, "The Database Header").
  private func checkFixed(_ first: [UInt8]) throws(StoreError) {
    let magic = Array("SQLite format 3".utf8) + [0]
    guard Array(first[..<16]) == magic else { throw damage("header: first words") }
    guard first.short(16) == PageFile.pageSize else { throw damage("header: page size") }
    guard (1...2).contains(first[18]), (1...2).contains(first[19]) else {
      throw damage("header: format version")
    }
    guard Array(first[20..<24]) == [0, 64, 32, 32] else { throw damage("header: fractions") }
    // An empty file of SQLite's has neither yet.
    guard (0...4).contains(first.word(44)), first.word(56) <= 1 else {
      throw damage("header: schema format, encoding")
    }
    guard first.word(52) == 0, first.word(64) == 0 else { throw damage("header: vacuum") }
    let isEmpty = first.word(60) == 0 && first.short(103) == 0 && first[100] == 13
    guard isEmpty || Int64(first.word(68)) == Schema.applicationID else {
      throw damage("header: whose it is")
    }
    guard isEmpty || first.word(60) > 0 && first.word(44) == 4 && first.word(56) == 1 else {
      throw damage("header: schema number")
    }
  }

  private func checkSize(_ first: [UInt8]) throws(StoreError) -> Bool {
    // SQLite believes the size only then, and looks at the file's otherwise.
    guard first.word(24) == first.word(92) else { return false }
    let size = first.word(28)
    if let pages = file.log.pageCount, size != pages { throw damage("header: size") }
    var missing = file.filePages
    while missing < size {
      missing += 1
      if file.log.images[missing] == nil { throw damage("it is cut") }
    }
    return file.log.pageCount == nil && size < file.filePages
  }
}
