/// The tables of the store, told apart by what a record of theirs looks like.
///
/// No two agree in the number of columns and the types of all of them, so a row says by itself
/// where it belongs, wherever its page has come to be.
struct RowShape {
  enum Column {
    /// The row's number: stored as NULL.
    case key
    case integer, text, blob, real
    case optionalInteger, optionalText, optionalBlob, optionalReal
    /// Came with a later schema: 0 where a row was written before.
    case laterInteger
    /// Came with a later schema: NULL where a row was written before.
    case laterOptionalInteger, laterOptionalText, laterOptionalBlob

    fileprivate var isLater: Bool {
      switch self {
      case .laterInteger, .laterOptionalInteger, .laterOptionalText, .laterOptionalBlob: true
      default: false
      }
    }

    fileprivate func takes(_ value: RecordValue) -> Bool {
      switch (self, value) {
      case (.key, .null), (.integer, .integer), (.text, .text), (.blob, .blob),
        (.laterInteger, .integer),
        // Whole numbers are stored as such.
        (.real, .real), (.real, .integer), (.optionalReal, .real), (.optionalReal, .integer),
        (.optionalReal, .null),
        (.optionalInteger, .integer), (.optionalInteger, .null),
        (.laterOptionalInteger, .integer), (.laterOptionalInteger, .null),
        (.optionalText, .text), (.optionalText, .null),
        (.laterOptionalText, .text), (.laterOptionalText, .null),
        (.optionalBlob, .blob), (.optionalBlob, .null),
        (.laterOptionalBlob, .blob), (.laterOptionalBlob, .null):
        true
      default: false
      }
    }
  }

  let table: Table
  let columns: [(name: String, column: Column)]

  enum Table: String, CaseIterable {
    case app, notification, occurrence, history, clock, fix, happening, owed, snoozed, inbox
    case entry, waitingAlert, version, pause, pauseRun, skip, days
  }

  /// A row of its columns' number, those that came later filled in; nil: it is of another table.
  func row(_ record: [RecordValue]) -> [RecordValue]? {
    guard record.count <= columns.count else { return nil }
    for (index, value) in record.enumerated() where !columns[index].column.takes(value) {
      return nil
    }
    var row = record
    for (_, column) in columns[record.count...] {
      guard column.isLater else { return nil }
      if case .laterInteger = column { row.append(.integer(0)) } else { row.append(.null) }
    }
    return row
  }

  init(_ table: Table) {
    self.table = table
    columns = Self.columns(of: table)
  }

  private static func columns(of table: Table) -> [(name: String, column: Column)] {
    switch table {
    case .app:
      [
        ("number", .key), ("name", .text), ("owner", .integer), ("badge", .integer),
        ("used", .laterOptionalInteger), ("registration", .laterOptionalBlob),
        ("criticalGroup", .laterOptionalInteger),
      ]
    case .notification:
      [
        ("slot", .key), ("app", .integer), ("generation", .integer), ("sequence", .integer),
        ("anchor", .integer), ("unit", .integer), ("firedThrough", .integer),
        ("uuidHigh", .integer), ("uuidLow", .integer), ("identifier", .text), ("content", .blob),
        ("relative", .laterOptionalBlob), ("mode", .laterInteger), ("zone", .laterOptionalText),
        ("plan", .laterOptionalText), ("tolerance", .laterInteger), ("wakes", .laterInteger),
        ("side", .laterOptionalInteger), ("digest", .laterOptionalInteger),
      ]
    case .occurrence:
      [
        ("key", .key), ("app", .integer), ("slot", .optionalInteger), ("uuidHigh", .integer),
        ("uuidLow", .integer), ("generation", .integer), ("k", .integer), ("due", .integer),
        ("missed", .integer), ("missedSince", .optionalInteger), ("sinks", .optionalText),
        ("settled", .text), ("identifier", .text), ("content", .blob), ("snooze", .laterInteger),
        ("forApp", .laterInteger),
      ]
    case .history:
      [
        ("id", .key), ("app", .integer), ("identifier", .text), ("uuidHigh", .integer),
        ("uuidLow", .integer), ("generation", .integer), ("k", .integer), ("sink", .text),
        ("due", .integer), ("handedOver", .optionalInteger), ("acknowledged", .optionalInteger),
        ("attempts", .integer), ("shown", .integer), ("state", .text), ("reason", .optionalText),
        ("content", .optionalBlob), ("clock", .laterOptionalText), ("missed", .laterInteger),
        ("missedSince", .laterOptionalInteger), ("snooze", .laterInteger),
        ("text", .laterOptionalText), ("digest", .laterOptionalInteger),
      ]
    case .happening:
      [
        ("number", .key), ("app", .integer), ("kind", .integer), ("action", .optionalText),
        ("text", .optionalText), ("attempt", .integer), ("since", .integer),
        ("delivered", .optionalInteger), ("occurrence", .text), ("due", .integer),
        ("missed", .integer), ("missedSince", .optionalInteger), ("identifier", .text),
        ("content", .blob),
      ]
    default: smallColumns(of: table)
    }
  }

