/// Where the channels of a CAF or an AIFF file stand: its chunk `chan` or `CHAN`.
///
/// Source: Apple's "Core Audio Format Specification 1.0", and CoreAudioBaseTypes.h for the tags.
enum ChannelLayoutChunk {
  private static let useDescriptions: Int64 = 0
  private static let useBitmap: Int64 = 1
  private static let descriptionBytes: Int64 = 20

  /// nil: it does not say, or in words that nobody knows here.
  static func places(
    in chunk: Chunk, of source: SoundSource, channels: Int
  ) -> [ChannelPlace]? {
    guard SoundLayout.channelLimits.contains(channels),
      let fields = try? source.fields(at: chunk.body, count: 12, bigEndian: true)
    else { return nil }
    // The low half of a tag counts its channels.
    switch fields.unsigned32(0) >> 16 {
    case useDescriptions:
      guard fields.unsigned32(8) == channels else { return nil }
      return described(from: chunk.body + 12, in: source, channels)
    case useBitmap: return ChannelPlace.masked(fields.unsigned32(4), channels)
    case let tag: return letters(of: tag).map { ChannelPlace.listed($0, channels) }
    }
  }

  private static func described(
    from offset: Int64, in source: SoundSource, _ channels: Int
  ) -> [ChannelPlace]? {
    var places: [ChannelPlace] = []
    for index in 0..<Int64(channels) {
      let at = offset + index * descriptionBytes
      guard let fields = try? source.fields(at: at, count: 4, bigEndian: true) else { return nil }
      places.append(place(label: fields.unsigned32(0)))
    }
    return places
  }

  private static func place(label: Int64) -> ChannelPlace {
    switch label {
    // As the bits of WAV's mask, but from 1.
    case 1...18: ChannelPlace(rawValue: UInt8(label - 1)) ?? .anywhere
    case 33: .rearLeft
    case 34: .rearRight
    default: .anywhere
    }
  }

  /// The tags of three and more channels that name their places.
  private static func letters(of tag: Int64) -> StaticString? {
    switch tag {
    case 108, 132: "LRlr"
    case 113: "LRC"
    case 114: "CLR"
    case 115: "LRCc"
    case 116: "CLRc"
    case 117: "LRClr"
    case 118: "LRlrC"
    case 119: "LCRlr"
    case 120: "CLRlr"
    case 121, 125: "LRCFlrc"
    case 122: "LRlrCF"
    case 123: "LCRlrF"
    case 124: "CLRlrF"
    case 126: "LRCFlrab"
    case 127: "CabLRlrF"
    case 128: "LRCFsdlr"
    case 131: "LRc"
    case 133: "LRF"
    case 134: "LRFc"
    case 135: "LRFlr"
    case 136: "LRCF"
    case 137: "LRCFc"
    case 138: "LRlrF"
    default: nil
    }
  }
}
