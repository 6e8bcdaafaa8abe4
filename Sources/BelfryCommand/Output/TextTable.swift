/// Rows under headings, lined up by display width and folded into the terminal.
struct TextTable: Sendable {
  struct Column: Sendable {
    var title: String
    /// Numbers stand to the right.
    var right = false
    /// Gives way first when the terminal is narrow.
    var shrinks = false
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
  func lines(width: Int?) -> [String] {
    var widths = columns.map { DisplayWidth.of($0.title) }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], DisplayWidth.of(cell))
      }
    }
    if let width, !fit(&widths, into: width) { return records(width) }
    let head = columns.map { $0.title }
    return ([head] + rows).map { line($0, widths) }
  }

  /// Narrows the columns that shrink, the widest first, to no less than 8, or to 4 where that is too
  /// wide yet; whether they fit.
  private func fit(_ widths: inout [Int], into width: Int) -> Bool {
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
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
  private func records(_ width: Int) -> [String] {
    var left = 0
    for column in columns { left = max(left, DisplayWidth.of(column.title)) }
    var lines: [String] = []
    for row in rows {
      if !lines.isEmpty { lines.append("") }
      for (column, cell) in zip(columns, row) where !cell.isEmpty {
        let line = DisplayWidth.padded(column.title, to: left, right: false) + "  " + cell
        lines.append(DisplayWidth.cut(line, to: width))
      }
    }
    return lines
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let fitted = DisplayWidth.cut(cell, to: widths[index])
      line += DisplayWidth.padded(fitted, to: widths[index], right: columns[index].right)
      if index + 1 < cells.count { line += "  " }
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}
