/// Where the loudspeaker of a channel stands.
///
/// Raw values are the bits of WAV's channel mask, from 0 (Microsoft's `WAVEFORMATEXTENSIBLE`).
public enum ChannelPlace: UInt8, Sendable {
  case frontLeft, frontRight, centre, lowFrequency, rearLeft, rearRight
  case frontLeftOfCentre, frontRightOfCentre, rearCentre, sideLeft, sideRight
  case topCentre, topFrontLeft, topFrontCentre, topFrontRight
  case topRearLeft, topRearCentre, topRearRight
  /// Nobody says where.
  case anywhere

  enum Side {
    case left, right, both
  }

  /// Which side of the listener it is on.
  var side: Side {
    switch self {
    case .frontLeft, .rearLeft, .frontLeftOfCentre, .sideLeft, .topFrontLeft, .topRearLeft: .left
    case .frontRight, .rearRight, .frontRightOfCentre, .sideRight, .topFrontRight, .topRearRight:
      .right
    case .centre, .lowFrequency, .rearCentre, .topCentre, .topFrontCentre, .topRearCentre,
      .anywhere:
      .both
    }
  }

  // MARK: Of a sound

  /// What so many channels of WAV, FLAC and most other files are where the file does not say.
  static func usual(_ channels: Int) -> [ChannelPlace] {
    switch channels {
    case 1: [.centre]
    case 3: [.frontLeft, .frontRight, .centre]
    case 5: [.frontLeft, .frontRight, .centre, .rearLeft, .rearRight]
    case 7: listed("LRCFcsd", 7)
    case 6, 8: listed("LRCFlrsd", channels)
    default: listed("LRlr", channels)
    }
  }

  /// The order of Ogg Vorbis and Opus, which libsndfile leaves as it is (Vorbis I, 4.3.9).
  static func ofOgg(_ channels: Int) -> [ChannelPlace] {
    switch channels {
    case 3, 5: listed("LCRlr", channels)
    case 6: listed("LCRlrF", channels)
    case 7: listed("LCRsdcF", channels)
    case 8: listed("LCRsdlrF", channels)
    default: usual(channels)
    }
  }

  /// The places that a mask names, lowest bit first; channels beyond them are anywhere. 0: it names
  /// none.
  static func masked(_ mask: Int64, _ channels: Int) -> [ChannelPlace] {
    let named = (0..<Self.anywhere.rawValue).filter { mask >> Int64($0) & 1 == 1 }
    if named.isEmpty { return usual(channels) }
    return filled(named.compactMap { ChannelPlace(rawValue: $0) }, channels)
  }

  // MARK: Of a device

  /// What so many channels of a device are where the device does not say: the order of ALSA's
  /// surround40 to surround71.
  static func ofDevice(_ channels: Int) -> [ChannelPlace] {
    switch channels {
    case 3: listed("LRF", channels)
    case 7: listed("LRlrCFc", channels)
    default: listed("LRlrCFsd", channels)
    }
  }

  /// One of ALSA's positions (`snd_pcm_chmap_position`).
  init(alsa position: UInt32) {
    let low = position & 0xFFFF
    self =
      low >= 3 && low < 3 + UInt32(Self.alsa.utf8CodeUnitCount)
      ? Self.alsa.withUTF8Buffer { Self.letter($0[Int(low) - 3]) } : low == 2 ? .centre : .anywhere
  }

  private static var alsa: StaticString { "LRlrCFsdcab" }

  // MARK: Letters

  /// A list of them as letters: L and R in front, C, F for low frequencies, l, r and c behind, s and d
  /// at the sides, a and b beside the centre.
  static func listed(_ letters: StaticString, _ channels: Int) -> [ChannelPlace] {
    filled(letters.withUTF8Buffer { $0.map { letter($0) } }, channels)
  }

  private static func filled(_ places: [ChannelPlace], _ channels: Int) -> [ChannelPlace] {
    places.prefix(channels) + Array(repeating: .anywhere, count: max(0, channels - places.count))
  }

  private static func letter(_ byte: UInt8) -> ChannelPlace {
    switch byte {
    case UInt8(ascii: "L"): .frontLeft
    case UInt8(ascii: "R"): .frontRight
    case UInt8(ascii: "C"): .centre
    case UInt8(ascii: "F"): .lowFrequency
    case UInt8(ascii: "l"): .rearLeft
    case UInt8(ascii: "r"): .rearRight
    case UInt8(ascii: "a"): .frontLeftOfCentre
    case UInt8(ascii: "b"): .frontRightOfCentre
    case UInt8(ascii: "c"): .rearCentre
    case UInt8(ascii: "s"): .sideLeft
    case UInt8(ascii: "d"): .sideRight
    default: .anywhere
    }
  }
}
