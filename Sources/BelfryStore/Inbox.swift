import BelfryCore

/// A row of `inbox`.
struct Inbox {
  /// From 1; the upper 24 bits of its entries' keys.
  var number: Int64
  var name: UInt64
  /// The newest position, and the newest that the limit sent away.
  var last: Int64
  var evicted: Int64
  var entries: Int64
  var bytes: Int64

  static let positionBits: Int64 = 40
  static let maxNumber: Int64 = (1 << 23) - 1
  static let maxPosition: Int64 = (1 << positionBits) - 1

  func key(_ position: Int64) -> Int64 { number << Self.positionBits | position }

  static func position(of key: Int64) -> Int64 { key & maxPosition }

  func token(_ position: Int64) -> InboxToken { InboxToken(name: name, position: position) }
}

extension Inbox {
  /// From the columns of `InboxQuery.findInbox`.
  init(_ row: Statement) {
    number = row.integer(0)
    name = UInt64(bitPattern: row.integer(1))
    last = row.integer(2)
    evicted = row.integer(3)
    entries = row.integer(4)
    bytes = row.integer(5)
  }
}

extension InboxEntry {
  /// From the columns of `InboxQuery.entriesAfter`.
  init(_ row: Statement) {
    let pruned = row.optionalText(5) ?? ""
    self.init(
      id: row.uuid(1), position: Inbox.position(of: row.integer(0)), kind: row.integer(3),
      payload: row.optionalText(6), received: Instant(nanoseconds: row.integer(4)),
      pruned: pruned.isEmpty ? [] : pruned.split(separator: "\n").map { String($0) })
  }
}
