import BelfryCore

/// Reads the headers of RIFF/WAVE files, big-endian ones (RIFX) and long ones (RF64, BW64) included.
///
/// Source: Microsoft's "Multimedia Programming Interface and Data Specifications 1.0" and
/// `WAVEFORMATEXTENSIBLE`; EBU Tech 3306 (RF64) and ITU-R BS.2088 (BW64).
enum WAVParser {
  static func layout(of source: SoundSource) throws(SoundError) -> SoundLayout {
    let name = try source.fields(at: 0, count: 4, bigEndian: true).tag(0)
    let reader = ChunkReader(source: source, bigEndian: name == "RIFX", wide: false)
    let form = try source.fields(at: 0, count: 12, bigEndian: reader.bigEndian)
    guard form.tag(8) == "WAVE" else { throw SoundError(.notASound, "it is RIFF, but not WAVE") }
    let claimed = form.unsigned32(4)
    let formEnd = claimed == 0xFFFF_FFFF ? nil : claimed + 8 + (claimed & 1)
    var description: SoundDescription?
    var data: (offset: Int64, length: Int64)?
    var valid: Int64?
    var longSize: Int64?
    var offset: Int64? = 12
    for _ in 0..<ChunkReader.limit {
      guard let start = offset, var chunk = try reader.chunk(at: start) else { break }
      if chunk.tag == "data", chunk.claimed == nil { chunk.claimed = longSize }
      offset = reader.next(after: chunk)
      switch chunk.tag {
      case "ds64":
        let size = try? source.fields(at: chunk.body, count: 16, bigEndian: false).signed64(8)
        longSize = size.flatMap { $0 > 0 ? $0 : nil }
      case "fmt ": description = try self.description(chunk, reader)
      case "fact":
        valid = try? source.fields(at: chunk.body, count: 4, bigEndian: reader.bigEndian)
          .unsigned32(0)
      case "data" where data == nil:
        let length = try reader.dataLength(of: chunk, formEnd: formEnd)
        data = (chunk.body, length)
        if length != chunk.claimed { offset = nil }
      default: break
      }
    }
    guard let description else { throw SoundError(.damaged, "its `fmt ` chunk is missing") }
    guard let data else { throw SoundError(.empty, "its `data` chunk is missing") }
    return try SoundLayout(.wav, description, data: data, valid: valid)
  }

  private static func description(
    _ chunk: Chunk, _ reader: ChunkReader
  ) throws(SoundError) -> SoundDescription {
    let fields = try reader.source.fields(at: chunk.body, count: 16, bigEndian: reader.bigEndian)
    var format = fields.unsigned16(0)
    let channels = fields.unsigned16(2)
    var places: [ChannelPlace]?
    if format == 0xFFFE {
      // The first two bytes of the sub-format's GUID are the format's old number.
      let more = try reader.source.fields(
        at: chunk.body + 20, count: 6, bigEndian: reader.bigEndian)
      format = more.unsigned16(4)
      if SoundLayout.channelLimits.contains(channels) {
        places = ChannelPlace.masked(more.unsigned32(0), channels)
      }
    }
    let blockBytes = fields.unsigned16(12)
    let bits = fields.unsigned16(14)
    let rate = Int(clamping: fields.unsigned32(4))
    let encoding = try encoding(
      format: format, bits: bits, channels: channels, blockBytes: blockBytes,
      bigEndian: reader.bigEndian)
    return SoundDescription(
      encoding: encoding, channels: channels, rate: rate, places: places)
  }

  private static func encoding(
    format: Int, bits: Int, channels: Int, blockBytes: Int, bigEndian: Bool
  ) throws(SoundError) -> SampleEncoding {
    switch format {
    case 1:
      guard (8...32).contains(bits) else {
        throw SoundError(
          .unsupported, "its samples have " + counted(bits, "bit") + "; 8 to 32 play")
      }
      // A block size that cannot be is a lie; the samples are then as narrow as they can be.
      let least = (bits + 7) / 8
      let told = channels > 0 && blockBytes % channels == 0 ? blockBytes / channels : least
      let bytes = (least...4).contains(told) ? told : least
      return .integer(bytes: bytes, bits: bits, bigEndian: bigEndian, unsigned: bytes == 1)
    case 3:
      guard bits == 32 || bits == 64 else {
        throw SoundError(
          .unsupported, "its floating samples have " + counted(bits, "bit") + "; 32 and 64 play")
      }
      return .float(bytes: bits / 8, bigEndian: bigEndian)
    case 6: return .aLaw
    case 7: return .muLaw
    case 0x11:
      let frames = IMA4.blockFrames(bytes: blockBytes, channels: channels)
      guard frames > 1 else {
        throw SoundError(
          .damaged, "its IMA4 blocks of " + counted(blockBytes, "byte") + " hold no sound")
      }
      return .microsoftIMA4(blockBytes: blockBytes, blockFrames: frames)
    default: throw SoundError(.unsupported, "its WAV codec number \(format) is not one that plays")
    }
  }
}
