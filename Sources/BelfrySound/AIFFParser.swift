import BelfryCore

/// Reads the headers of AIFF and AIFC files.
///
/// Source: Apple's "Audio Interchange File Format 1.3" and the AIFF-C draft of 1991.
enum AIFFParser {
  static func layout(of source: SoundSource) throws(SoundError) -> SoundLayout {
    let form = try source.fields(at: 0, count: 12, bigEndian: true)
    let kind = form.tag(8)
    guard kind == "AIFF" || kind == "AIFC" else {
      throw SoundError(.notASound, "it is a FORM, but neither AIFF nor AIFC")
    }
    let compressed = kind == "AIFC"
    let reader = ChunkReader(source: source, bigEndian: true, wide: false)
    let formEnd = form.unsigned32(4) + 8 + (form.unsigned32(4) & 1)
    var description: SoundDescription?
    var data: (offset: Int64, length: Int64)?
    var valid: Int64?
    var places: Chunk?
    var offset: Int64? = 12
    for _ in 0..<ChunkReader.limit {
      guard let start = offset, let chunk = try reader.chunk(at: start) else { break }
      offset = reader.next(after: chunk)
      switch chunk.tag {
      case "COMM":
        let fields = try source.fields(
          at: chunk.body, count: compressed ? 22 : 18, bigEndian: true)
        description = try self.description(fields, compressed: compressed)
        valid = fields.unsigned32(2)
      case "CHAN": places = chunk
      case "SSND" where data == nil:
        let length = try reader.dataLength(of: chunk, formEnd: formEnd)
        data = try samples(of: chunk, length: length, source)
        if length != chunk.claimed { offset = nil }
      default: break
      }
    }
    guard var description else { throw SoundError(.damaged, "its COMM chunk is missing") }
    guard let data else { throw SoundError(.empty, "its SSND chunk is missing") }
    description.places = places.flatMap {
      ChannelLayoutChunk.places(in: $0, of: source, channels: description.channels)
    }
    if description.encoding == .appleIMA4, description.channels > 0,
      valid == data.length / Int64(34 * description.channels)
    {
      // Apple's own writers count packets here, not frames.
      valid = nil
    }
    return try SoundLayout(compressed ? .aifc : .aiff, description, data: data, valid: valid)
  }

  /// The samples after SSND's offset and block size; an offset beyond the chunk is a lie.
  private static func samples(
    of chunk: Chunk, length: Int64, _ source: SoundSource
  ) throws(SoundError) -> (offset: Int64, length: Int64) {
    guard length >= 8 else { throw SoundError(.empty, "its SSND chunk is empty") }
    let told = try source.fields(at: chunk.body, count: 8, bigEndian: true).unsigned32(0)
    let skipped = 8 + (told <= length - 8 ? told : 0)
    return (chunk.body + skipped, length - skipped)
  }

  private static func description(
    _ fields: HeaderFields, compressed: Bool
  ) throws(SoundError) -> SoundDescription {
    let bits = fields.unsigned16(6)
    let codec: FourCC = compressed ? fields.tag(18) : "NONE"
    return SoundDescription(
      encoding: try encoding(codec, bits: bits), channels: fields.unsigned16(0),
      rate: fields.extended80(8))
  }

  private static func encoding(_ codec: FourCC, bits: Int) throws(SoundError) -> SampleEncoding {
    switch codec {
    case "NONE", "twos", "sowt", "in24", "in32", "42ni", "23ni", "raw ": break
    case "fl32", "FL32": return .float(bytes: 4, bigEndian: true)
    case "fl64", "FL64": return .float(bytes: 8, bigEndian: true)
    case "ulaw", "ULAW": return .muLaw
    case "alaw", "ALAW": return .aLaw
    case "ima4": return .appleIMA4
    default: throw SoundError(.unsupported, "its codec `\(codec.text)` is not one that plays")
    }
    let told =
      codec == "in24" || codec == "42ni" ? 24 : codec == "in32" || codec == "23ni" ? 32 : bits
    guard (8...32).contains(told) else {
      throw SoundError(.unsupported, "its samples have " + counted(told, "bit") + "; 8 to 32 play")
    }
    let little = codec == "sowt" || codec == "42ni" || codec == "23ni"
    return .integer(
      bytes: (told + 7) / 8, bits: told, bigEndian: !little, unsigned: codec == "raw " && told == 8)
  }
}
