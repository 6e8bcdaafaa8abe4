import BelfryCore
import BelfrySystem

/// Whether the file needs a check before it is believed, decided before it is opened.
struct IntegrityMark {
  private let mark: String
  private var isMarked: Bool
  private let wasNotClosed: Bool
  private let size: Int64

  /// Throws what the path itself rules out.
  init(_ path: String) throws(StoreError) {
    mark = Self.mark(of: path)
    let status = try? Files.status(path)
    if let status, status.kind != .regular {
      throw StoreError(.cannotOpen, "\(path) is not a file: move it away")
    }
    if status == nil {
      // A power cut that leaves an empty file is told from somebody who emptied it.
      try? Self.make(Self.begun(path))
      try Self.touch(path)
    }
    size = status?.size ?? 0
    isMarked = (try? Files.status(mark)) != nil
    wasNotClosed = Self.hasLog(path) || Self.hasJournal(path)
  }

  /// A file of so many bytes is checked at every start: that takes a few milliseconds.
  private static let smallBytes: Int64 = 1 << 20

  /// A file marked as suspect always; one that was not closed if it is small enough to be quick.
  func isDue(upTo limit: Int64) -> Bool {
    isMarked || size > 0 && size <= (wasNotClosed ? limit : Self.smallBytes)
  }

  /// The pragma that checks it: rows against their indexes too where that is quick.
  var check: String { size <= Self.smallBytes ? "integrity_check" : "quick_check" }

  /// The file itself gives a reason to look at all of it.
  mutating func add(_ isOdd: Bool) { isMarked = isMarked || isOdd }

  func clear() {
    if isMarked { try? Files.remove(mark) }
  }

  /// Makes the next start check the whole file; best effort on a disk that already fails.
  static func raise(_ path: String) {
    try? Files.write([], to: mark(of: path))
  }

  /// Makes the file if it is missing, for its owner alone: SQLite would let everybody read it, and
  /// its log takes the same mode. Also finds out why SQLite could not open it for writing.
  static func touch(_ path: String) throws(StoreError) {
    try open(path, [.readWrite, .create])
  }

  /// Makes it, and only that: in a folder of everybody's it could be there already, and another's.
  static func make(_ path: String) throws(StoreError) {
    try open(path, [.readWrite, .create, .exclusive])
  }

  private static func open(_ path: String, _ access: Files.Access) throws(StoreError) {
    do throws(SystemError) {
      _ = try Files.open(path, access, mode: 0o600)
    } catch {
      let code: StoreError.Code
      switch error.code {
      case SystemError.readOnly: code = .readOnly
      case SystemError.noSpace: code = .full
      case SystemError.noAccess, SystemError.notPermitted: code = .noRights
      default: code = .cannotOpen
      }
      throw StoreError(code, "open \(path)", systemError: error.code)
    }
  }

  /// Lies beside a file that is being made.
  static func begun(_ path: String) -> String { path + "-begun" }

  static func mark(of path: String) -> String { path + "-suspect" }

  /// Whether a log lies beside the file that may not be folded in.
  static func hasLog(_ path: String) -> Bool { size(path + "-wal") > 0 }

  /// Whether a transaction was under way that kept what it was about to write over.
  static func hasJournal(_ path: String) -> Bool { size(path + "-journal") > 0 }

  private static func size(_ path: String) -> Int64 {
    guard let status = try? Files.status(path) else { return 0 }
    return status.size
  }
}
