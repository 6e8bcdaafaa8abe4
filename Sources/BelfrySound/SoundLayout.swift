import BelfryCore

/// What the headers of a sound file say, clamped to the bytes that are there.
public struct SoundLayout: Hashable, Sendable {
  public enum Container: String, Sendable {
    case wav = "WAV"
    case aiff = "AIFF"
    case aifc = "AIFC"
    case caf = "CAF"
  }

  /// Sounds of more channels or other rates do not play.
  public static let channelLimits = 1...8
  public static let rateLimits = 4_000...192_000

  public var container: Container
  public var encoding: SampleEncoding
  public var channels: Int
  /// Where they are to be heard.
  public var places: [ChannelPlace]
  /// Frames a second.
  public var rate: Int
  /// Where the samples are, in bytes.
  public var dataOffset: Int64
  public var dataLength: Int64
  /// Frames that will be decoded (S2).
  public var frames: Int64
  /// Frames before the first that is to be heard (CAF's priming frames).
  public var skipped: Int64

  init(
    _ container: Container, _ description: SoundDescription, data: (offset: Int64, length: Int64),
    valid: Int64?, skipped: Int64 = 0
  ) throws(SoundError) {
    let channels = description.channels
    guard Self.channelLimits.contains(channels) else {
      throw SoundError(.unsupported, "it has \(channels) channels; 1 to 8 play")
    }
    guard Self.rateLimits.contains(description.rate) else {
      throw SoundError(
        .unsupported, "its rate is \(description.rate) Hz; 4000 to 192000 Hz play")
    }
    self.container = container
    encoding = description.encoding
    self.channels = channels
    places = description.places ?? ChannelPlace.usual(channels)
    rate = description.rate
    dataOffset = data.offset
    dataLength = data.length
    let whole = Self.frames(in: data.length, description.encoding, channels)
    self.skipped = skipped > 0 && skipped < whole ? skipped : 0
    frames = whole - self.skipped
    if encoding.packetFrames > 1, let valid, valid > 0, valid < frames { frames = valid }
    if frames <= 0 { throw SoundError(.empty, "there is no sound in it") }
  }

  /// Frames that decode from so many bytes.
  private static func frames(
    in length: Int64, _ encoding: SampleEncoding, _ channels: Int
  ) -> Int64 {
    let packet = Int64(encoding.packetBytes(channels: channels))
    let whole = length / packet * Int64(encoding.packetFrames)
    guard case .microsoftIMA4 = encoding else { return whole }
    return whole + Int64(IMA4.blockFrames(bytes: Int(length % packet), channels: channels))
  }
}

/// The part of a header that describes the samples.
struct SoundDescription {
  var encoding: SampleEncoding
  var channels: Int
  var rate: Int
  /// One for each channel; nil: the file does not say.
  var places: [ChannelPlace]?
}
