/// Decodes the codecs that Belfry reads by itself, a bounded piece of the file at a time.
final class PacketDecoder: SoundDecoder {
  /// Bytes that are read at a time.
  private static let pieceBytes = 16384

  private let source: SoundSource
  private let layout: SoundLayout
  private var offset: Int64
  private var left: Int64
  private var skip: Int64
  private var bytes: [UInt8]
  private var samples: [Double]
  private var position = 0
  private var states: [IMA4]

  init(_ source: SoundSource, _ layout: SoundLayout) {
    self.source = source
    self.layout = layout
    offset = layout.dataOffset
    left = layout.frames
    skip = layout.skipped
    let packet = layout.encoding.packetBytes(channels: layout.channels)
    let packets = max(1, Self.pieceBytes / packet)
    bytes = [UInt8](repeating: 0, count: packets * packet)
    samples = []
    samples.reserveCapacity(packets * layout.encoding.packetFrames * layout.channels)
    states = [IMA4](repeating: IMA4(), count: layout.channels)
    super.init(channels: layout.channels, rate: layout.rate)
  }

  override func read(
    into target: UnsafeMutableBufferPointer<Double>
  ) throws(SoundError) -> Int {
    var done = 0
    let wanted = Int(min(Int64(target.count / channels), left))
    while done < wanted {
      if position == samples.count, try !refill() { break }
      let frames = min(wanted - done, (samples.count - position) / channels)
      for index in 0..<frames * channels {
        target[done * channels + index] = samples[position + index]
      }
      position += frames * channels
      done += frames
    }
    left = done < wanted ? 0 : left - Int64(done)
    return done
  }

  /// Decodes the next piece; false at the end of the bytes.
  private func refill() throws(SoundError) -> Bool {
    let end = layout.dataOffset + layout.dataLength
    let wanted = Int(min(Int64(bytes.count), end - offset))
    guard wanted > 0 else { return false }
    var got = 0
    var failure: SoundError?
    bytes.withUnsafeMutableBytes { target in
      let part = UnsafeMutableRawBufferPointer(rebasing: target[..<wanted])
      do throws(SoundError) { got = try source.read(at: offset, into: part) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    offset += Int64(wanted)
    samples.removeAll(keepingCapacity: true)
    position = 0
    decode(count: got)
    // Priming frames are decoded and thrown away.
    let dropped = Int(min(skip, Int64(samples.count / channels)))
    skip -= Int64(dropped)
    position = dropped * channels
    if position == samples.count { return dropped > 0 ? try refill() : false }
    return true
  }

  private func decode(count: Int) {
    switch layout.encoding {
    case .integer(let size, _, let bigEndian, let unsigned):
      decodeIntegers(count: count, size: size, bigEndian: bigEndian, unsigned: unsigned)
    case .float(let size, let bigEndian):
      decodeFloats(count: count, size: size, bigEndian: bigEndian)
    case .muLaw: for byte in bytes[..<count] { append(Companding.muLaw(byte)) }
    case .aLaw: for byte in bytes[..<count] { append(Companding.aLaw(byte)) }
    case .appleIMA4: decodeApple(count: count)
    case .microsoftIMA4(let blockBytes, _):
      var start = 0
      while start < count {
        decodeMicrosoft(start..<min(start + blockBytes, count))
        start += blockBytes
      }
    }
    // A cut frame at the end is no frame.
    samples.removeLast(samples.count % channels)
  }

  private func append(_ sample: Int16) {
    samples.append(Double(sample) / 32768)
  }

  private func number(_ start: Int, _ size: Int, _ bigEndian: Bool) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<size {
      value = value << 8 | UInt64(bytes[start + (bigEndian ? index : size - 1 - index)])
    }
    return value
  }

  private func decodeIntegers(count: Int, size: Int, bigEndian: Bool, unsigned: Bool) {
    let flip: UInt32 = unsigned ? 0x8000_0000 : 0
    for start in stride(from: 0, to: count - count % size, by: size) {
      let high = UInt32(number(start, size, bigEndian)) << UInt32(32 - 8 * size)
      samples.append(Double(Int32(bitPattern: high ^ flip)) / 2_147_483_648)
    }
  }

  private func decodeFloats(count: Int, size: Int, bigEndian: Bool) {
    for start in stride(from: 0, to: count - count % size, by: size) {
      let bits = number(start, size, bigEndian)
      let value = size == 8 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(bits)))
      samples.append(value.isFinite ? value : 0)
    }
  }

  private func decodeApple(count: Int) {
    var start = 0
    while start + 34 * channels <= count {
      let base = samples.count
      samples.append(contentsOf: repeatElement(0, count: 64 * channels))
      for channel in 0..<channels {
        let packet = start + 34 * channel
        states[channel].start(appleHeader: UInt16(number(packet, 2, true)))
        for index in 0..<64 {
          let code = bytes[packet + 2 + index / 2] >> (index & 1 == 0 ? 0 : 4)
          samples[base + index * channels + channel] =
            Double(states[channel].next(code)) / 32768
        }
      }
      start += 34 * channels
    }
  }

  private func decodeMicrosoft(_ block: Range<Int>) {
    let frames = IMA4.blockFrames(bytes: block.count, channels: channels)
    guard frames > 0 else { return }
    let big = false
    let base = samples.count
    samples.append(contentsOf: repeatElement(0, count: frames * channels))
    for channel in 0..<channels {
      let header = block.lowerBound + 4 * channel
      let first = Int16(bitPattern: UInt16(number(header, 2, big)))
      states[channel].start(sample: first, index: bytes[header + 2])
      samples[base + channel] = Double(first) / 32768
      for index in 1..<max(frames, 2) where index < frames {
        // Eight samples of a channel stand together in four bytes, low nibble first.
        let word = block.lowerBound + 4 * channels + ((index - 1) / 8 * channels + channel) * 4
        let code = bytes[word + (index - 1) % 8 / 2] >> ((index - 1) & 1 == 0 ? 0 : 4)
        samples[base + index * channels + channel] = Double(states[channel].next(code)) / 32768
      }
    }
  }
}
