import BelfrySystem

/// Brings interleaved frames from a sound's channels to a device's (S5): what the device lacks is
/// mixed into what it has, so that nothing is dropped, and nothing clips.
struct ChannelMap {
  let from: Int
  let to: Int
  /// By how much each of `from` counts in each of `to`: a row for each of `to`.
  private var weights: [Double]

  /// For a channel that goes to both sides with half its power each: √½.
  private static let half = 0.7071067811865476
  /// For one that stands on one side: to that side and to the other, as Dolby Pro Logic II weighs its
  /// surrounds; √¾ and ½, which keep its power.
  private static let near = 0.8660254037844386
  private static let far = 0.5

  init(from source: [ChannelPlace], to target: [ChannelPlace]) {
    from = source.count
    to = target.count
    weights = [Double](repeating: 0, count: from * to)
    if to == 1, from > 1 {
      mixToOne(source)
      return
    }
    let hasSides = target.contains(.frontLeft) && target.contains(.frontRight)
    let target = to == 1 || hasSides ? target : ChannelPlace.ofDevice(to)
    for (channel, place) in source.enumerated() {
      if from == 1 {
        for row in 0..<min(to, 2) { add(channel, to: front(row, target), 1) }
      } else if place != .anywhere, let row = target.firstIndex(of: place) {
        add(channel, to: row, 1)
      } else {
        mix(channel, place, into: target)
      }
    }
  }

  /// How a sound's frames become a device's; nil: they are already.
  ///
  /// `places`: where the device's loudspeakers are; nil: it does not say. Then as many channels as the
  /// sound has are in the sound's own order.
  init?(of sound: SoundFile, channels: Int, places: [ChannelPlace]?) {
    if sound.channels == channels, places == nil { return nil }
    self.init(from: sound.places, to: places ?? ChannelPlace.ofDevice(channels))
    if isIdentity { return nil }
    let loudest = largestSum > 1 ? sound.peak(through: self) : 1
    if loudest > 1 { weights = weights.map { $0 / loudest } }
  }

  /// The most that a channel of the device could get if each of the sound's were at its loudest.
  var largestSum: Double {
    (0..<to).map { row in weights[row * from..<(row + 1) * from].reduce(0, +) }.max() ?? 0
  }

  private var isIdentity: Bool {
    from == to && weights.indices.allSatisfy { weights[$0] == ($0 / from == $0 % from ? 1 : 0) }
  }

  /// Appends the converted frames.
  func convert(_ frames: UnsafeBufferPointer<Double>, to target: inout [Double]) {
    weights.withUnsafeBufferPointer { weights in
      for frame in stride(from: 0, to: frames.count - from + 1, by: from) {
        for row in 0..<to {
          var sum = 0.0
          for channel in 0..<from { sum += weights[row * from + channel] * frames[frame + channel] }
          target.append(sum)
        }
      }
    }
  }

  /// How far a sound reaches at most when it goes through each of these as they are; 1 is full scale.
  ///
  /// Decodes all of it; what breaks off ends there. nil: that takes longer than `patience`, in
  /// nanoseconds.
  static func peaks(
    of decoder: SoundDecoder, through maps: [ChannelMap], patience: Int64
  ) -> [Double]? {
    let limit = SystemClock.elapsed() + patience
    var peaks = [Double](repeating: 0, count: maps.count)
    var piece = [Double](repeating: 0, count: 1024 * decoder.channels)
    var mixed: [Double] = []
    while SystemClock.elapsed() < limit {
      let frames = piece.withUnsafeMutableBufferPointer { (try? decoder.read(into: $0)) ?? 0 }
      if frames == 0 { return peaks }
      for (index, map) in maps.enumerated() {
        mixed.removeAll(keepingCapacity: true)
        piece.withUnsafeBufferPointer {
          let whole = UnsafeBufferPointer(rebasing: $0[..<(frames * decoder.channels)])
          map.convert(whole, to: &mixed)
        }
        peaks[index] = mixed.reduce(peaks[index]) { max($0, abs($1)) }
      }
    }
    return nil
  }

  // MARK: Weights

  private mutating func add(_ channel: Int, to row: Int, _ weight: Double) {
    weights[row * from + channel] += weight
  }

  /// Of the front pair the left (0) or the right one; the only one there is where there is no pair.
  private func front(_ side: Int, _ target: [ChannelPlace]) -> Int {
    target.firstIndex(of: side == 0 ? .frontLeft : .frontRight) ?? 0
  }

  /// Two sides become their mean. Of more the sides of a stereo mix are added, so that what stands in
  /// the centre is as loud as it was.
  private mutating func mixToOne(_ source: [ChannelPlace]) {
    if from == 2 {
      weights = [0.5, 0.5]
      return
    }
    let stereo = ChannelMap(from: source, to: ChannelPlace.ofDevice(2))
    for channel in 0..<from {
      let both = stereo.weights[channel] + stereo.weights[from + channel]
      add(channel, to: 0, both * Self.half)
    }
  }

  /// A channel for which the device has no loudspeaker: to the one beside it, else to the front.
  private mutating func mix(_ channel: Int, _ place: ChannelPlace, into target: [ChannelPlace]) {
    let rears: [[ChannelPlace]] = [[.rearLeft, .rearRight], [.sideLeft, .sideRight]]
    let isBehind = [.rearLeft, .rearRight, .sideLeft, .sideRight, .rearCentre].contains(place)
    let pair = rears.first { isBehind && $0.allSatisfy { target.contains($0) } }
    let rows = (pair ?? [.frontLeft, .frontRight]).compactMap { target.firstIndex(of: $0) }
    switch place.side {
    case .both: for row in rows { add(channel, to: row, Self.half) }
    case .left, .right:
      let (own, other) = place.side == .left ? (rows[0], rows[1]) : (rows[1], rows[0])
      add(channel, to: own, pair == nil ? Self.near : 1)
      if pair == nil { add(channel, to: other, Self.far) }
    }
  }
}
