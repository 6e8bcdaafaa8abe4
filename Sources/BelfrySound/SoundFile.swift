import BelfryCore

/// A sound whose headers are read and whose length is known; its decoders start anew each.
///
/// Immutable: made on one thread, it may be decoded on another.
public final class SoundFile: @unchecked Sendable {
  /// The longest sound that plays where nobody says otherwise, in nanoseconds (S2).
  public static let longest = 30 * Nanoseconds.second

  public let channels: Int
  /// Where they are to be heard.
  let places: [ChannelPlace]
  /// Frames a second.
  public let rate: Int
  /// Frames that decode.
  public let frames: Int64
  /// `frames` is only a lower bound: counting by decoding stopped beyond the longest that plays.
  public let isCountCut: Bool
  /// Such as `CAF, IMA4`.
  public let format: String
  /// The device's sample format that holds the sound's own samples exactly.
  public let shape: SampleFormat
  /// Most frames that play.
  private let limit: Int64
  /// How far more than two channels reach when they are mixed into one, and into two; nil: nobody
  /// knows.
  private let mixPeaks: [Double]?
  private let source: SoundSource
  private let layout: SoundLayout?

  /// Reads the headers; every error is a reason for a record (S3). `longest` is in nanoseconds.
  public init(_ source: SoundSource, longest: Int64 = longest) throws(SoundError) {
    guard source.size > 0 else { throw SoundError(.empty, "it is empty") }
    self.source = source
    switch try Self.kind(of: source) {
    case .own(let layout):
      self.layout = layout
      channels = layout.channels
      places = layout.places
      rate = layout.rate
      frames = layout.frames
      limit = Self.frames(in: longest, rate)
      isCountCut = false
      format = "\(layout.container.rawValue), \(layout.encoding.text)"
      shape = SampleFormat(of: layout.encoding)
    case .library(let name):
      layout = nil
      let decoder = try LibraryDecoder(source)
      channels = decoder.channels
      places =
        ByteString(name) == "Ogg"
        ? ChannelPlace.ofOgg(channels) : ChannelPlace.usual(channels)
      rate = decoder.rate
      limit = Self.frames(in: longest, rate)
      frames = try decoder.count(limit: limit)
      isCountCut = frames > limit
      format = name
      shape = ByteString(name) == "FLAC" ? .integer24 : .integer16
      if frames == 0 { throw SoundError(.empty, "there is no sound in it") }
    }
    let isMixed = channels > 2 && frames <= limit
    mixPeaks = isMixed ? Self.mixPeaks(of: try Self.decoder(source, layout), places) : nil
  }

  /// Opens the file at `path`.
  public convenience init(path: String, longest: Int64 = longest) throws(SoundError) {
    try self.init(try SoundSource(path: path), longest: longest)
  }

  /// Whether it is longer than the longest that plays (S2).
  public var isTooLong: Bool { frames > limit }

  private static func frames(in nanoseconds: Int64, _ rate: Int) -> Int64 {
    nanoseconds / Nanoseconds.second * Int64(rate)
      + nanoseconds % Nanoseconds.second * Int64(rate) / Nanoseconds.second
  }

  /// Its length in milliseconds, cut.
  public var milliseconds: Int64 {
    frames / Int64(rate) * 1000 + frames % Int64(rate) * 1000 / Int64(rate)
  }

  /// A decoder that stands before the first frame.
  public func decoder() throws(SoundError) -> SoundDecoder {
    try Self.decoder(source, layout)
  }

  private static func decoder(
    _ source: SoundSource, _ layout: SoundLayout?
  ) throws(SoundError) -> SoundDecoder {
    if let layout { return PacketDecoder(source, layout) }
    return try LibraryDecoder(source)
  }

  /// One channel and two are what most devices have: before it is due there is time to look.
  private static func mixPeaks(of decoder: SoundDecoder, _ places: [ChannelPlace]) -> [Double]? {
    let maps = (1...2).map { ChannelMap(from: places, to: ChannelPlace.ofDevice($0)) }
    return ChannelMap.peaks(of: decoder, through: maps, patience: Nanoseconds.second)
  }

  /// How far it reaches at most when its channels are mixed so (S5); 1 is full scale. What would take
  /// too long to find out is as far as it can be.
  func peak(through map: ChannelMap) -> Double {
    if map.to <= 2 { return mixPeaks?[map.to - 1] ?? map.largestSum }
    let peaks = (try? decoder()).flatMap {
      ChannelMap.peaks(of: $0, through: [map], patience: Nanoseconds.second / 4)
    }
    return peaks?[0] ?? map.largestSum
  }

  private enum Kind {
    case own(SoundLayout)
    case library(String)
  }

  private static func kind(of source: SoundSource) throws(SoundError) -> Kind {
    let unknown = SoundError(.notASound, "it is no sound file of a kind that plays")
    guard source.size >= 4 else { throw unknown }
    let tag = try source.fields(at: 0, count: 4, bigEndian: true).tag(0)
    switch tag {
    case "RIFF", "RIFX", "RF64", "BW64": return .own(try WAVParser.layout(of: source))
    case "FORM": return .own(try AIFFParser.layout(of: source))
    case "caff": return .own(try CAFParser.layout(of: source))
    case "fLaC": return .library("FLAC")
    case "OggS": return .library("Ogg")
    default:
      // MP3 starts with an ID3 tag or with the eleven set bits of a frame.
      guard tag.value >> 8 == ChunkReader.id3v2 || tag.value >> 21 == 0x7FF else { throw unknown }
      return .library("MP3")
    }
  }
}