  private static func smallColumns(of table: Table) -> [(name: String, column: Column)] {
    switch table {
    case .clock:
      [
        ("id", .key), ("boot", .integer), ("elapsed", .integer), ("real", .integer),
        ("history", .integer),
      ]
    case .fix:
      [
        ("id", .key), ("latitude", .real), ("longitude", .real), ("accuracy", .optionalReal),
        ("time", .integer),
      ]
    case .owed: [("occurrence", .text), ("sink", .text)]
    case .snoozed:
      [
        ("occurrence", .text), ("app", .integer), ("due", .integer), ("relative", .blob),
        ("identifier", .text), ("content", .blob),
      ]
    case .waitingAlert:
      [
        ("occurrence", .text), ("app", .integer), ("step", .integer), ("due", .integer),
        ("began", .integer), ("relative", .blob), ("identifier", .text), ("content", .blob),
      ]
    case .inbox:
      [
        ("number", .key), ("app", .integer), ("container", .text), ("name", .integer),
        ("last", .integer), ("evicted", .integer), ("entries", .integer), ("bytes", .integer),
      ]
    case .entry:
      [
        ("key", .key), ("inbox", .integer), ("idHigh", .integer), ("idLow", .integer),
        ("kind", .integer), ("received", .integer), ("pruned", .optionalText),
        ("payload", .optionalBlob),
      ]
    case .pause:
      [
        ("number", .key), ("app", .optionalInteger), ("slot", .optionalInteger),
        ("uuidHigh", .optionalInteger), ("uuidLow", .optionalInteger), ("start", .integer),
        ("until", .optionalInteger),
      ]
    case .pauseRun:
      [
        ("history", .key), ("pause", .integer), ("uuidHigh", .integer), ("uuidLow", .integer),
      ]
    case .skip:
      [
        ("slot", .key), ("app", .integer), ("uuidHigh", .integer), ("uuidLow", .integer),
        ("generation", .integer), ("runs", .text),
      ]
    case .days:
      [
        ("number", .key), ("app", .text), ("name", .text), ("path", .text), ("content", .blob),
      ]
    default: [("id", .key), ("number", .integer)]
    }
  }
}

/// A row with its table.
struct ShapedRow {
  var table: RowShape.Table
  var rowID: Int64
  var values: [RecordValue]

  private static let shapes = RowShape.Table.allCases.map { RowShape($0) }

  static func columns(of table: RowShape.Table) -> [String] {
    shapes.first { $0.table == table }?.columns.map { $0.name } ?? []
  }

  /// nil: it is of no table of the store.
  init?(_ cell: PageCell) {
    for shape in Self.shapes {
      guard let values = shape.row(cell.record) else { continue }
      table = shape.table
      rowID = cell.rowID
      self.values = values
      // Whole numbers for a place look like a clock's; but nobody's accuracy is a time of the clock.
      if table == .clock, let accuracy = values[3].integer, (0...100_000_000).contains(accuracy) {
        table = .fix
      }
      if case .null = cell.record[0] { self.values[0] = .integer(rowID) }
      return
    }
    return nil
  }
}
