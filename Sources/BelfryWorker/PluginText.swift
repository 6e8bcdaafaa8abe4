import CPlugin

extension belfry_text {
  /// The bytes as the plugin gave them, at most `limit`; empty for NULL.
  func bytes(limit: Int) -> [UInt8] {
    guard let bytes else { return [] }
    let count = min(Int(size), limit)
    return bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
      Array(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// One line of text: malformed UTF-8 becomes U+FFFD, a control character a space, and what is
  /// over `limit` bytes goes.
  func line(limit: Int = 1000) -> String {
    var cut = bytes(limit: limit)
    if cut.count == limit {
      // Not in the middle of a character.
      while let last = cut.last, last & 0xC0 == 0x80 { cut.removeLast() }
      if let last = cut.last, last >= 0xC0 { cut.removeLast() }
    }
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: cut, as: UTF8.self).unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      result.append(isControl ? " " : scalar)
    }
    return String(result)
  }
}

/// Text in memory that stays where it is until the process ends, for C to point at.
struct PermanentText {
  let text: belfry_text

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for index in bytes.indices { copy[index] = CChar(bitPattern: bytes[index]) }
    copy[bytes.count] = 0
    text = belfry_text(bytes: copy, size: UInt32(bytes.count))
  }

  init(_ string: String) {
    self.init(Array(string.utf8))
  }
}
