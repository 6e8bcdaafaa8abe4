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
  /// Its claim is believed if it ends at the end of the file, or if well-formed chunks lead from
  /// there to the end of the file or of the form. Otherwise the samples reach to the end of the
  /// file.
  func dataLength(of chunk: Chunk, formEnd: Int64?) throws(SoundError) -> Int64 {
    let available = source.size - chunk.body
    guard let claimed = chunk.claimed, let next = next(after: chunk) else { return available }
    return try leadsToEnd(from: next, formEnd: formEnd) ? claimed : available
  }

  private func leadsToEnd(from start: Int64, formEnd: Int64?) throws(SoundError) -> Bool {
    var offset = start
    for _ in 0..<Self.limit {
      if offset == formEnd || offset + Int64(headerSize) > source.size { return true }
      guard let chunk = try chunk(at: offset), chunk.tag.isPrintable,
        let next = next(after: chunk)
      else { return false }
      offset = next
    }
    return false
  }
}
