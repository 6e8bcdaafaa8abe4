import BelfryCore

/// How samples stand in a file.
public enum SampleEncoding: Hashable, Sendable {
  /// Whole numbers in `bytes` (1 to 4) each; fewer `bits` (8 to 32) are aligned to the high end.
  case integer(bytes: Int, bits: Int, bigEndian: Bool, unsigned: Bool)
  /// IEEE 754 in 4 or 8 bytes.
  case float(bytes: Int, bigEndian: Bool)
  /// ITU-T G.711.
  case muLaw, aLaw
  /// Apple's IMA4: packets of 34 bytes a channel, 64 frames each.
  case appleIMA4
  /// Microsoft's IMA ADPCM (WAV format 0x11): blocks of all channels.
  case microsoftIMA4(blockBytes: Int, blockFrames: Int)

  /// Bytes of the smallest piece that decodes by itself.
  func packetBytes(channels: Int) -> Int {
    switch self {
    case .integer(let bytes, _, _, _), .float(let bytes, _): bytes * channels
    case .muLaw, .aLaw: channels
    case .appleIMA4: 34 * channels
    case .microsoftIMA4(let blockBytes, _): blockBytes
    }
  }

  /// Frames of that piece.
  var packetFrames: Int {
    switch self {
    case .appleIMA4: 64
    case .microsoftIMA4(_, let blockFrames): blockFrames
    default: 1
    }
  }

  /// The words of `belfry sound check`.
  public var text: String {
    switch self {
    case .integer(_, let bits, _, _): "linear PCM, \(bits) bits"
    case .float(let bytes, _): "linear PCM, float \(bytes * 8)"
    case .muLaw: "\u{B5}-law"
    case .aLaw: "A-law"
    case .appleIMA4, .microsoftIMA4: "IMA4"
    }
  }
}
