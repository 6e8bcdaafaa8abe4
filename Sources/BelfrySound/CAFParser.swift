import BelfryCore

/// Reads the headers of Core Audio Format files.
///
/// Source: Apple's "Core Audio Format Specification 1.0".
enum CAFParser {
  static func layout(of source: SoundSource) throws(SoundError) -> SoundLayout {
    let reader = ChunkReader(source: source, bigEndian: true, wide: true)
    var description: SoundDescription?
    var data: (offset: Int64, length: Int64)?
    var valid: Int64?
    var skipped: Int64 = 0
    var places: Chunk?
    var offset: Int64? = 8
    for _ in 0..<ChunkReader.limit {
      guard let start = offset, let chunk = try reader.chunk(at: start) else { break }
      offset = reader.next(after: chunk)
      switch chunk.tag {
      case "desc":
        description = try self.description(
          try source.fields(at: chunk.body, count: 32, bigEndian: true))
      case "pakt":
        // Number of packets, valid frames, priming frames, remainder frames.
        let fields = try? source.fields(at: chunk.body, count: 24, bigEndian: true)
        valid = fields?.signed64(8)
        skipped = fields?.unsigned32(16) ?? 0
      case "chan": places = chunk
      case "data" where data == nil:
        var length = try reader.dataLength(of: chunk, formEnd: nil)
        if length != chunk.claimed { offset = nil }
        // An edit count stands before the samples.
        length -= 4
        data = (chunk.body + 4, max(0, length))
      default: break
      }
    }
    guard var description else { throw SoundError(.damaged, "its `desc` chunk is missing") }
    guard let data else { throw SoundError(.empty, "its `data` chunk is missing") }
    description.places = places.flatMap {
      ChannelLayoutChunk.places(in: $0, of: source, channels: description.channels)
    }
    let packets = description.encoding.packetFrames > 1
    return try SoundLayout(
      .caf, description, data: data, valid: valid, skipped: packets ? skipped : 0)
  }

  private static func description(_ fields: HeaderFields) throws(SoundError) -> SoundDescription {
    let rate = fields.float64(0)
    // Not a number fails this too.
    guard rate >= 0, rate < 1e9 else { throw SoundError(.unsupported, "its rate is no number") }
    let channels = Int(clamping: fields.unsigned32(24))
    return SoundDescription(
      encoding: try encoding(fields, channels: channels), channels: channels,
      rate: Int(rate + 0.5))
  }

  private static func encoding(
    _ fields: HeaderFields, channels: Int
  ) throws(SoundError) -> SampleEncoding {
    let codec = fields.tag(8)
    switch codec {
    case "lpcm": break
    case "ulaw": return .muLaw
    case "alaw": return .aLaw
    case "ima4": return .appleIMA4
    default: throw SoundError(.unsupported, "its codec `\(codec.text)` is not one that plays")
    }
    let flags = fields.unsigned32(12)
    let packetBytes = Int(clamping: fields.unsigned32(16))
    let bits = Int(clamping: fields.unsigned32(28))
    let bigEndian = flags & 2 == 0
    if flags & 1 != 0 {
      guard bits == 32 || bits == 64 else {
        throw SoundError(
          .unsupported, "its floating samples have " + counted(bits, "bit") + "; 32 and 64 play")
      }
      return .float(bytes: bits / 8, bigEndian: bigEndian)
    }
    guard (8...32).contains(bits) else {
      throw SoundError(.unsupported, "its samples have " + counted(bits, "bit") + "; 8 to 32 play")
    }
    let least = (bits + 7) / 8
    let told = channels > 0 && packetBytes % channels == 0 ? packetBytes / channels : least
    let bytes = (least...4).contains(told) ? told : least
    return .integer(bytes: bytes, bits: bits, bigEndian: bigEndian, unsigned: false)
  }
}
