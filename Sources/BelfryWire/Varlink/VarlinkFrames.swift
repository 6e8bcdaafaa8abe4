/// Cuts a stream of bytes into Varlink messages: JSON texts that end with NUL.
///
/// A message over the limit keeps its beginning, so that the reply can name the field it passed the
/// limit in; the rest is dropped as it comes, and the connection goes on.
public struct VarlinkFrames: Sendable {
  public enum Frame: Hashable, Sendable {
    case message([UInt8])
    /// The first `limit` bytes of a longer one.
    case oversized([UInt8])

    public var bytes: [UInt8] {
      switch self {
      case .message(let bytes), .oversized(let bytes): bytes
      }
    }

    public var count: Int { bytes.count }
  }

  /// The most bytes of a message, its NUL not counted.
  public let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// Up to here there is no NUL.
  private var scanned = 0
  private var isDropping = false

  public init(limit: Int = 1 << 20) {
    self.limit = limit
  }

  /// Bytes taken in and not yet given out.
  public var buffered: Int { buffer.count - start }

  /// Whether a message has begun that has not ended.
  public var isInsideMessage: Bool { buffered > 0 || isDropping }

  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if start > 0, start == buffer.count || start > 1 << 16 {
      buffer.removeSubrange(..<start)
      scanned -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// The next whole message; nil until more bytes have come.
  public mutating func next() -> Frame? {
    guard let end = findEnd() else {
      if buffered > limit { dropTail() }
      return nil
    }
    let frame = Array(buffer[start..<min(end, start + limit)])
    let oversized = isDropping || end - start > limit
    isDropping = false
    start = end + 1
    scanned = start
    if start == buffer.count { reset() }
    return oversized ? .oversized(frame) : .message(frame)
  }

  private mutating func findEnd() -> Int? {
    let found = buffer.withUnsafeBufferPointer { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      var index = scanned
      // Eight bytes at a time while none of them is zero.
      while bytes.count - index >= 8 {
        let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
        if zeros != 0 { break }
        index += 8
      }
      while index < bytes.count, bytes[index] != 0 { index += 1 }
      return index
    }
    scanned = found
    return found < buffer.count ? found : nil
  }

  private mutating func dropTail() {
    isDropping = true
    buffer.removeSubrange((start + limit)...)
    scanned = buffer.count
  }

  /// Gives up room that nothing stands in.
  public mutating func shrink() {
    guard start == buffer.count else { return }
    (buffer, start, scanned) = ([], 0, 0)
  }

  /// A large message's room is given back.
  private mutating func reset() {
    buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
    start = 0
    scanned = 0
  }
}
