/// What a `.strings` file says: texts by key (L1).
///
/// Immutable; any thread. All texts lie in one piece of memory, found by binary search: 4 bytes a
/// pair beside what is written, and no order of keys that takes longer than another.
public struct StringsTable: Hashable, Sendable {
  /// Each pair: the key's length, the key, the value's length, the value.
  private let pool: [UInt8]
  /// Where the pairs begin, in order of their keys' bytes.
  private let places: [UInt32]

  /// The largest file that is read, in bytes.
  public static let largest = 4 << 20
  /// The most pairs.
  public static let maxPairs = 100_000

  /// Reads a file: UTF-8 or UTF-16, with or without a byte order mark. Pairs are `"key" = "value";`
  /// (or `key;`, where the value is the key), comments `//` and `/* */`; letters, digits and
  /// `_$/:.-` need no quotes. Of a key that comes twice the last value counts.
  ///
  /// Throws with line and column; takes time in proportion to the bytes and the logarithm of the
  /// pairs. Escapes are those of C and `\U` or `\u` with four hexadecimal digits, pairs of
  /// surrogates joined; a backslash before any other character stands for that character.
  @export(interface)
  public init(_ bytes: [UInt8]) throws(StringsError) {
    guard bytes.count <= Self.largest else {
      throw StringsError("it has \(bytes.count) bytes, at most \(Self.largest) are read")
    }
    var parser = StringsParser(try StringsDecoding.utf8(bytes))
    try parser.parse()
    pool = parser.pool
    places = Self.sorted(parser.places, in: parser.pool)
  }

  public var count: Int { places.count }

  /// Bytes of memory that it takes.
  public var size: Int { pool.count + 4 * places.count }

  /// The text for a key, compared byte by byte; nil: there is none.
  public subscript(key: String) -> String? {
    var key = key
    return key.withUTF8 { key in
      pool.withUnsafeBufferPointer { pool in
        guard let pair = find(key, pool) else { return nil }
        return String(decoding: Self.text(pool, at: pair).after(pool), as: UTF8.self)
      }
    }
  }

  private func find(
    _ key: UnsafeBufferPointer<UInt8>, _ pool: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = low + (high - low) / 2
      let text = Self.text(pool, at: Int(places[middle]))
      let order = Self.order(pool.piece(text.start, text.count), key)
      if order == 0 { return Int(places[middle]) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Pairs by key, of equal keys the last.
  private static func sorted(_ places: [UInt32], in pool: [UInt8]) -> [UInt32] {
    pool.withUnsafeBufferPointer { pool in
      func order(_ one: UInt32, _ other: UInt32) -> Int {
        let (one, other) = (text(pool, at: Int(one)), text(pool, at: Int(other)))
        return self.order(pool.piece(one.start, one.count), pool.piece(other.start, other.count))
      }
      let all = places.sorted { one, other in
        let order = order(one, other)
        return order == 0 ? one < other : order < 0
      }
      var kept: [UInt32] = []
      kept.reserveCapacity(all.count)
      for place in all {
        if let last = kept.last, order(last, place) == 0 { kept.removeLast() }
        kept.append(place)
      }
      return kept
    }
  }

  /// Below, at or above 0.
  private static func order(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Int {
    for index in 0..<min(one.count, other.count) where one[index] != other[index] {
      return Int(one[index]) - Int(other[index])
    }
    return one.count - other.count
  }

  private static func text(_ pool: UnsafeBufferPointer<UInt8>, at place: Int) -> Piece {
    var (index, count, shift) = (place, 0, 0)
    while true {
      let byte = pool[index]
      count |= Int(byte & 0x7F) << shift
      index += 1
      shift += 7
      if byte < 0x80 { return Piece(start: index, count: count) }
    }
  }

  private struct Piece {
    var start: Int
    var count: Int

    /// The text that follows this one.
    func after(_ pool: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
      let next = StringsTable.text(pool, at: start + count)
      return pool.piece(next.start, next.count)
    }
  }
}

extension UnsafeBufferPointer {
  fileprivate func piece(_ start: Int, _ count: Int) -> UnsafeBufferPointer {
    UnsafeBufferPointer(rebasing: self[start..<start + count])
  }
}
