/// Help for those who mistype a name.
public enum NameSuggestion {
  /// The candidate nearest to `word`, if it is near enough to be what was meant: at most a third of
  /// its letters inserted, left out, replaced or swapped with a neighbour; capitals do not count.
  /// `oneIn`: at most one of so many letters.
  public static func nearest(
    to word: String, among candidates: [String], oneIn letterCount: Int = 3
  ) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let typed = folded(word)
    var best: (candidate: String, edits: Int)?
    for candidate in candidates {
      let letters = folded(candidate)
      let allowed = max(1, max(typed.count, letters.count) / letterCount)
      guard abs(letters.count - typed.count) <= allowed else { continue }
      let edits = edits(from: typed, to: letters)
      if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    return best?.candidate
  }

  private static func folded(_ word: String) -> [UInt8] {
    word.utf8.map { byte in
      byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
  }

  private static func edits(from source: [UInt8], to target: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...target.count)
    for (row, from) in source.enumerated() {
      var current = [row + 1]
      for (column, to) in target.enumerated() {
        var fewest = min(current[column], last[column + 1]) + 1
        fewest = min(fewest, last[column] + (from == to ? 0 : 1))
        if row > 0, column > 0, from == target[column - 1], source[row - 1] == to {
          fewest = min(fewest, beforeLast[column - 1] + 1)
        }
        current.append(fewest)
      }
      (beforeLast, last) = (last, current)
    }
    return last[target.count]
  }
}
