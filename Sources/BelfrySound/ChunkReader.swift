import BelfryCore

/// One chunk of a file: its name, where its content starts, and how long it claims to be.
struct Chunk {
  var tag: FourCC
  var body: Int64
  /// As written; nil: the writer did not know (0xFFFFFFFF, or -1 in CAF).
  var claimed: Int64?
}

/// Walks the chunks of RIFF, FORM (32-bit sizes, padded to even) and CAF (64-bit sizes).
struct ChunkReader {
  /// More chunks than this are not looked at, so that a hostile file costs little.
  static let limit = 1024

  let source: SoundSource
  let bigEndian: Bool
  let wide: Bool

  private var headerSize: Int { wide ? 12 : 8 }

  /// The chunk at `offset`; nil where no whole header is left.
  func chunk(at offset: Int64) throws(SoundError) -> Chunk? {
    guard offset >= 0, offset <= source.size - Int64(headerSize) else { return nil }
    let header = try source.fields(at: offset, count: headerSize, bigEndian: bigEndian)
    let size = wide ? header.signed64(4) : header.unsigned32(4)
    let unknown = wide ? size < 0 : size == 0xFFFF_FFFF
    return Chunk(
      tag: header.tag(0), body: offset + Int64(headerSize), claimed: unknown ? nil : size)
  }

  /// Where the next chunk starts; nil: the claim leads beyond the file.
  func next(after chunk: Chunk) -> Int64? {
    guard let claimed = chunk.claimed, claimed <= source.size - chunk.body else { return nil }
    return chunk.body + claimed + (wide ? 0 : claimed & 1)
  }

  /// How many bytes of samples the chunk really holds.
  ///
  /// Its claim is believed if it is plausible: it takes half of what is there or more, or what stands
  /// behind it is no sound, but chunks, a tag or a filling to the end of the file or of the form.
  /// Otherwise its writer did not know, and the samples reach to the end of the file.
  func dataLength(of chunk: Chunk, formEnd: Int64?) throws(SoundError) -> Int64 {
    let available = source.size - chunk.body
    guard let claimed = chunk.claimed, claimed <= available else { return available }
    if claimed >= available - claimed { return claimed }
    // Some writers forget the byte that makes it even.
    for end in [chunk.body + claimed, next(after: chunk) ?? source.size]
    where try leadsToEnd(from: end, formEnd: formEnd, afterSound: claimed > 0) {
      return claimed
    }
    return available
  }

  private func leadsToEnd(
    from start: Int64, formEnd: Int64?, afterSound: Bool
  ) throws(SoundError) -> Bool {
    var offset = start
    for _ in 0..<Self.limit {
      if offset == formEnd || offset + Int64(headerSize) > source.size { return true }
      if afterSound, try isTag(at: offset) { return true }
      guard let chunk = try chunk(at: offset), chunk.tag.isPrintable,
        let next = next(after: chunk)
      else { return afterSound ? try isFilling(from: offset) : false }
      offset = next
    }
    return false
  }

  /// Whether a music player's tag begins there: ID3v1 or v2, APEv2, Lyrics3.
  private func isTag(at offset: Int64) throws(SoundError) -> Bool {
    let name = try source.fields(at: offset, count: 8, bigEndian: true)
    let first = name.tag(0)
    return first.value >> 8 == Self.id3v1 || first.value >> 8 == Self.id3v2 || first == "LYRI"
      || first == "APET" && name.tag(4) == "AGEX"
  }

  private static let id3v1: UInt32 = 0x54_4147
  static let id3v2: UInt32 = 0x49_4433

  /// Whether nothing but zeros or ones stands there up to the end of the file: the rest of a block.
  private func isFilling(from offset: Int64) throws(SoundError) -> Bool {
    let count = source.size - offset
    guard count <= Self.longestFilling else { return false }
    let bytes = try source.fields(at: offset, count: Int(count), bigEndian: true).bytes
    return (bytes[0] == 0 || bytes[0] == 0xFF) && bytes.allSatisfy { $0 == bytes[0] }
  }

  private static let longestFilling: Int64 = 65_536
}
