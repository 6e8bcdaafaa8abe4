/// Rows under headings, lined up by display width and folded into the terminal.
struct TextTable: Sendable {
  struct Column: Sendable {
    var title: String
    /// Numbers stand to the right.
    var right = false
    /// Gives way first when the terminal is narrow.
    var shrinks = false
    /// What decides: a cell that has no room stands whole below its row, folded.
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
    var widths = columns.map { DisplayWidth.of($0.title) }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], DisplayWidth.of(cell))
      }
    }
    if let width, !fit(&widths, into: width) { return records(width, paint) }
    let head = columns.map { $0.title }
    return [paint.paint(line(head, widths, .off), .bold)]
      + rows.flatMap { lines(of: $0, widths, width, paint) }
  }

  private func lines(
    of row: [String], _ widths: [Int], _ width: Int?, _ paint: Paint
  ) -> [String] {
    var (cells, below) = (row, [String]())
    for index in columns.indices where columns[index].wraps {
      guard let width, DisplayWidth.of(row[index]) > widths[index] else { continue }
      below += TextWrapper.lines(row[index], width: width - 4).map { "    " + $0 }
      cells[index] = ""
    }
    return [line(cells, widths, paint)] + below
  }

  /// Narrows what stands below where it has no room, then the columns that shrink, the widest first,
  /// to no less than 8, or to 4 where that is too wide yet; whether they fit.
  private func fit(_ widths: inout [Int], into width: Int) -> Bool {
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    for (index, column) in columns.enumerated() where column.wraps && excess > 0 {
      let spare = min(excess, widths[index] - DisplayWidth.of(column.title))
      widths[index] -= spare
      excess -= spare
    }
    for least in [8, 4] {
      while excess > 0 {
        var widest: Int?
        for index in columns.indices where columns[index].shrinks && widths[index] > least {
          if widest == nil || widths[index] > widths[widest ?? 0] { widest = index }
        }
        guard let widest else { break }
        widths[widest] -= 1
        excess -= 1
      }
    }
    return excess <= 0
  }

  /// For a terminal that has no room for the columns: each row a paragraph, each cell a line.
  private func records(_ width: Int, _ paint: Paint) -> [String] {
    var left = 0
    for column in columns { left = max(left, DisplayWidth.of(column.title)) }
    // A title of more than half the line leaves too little beside it.
    let isStacked = 2 * left > width
    var lines: [String] = []
    for row in rows {
      if !lines.isEmpty { lines.append("") }
      if isStacked {
        for (column, cell) in zip(columns, row) where !cell.isEmpty {
          lines.append(DisplayWidth.cut(column.title, to: width))
          lines += TextWrapper.lines(cell, width: max(1, width - 2)).map {
            "  " + paint.paint($0, style(cell, column))
          }
        }
        continue
      }
      for (column, cell) in zip(columns, row) where !cell.isEmpty {
        let head = DisplayWidth.padded(column.title, to: left, right: false) + "  "
        if column.wraps {
          let folded = TextWrapper.lines(cell, width: max(8, width - left - 2))
          let space = DisplayWidth.padded("", to: left + 2, right: false)
          lines += folded.enumerated().map { ($0.offset == 0 ? head : space) + $0.element }
          continue
        }
        let line = DisplayWidth.cut(head + cell, to: width)
        guard let style = style(cell, column), line.hasPrefix(head) else {
          lines.append(line)
          continue
        }
        lines.append(head + paint.paint(String(line.dropFirst(head.count)), style))
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
