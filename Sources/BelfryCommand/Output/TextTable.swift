/// Rows under headings, lined up by display width and folded into the terminal.
struct TextTable: Sendable {
  struct Column: Sendable {
    var title: String
    /// Numbers stand to the right.
    var right = false
    /// Gives way first when the terminal is narrow.
    var shrinks = false
    /// Of those that shrink the last: what people type.
    var keeps = false
    /// Left out where there is no room, if all rows have the same.
    var drops = false
    /// Left out where there is no room.
    var isSpare = false
    /// What decides: a cell that has no room stands whole below its row, folded. One that shrinks keeps
    /// its beginning in the row.
    var wraps = false
    /// Its cells begin with a word for a state, which may have a colour.
    var isState = false
  }

  var columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func add(_ row: [String]) {
    rows.append(row.map { DisplayWidth.safe($0) })
  }

  /// Lines without trailing spaces; `width` nil: as wide as it takes.
  func lines(width: Int?, paint: Paint = .off) -> [String] {
    guard let width else { return lines(widths, nil, paint) }
    var table = self
    var widths = table.widths
    while !table.fit(&widths, into: width, to: 16) {
      guard let index = table.dispensable else {
        guard [8, 6].contains(where: { table.fit(&widths, into: width, to: $0) }) else {
          return records(width, paint)
        }
        break
      }
      table = table.without(index)
      widths = table.widths
    }
    return table.lines(widths, width, paint)
  }

  private var widths: [Int] {
    var widths = columns.map { DisplayWidth.of($0.title) }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], DisplayWidth.of(cell))
      }
    }
    return widths
  }

  private func lines(_ widths: [Int], _ width: Int?, _ paint: Paint) -> [String] {
    [paint.paint(line(columns.map { $0.title }, widths, .off), .bold)]
      + rows.flatMap { lines(of: $0, widths, width, paint) }
  }

  /// The last column that can be left out.
  private var dispensable: Int? {
    columns.indices.last { index in
      columns[index].isSpare
        || columns[index].drops
          && rows.allSatisfy { $0[index].utf8.elementsEqual(rows[0][index].utf8) }
    }
  }

  private func without(_ index: Int) -> TextTable {
    var table = self
    table.columns.remove(at: index)
    for row in table.rows.indices { table.rows[row].remove(at: index) }
    return table
  }

  private func lines(
    of row: [String], _ widths: [Int], _ width: Int?, _ paint: Paint
  ) -> [String] {
    var (cells, below) = (row, [String]())
    for index in columns.indices where columns[index].wraps {
      guard let width, DisplayWidth.of(row[index]) > widths[index] else { continue }
      below += TextWrapper.lines(row[index], width: width - 4, breaks: true).map { "    " + $0 }
      if !columns[index].shrinks { cells[index] = "" }
    }
    return [line(cells, widths, paint)] + below
  }

  /// Narrows the widest of the columns that shrink, to no less than 16, then what stands below where it
  /// has no room, its short cells last, then those that shrink again, to no less than `least`, those that
  /// are whole below last, those that keep not at all. Whether they fit.
  private func fit(_ widths: inout [Int], into width: Int, to least: Int) -> Bool {
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    shrink(&widths, to: 16, &excess) { $0.shrinks && (!$0.wraps || $0.keeps) }
    let hasBelow = columns.contains { $0.wraps && !$0.shrinks }
    for keepsShort in hasBelow ? [true, false] : [] {
      for (index, column) in columns.enumerated()
      where column.wraps && !column.shrinks && excess > 0 {
        let title = DisplayWidth.of(column.title)
        let short = keepsShort ? rows.map { DisplayWidth.of($0[index]) }.filter { $0 <= 12 } : []
        let spare = min(excess, max(0, widths[index] - max(title, short.max() ?? 0)))
        widths[index] -= spare
        excess -= spare
      }
      if keepsShort { shrink(&widths, to: 12, &excess) { $0.shrinks && !$0.wraps && !$0.keeps } }
    }
    if least < 16 {
      shrink(&widths, to: least, &excess) { $0.shrinks && !$0.wraps && !$0.keeps }
      shrink(&widths, to: max(8, least), &excess) { $0.shrinks && !$0.keeps }
    }
    return excess <= 0
  }

  /// The widest first.
  private func shrink(
    _ widths: inout [Int], to least: Int, _ excess: inout Int, _ isMeant: (Column) -> Bool
  ) {
    while excess > 0 {
      var widest: Int?
      for index in columns.indices where isMeant(columns[index]) && widths[index] > least {
        if widest == nil || widths[index] > widths[widest ?? 0] { widest = index }
      }
      guard let widest else { return }
      widths[widest] -= 1
      excess -= 1
    }
  }

  /// For a terminal that has no room for the columns: each row a paragraph, each cell a line.
  private func records(_ width: Int, _ paint: Paint) -> [String] {
    var left = 0
    for column in columns { left = max(left, DisplayWidth.of(column.title)) }
    // A long title, or a short line, leaves too little beside it.
    let isStacked = 2 * left > width || width - left < 10
    var lines: [String] = []
    for row in rows {
      if !lines.isEmpty { lines.append("") }
      if isStacked {
        for (column, cell) in zip(columns, row) where !cell.isEmpty {
          lines.append(DisplayWidth.cut(column.title, to: width))
          lines += TextWrapper.lines(cell, width: max(1, width - 2), breaks: true).map {
            "  " + paint.paint($0, style(cell, column))
          }
        }
        continue
      }
      for (column, cell) in zip(columns, row) where !cell.isEmpty {
        let head = DisplayWidth.padded(column.title, to: left, right: false) + "  "
        let space = DisplayWidth.padded("", to: left + 2, right: false)
        let folded = TextWrapper.lines(cell, width: width - left - 2, breaks: true)
        lines += folded.enumerated().map {
          ($0.offset == 0 ? head : space) + paint.paint($0.element, style(cell, column))
        }
      }
    }
    return lines
  }

  private func style(_ cell: String, _ column: Column) -> Paint.Style? {
    column.isState ? Paint.style(of: cell) : nil
  }

  private func line(_ cells: [String], _ widths: [Int], _ paint: Paint) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let fitted = DisplayWidth.cut(cell, to: widths[index])
      // What a terminal does not show takes no room.
      let space = DisplayWidth.padded("", to: widths[index] - DisplayWidth.of(fitted), right: false)
      let shown = paint.paint(fitted, style(cell, columns[index]))
      line += columns[index].right ? space + shown : shown + space
      if index + 1 < cells.count { line += "  " }
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}
