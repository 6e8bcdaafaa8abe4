/// An ID3v2 tag that a music player has put before a file of a kind that does not begin with one.
///
/// Source: id3.org's "ID3 tag version 2.4.0", section 3.1.
enum LeadingTag {
  private static let headerBytes = 10
  /// So many are looked at, should there be several.
  private static let most = 8
  /// The kinds of file before which it stands; before MP3 it is libsndfile's to read.
  private static let kinds: [FourCC] = [
    "RIFF", "RIFX", "RF64", "BW64", "FORM", "caff", "fLaC", "OggS",
  ]

  /// Bytes before the sound in a file of `size` bytes. `read` copies what stands at an offset inside,
  /// and says how much that is.
  static func length(
    _ size: Int64, _ read: (Int64, UnsafeMutableRawBufferPointer) -> Int
  ) -> Int64 {
    var start: Int64 = 0
    for _ in 0..<most {
      guard start + Int64(headerBytes) <= size else { return 0 }
      var header = [UInt8](repeating: 0, count: headerBytes)
      guard header.withUnsafeMutableBytes({ read(start, $0) }) == headerBytes else { return 0 }
      let name = HeaderFields(bytes: header, bigEndian: true).tag(0)
      guard name.value >> 8 == ChunkReader.id3v2 else { return kinds.contains(name) ? start : 0 }
      // Seven bits of each byte count.
      let digits = header[6...]
      guard digits.allSatisfy({ $0 < 0x80 }) else { return 0 }
      start += Int64(headerBytes) + digits.reduce(0) { $0 << 7 | Int64($1) }
      // A footer repeats the header.
      if header[5] & 0x10 != 0 { start += Int64(headerBytes) }
    }
    return 0
  }
}
