import BelfryCore
import CSQLite

/// Why the store could not do something.
public struct StoreError: Error, Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    /// Written by a newer Belfry: not touched.
    case newerVersion(found: Int64, known: Int64)
    /// Another process holds the store.
    case inUse
    case noRights
    /// A file of it belongs to another user.
    case foreign
    case readOnly
    case full
    case inputOutput
    /// Not a database, malformed, or not Belfry's.
    case damaged
    /// The file was removed or replaced while it is in use, and cannot be written anew yet.
    case displaced
    case cannotOpen
    /// A row's content cannot be read or written.
    case content
    /// Any other result code of SQLite's.
    case other(Int32)
  }

  public var code: Code
  /// What was being done, in a few words.
  public var operation: String
  /// The positive errno that SQLite saw; 0: none.
  public var systemError: Int32

  public init(_ code: Code, _ operation: String, systemError: Int32 = 0) {
    self.code = code
    self.operation = operation
    self.systemError = systemError
  }

  /// The error of a SQLite result code, primary or extended.
  init(result: Int32, database: OpaquePointer?, _ operation: String) {
    let errno = database.map { sqlite3_system_errno($0) } ?? 0
    var code = Self.code(of: result, errno: errno)
    // A device that does not give a page is not a damaged page.
    if code == .damaged, let database, Self.fromDevice.contains(csqlite_file_errno(database)) {
      code = .inputOutput
    }
    self.init(code, operation, systemError: errno)
  }

  /// One sentence for a person, without a full stop.
  public var reason: String {
    switch code {
    case .newerVersion(let found, let known):
      "the books are of schema \(found), this Belfry knows \(known): install a newer Belfry"
    case .inUse: "the books are in use by another process"
    case .noRights: "no rights to the books (\(operation))"
    case .foreign:
      "the books are not used: \(operation); give it to whom belfryd runs as, or move it away"
    case .readOnly: "the disk with the books is read-only (\(operation))"
    case .full: "the disk with the books is full (\(operation))"
    case .inputOutput: "the disk with the books reports an I/O error (\(operation))"
    case .damaged: "the books are damaged (\(operation))"
    case .displaced:
      "the books were removed or replaced under belfryd and cannot be written anew (\(operation))"
    case .cannotOpen:
      "the books cannot be opened (\(operation)\(systemError == 0 ? "" : ", errno \(systemError)"))"
    case .content: "the content of a row cannot be read (\(operation))"
    case .other(let result): "SQLite answers \(result) (\(operation))"
    }
  }

  /// The disk's fault, not the operation's: nothing else in the group can be written either.
  var concernsTheDisk: Bool {
    switch code {
    case .readOnly, .full, .inputOutput, .cannotOpen, .noRights, .inUse, .displaced: true
    case .newerVersion, .foreign, .damaged, .content, .other: false
    }
  }

  /// The file's fault: what it holds must be taken over into a fresh one.
  var isDamage: Bool {
    switch code {
    case .damaged: true
    case .other(let result): Self.fromDamage.contains(result & 0xFF)
    default: false
    }
  }

  /// What a whole file never makes SQLite answer to Belfry's own statements.
  private static let fromDamage = [
    SQLITE_ERROR, SQLITE_INTERNAL, SQLITE_MISMATCH, SQLITE_FORMAT, SQLITE_RANGE, SQLITE_CONSTRAINT,
    SQLITE_SCHEMA, SQLITE_EMPTY, SQLITE_NOTFOUND,
  ]

  private static let fromDevice: [Int32] = [5, 6]  // EIO, ENXIO
  private static let noPermission: Int32 = 1  // EPERM
  private static let accessDenied: Int32 = 13  // EACCES
  private static let noSpace: Int32 = 28  // ENOSPC
  private static let readOnlyDisk: Int32 = 30  // EROFS
  private static let overQuota: Int32 = 122  // EDQUOT

  private static func code(of result: Int32, errno: Int32) -> Code {
    switch result & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return .inUse
    case SQLITE_FULL: return .full
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
    case SQLITE_PERM, SQLITE_AUTH: return .noRights
    case SQLITE_READONLY:
      return errno == accessDenied || errno == noPermission ? .noRights : .readOnly
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      switch errno {
      case noSpace, overQuota: return .full
      case readOnlyDisk: return .readOnly
      case accessDenied, noPermission: return .noRights
      default: return result & 0xFF == SQLITE_IOERR ? .inputOutput : .cannotOpen
      }
    default: return .other(result)
    }
  }
}
