import BelfryCore

/// How an occurrence is found in the store, and its sinks written in one column.
enum OccurrenceKey {
  /// 64 bits that stand for the id as a row number; the row's own columns confirm it.
  static func hash(_ id: OccurrenceID) -> Int64 {
    var mixed = id.uuid.high
    var words = [id.uuid.low, UInt64(bitPattern: id.generation), UInt64(bitPattern: id.k)]
    // Others keep the key that they have.
    if id.again != 0 { words.append(UInt64(bitPattern: id.again)) }
    for word in words {
      mixed = (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 32)) &+ word &* 0x9E37_79B9_7F4A_7C15
    }
    mixed = (mixed ^ (mixed >> 30)) &* 0x94D0_49BB_1331_11EB
    return Int64(bitPattern: mixed ^ (mixed >> 31))
  }

  /// Sink names, one a line: a name comes from a section's header, so it holds no line end.
  static func join(_ sinks: [String]) -> String { sinks.joined(separator: "\n") }

  static func split(_ text: String) -> [String] {
    text.isEmpty ? [] : text.split(separator: "\n").map { String($0) }
  }
}

extension OccurrenceID {
  /// What the column `snooze` has: how often it was snoozed, and above that 32 bits its step (E6).
  var again: Int64 { Int64(step) << 32 | Int64(snooze) }

  init(uuid: UUIDBits, generation: Int64, k: Int64, again: Int64) {
    self.init(
      uuid: uuid, generation: generation, k: k, snooze: Int32(truncatingIfNeeded: again),
      step: Int32(truncatingIfNeeded: again >> 32))
  }
}

extension Statement {
  /// Binds `Query.sameOccurrence`.
  @discardableResult
  func bind(_ id: OccurrenceID) -> Statement {
    bind(OccurrenceKey.hash(id)).bindParts(id)
  }

  /// Binds uuidHigh, uuidLow, generation, k, snooze.
  @discardableResult
  func bindParts(_ id: OccurrenceID) -> Statement {
    bind(Int64(bitPattern: id.uuid.high)).bind(Int64(bitPattern: id.uuid.low))
      .bind(id.generation).bind(id.k).bind(id.again)
  }

  /// Two columns from `first` on.
  func uuid(_ first: Int32) -> UUIDBits {
    UUIDBits(
      high: UInt64(bitPattern: integer(first)), low: UInt64(bitPattern: integer(first + 1)))
  }

  /// Five columns from `first` on.
  func occurrenceID(_ first: Int32) -> OccurrenceID {
    OccurrenceID(
      uuid: uuid(first), generation: integer(first + 2), k: integer(first + 3),
      again: integer(first + 4))
  }
}
