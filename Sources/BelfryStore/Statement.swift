import CSQLite

/// A prepared statement: bind its parameters in order, then `step` or `run`.
final class Statement {
  private let handle: OpaquePointer
  private let operation: String
  private var bound: Int32 = 0
  private var bindResult = SQLITE_OK
  private let work: Work

  /// What the statements of one database have been given to write.
  final class Work {
    var bytes: Int64 = 0
  }

  /// Takes over `handle`.
  init(_ handle: OpaquePointer, operation: String, work: Work) {
    self.handle = handle
    self.operation = operation
    self.work = work
  }

  deinit { sqlite3_finalize(handle) }

  /// Back to before the first row, and binding starts with the first parameter again.
  func reset() {
    sqlite3_reset(handle)
    bound = 0
    bindResult = SQLITE_OK
  }

  @discardableResult
  func bind(_ value: Int64) -> Statement {
    note(sqlite3_bind_int64(handle, next(), value))
  }

  @discardableResult
  func bind(_ value: Int32) -> Statement { bind(Int64(value)) }

  @discardableResult
  func bind(_ value: Int64?) -> Statement {
    if let value { return bind(value) }
    return bindNull()
  }

  @discardableResult
  func bind(_ value: Double) -> Statement {
    note(sqlite3_bind_double(handle, next(), value))
  }

  @discardableResult
  func bindNull() -> Statement { note(sqlite3_bind_null(handle, next())) }

  @discardableResult
  func bind(_ value: String) -> Statement {
    var value = value
    let index = next()
    work.bytes += Int64(value.utf8.count)
    return note(
      value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          csqlite_bind_text(handle, index, $0.baseAddress, Int32($0.count))
        }
      })
  }

  @discardableResult
  func bind(_ value: String?) -> Statement {
    if let value { return bind(value) }
    return bindNull()
  }

  @discardableResult
  func bind(_ value: [UInt8]) -> Statement {
    let index = next()
    work.bytes += Int64(value.count)
    return note(
      value.withUnsafeBytes {
        csqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
      })
  }

  /// Text by its bytes, as they are.
  @discardableResult
  func bind(text value: [UInt8]) -> Statement {
    let index = next()
    work.bytes += Int64(value.count)
    return note(
      value.withUnsafeBytes {
        csqlite_bind_text(
          handle, index, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
      })
  }

  /// True: a row is there to be read.
  func step() throws(StoreError) -> Bool {
    let result = bindResult == SQLITE_OK ? sqlite3_step(handle) : bindResult
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = StoreError(result: result, database: sqlite3_db_handle(handle), operation)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs a statement that returns no rows, and makes it ready for the next time.
  func run() throws(StoreError) {
    while try step() {}
    reset()
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  func isInteger(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_INTEGER
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func number(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// Bytes of a text or a blob; 0 of NULL.
  func length(_ column: Int32) -> Int64 { Int64(sqlite3_column_bytes(handle, column)) }

  func blob(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  private func next() -> Int32 {
    bound += 1
    return bound
  }

  private func note(_ result: Int32) -> Statement {
    if bindResult == SQLITE_OK { bindResult = result }
    return self
  }
}
