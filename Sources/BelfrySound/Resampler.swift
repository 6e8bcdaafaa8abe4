/// Changes the rate of interleaved frames by windowed sinc interpolation, a piece at a time.
///
/// Sixteen zero crossings of the sinc under a Hann window, tabulated 256 times a crossing and
/// interpolated; going down, the kernel is stretched so that nothing folds back. A sound of n frames
/// becomes n × to ÷ from frames, rounded to the nearest. Memory: the table (16 KiB) and as many input
/// frames as the kernel spans.
///
/// Source: J. O. Smith, "Digital Audio Resampling" (the method, not its program).
struct Resampler {
  private static let crossings = 8
  private static let steps = 256

  private let channels: Int
  private let from: Int64
  private let to: Int64
  private let table: [Double]
  /// Cut-off relative to the input's, 1 when going up.
  private let cutoff: Double
  /// Input frames that one side of the kernel spans.
  private let reach: Int
  private var input: [Double]
  /// Input frame number of the first in `input`.
  private var inputStart: Int64
  private var produced: Int64 = 0
  private var consumed: Int64 = 0

  init(channels: Int, from: Int, to: Int) {
    self.channels = channels
    self.from = Int64(from)
    self.to = Int64(to)
    cutoff = to < from ? Double(to) / Double(from) : 1
    reach = Int(Double(Self.crossings) / cutoff) + 1
    var table: [Double] = []
    for index in 0...Self.crossings * Self.steps {
      let x = Double(index) / Double(Self.steps)
      let cosine = Sine.of(turns: x / Double(2 * Self.crossings) + 0.25)
      let sinc = index == 0 ? 1 : Sine.of(turns: x / 2) / (x * 3.141592653589793)
      table.append(sinc * (0.5 + 0.5 * cosine))
    }
    table.append(0)
    self.table = table
    // Silence before the first frame.
    input = [Double](repeating: 0, count: reach * channels)
    inputStart = -Int64(reach)
  }

  /// Takes frames in and appends what can be computed; `last` flushes the rest.
  mutating func convert(
    _ frames: UnsafeBufferPointer<Double>, last: Bool, to target: inout [Double]
  ) {
    input.append(contentsOf: frames)
    consumed += Int64(frames.count / channels)
    var end = consumed - Int64(reach)
    if last {
      input.append(contentsOf: repeatElement(0, count: (reach + 1) * channels))
      end = consumed
    }
    let total = (consumed * to + from / 2) / from
    while last ? produced < total : produced * from / to < end {
      append(at: produced, to: &target)
      produced += 1
    }
    let keepFrom = max(inputStart, produced * from / to - Int64(reach))
    let dropped = min(Int(keepFrom - inputStart), input.count / channels)
    input.removeFirst(dropped * channels)
    inputStart += Int64(dropped)
  }

  private func append(at frame: Int64, to target: inout [Double]) {
    let whole = frame * from / to
    let fraction = Double(frame * from % to) / Double(to)
    let first = max(whole - Int64(reach) + 1, inputStart)
    let base = target.count
    target.append(contentsOf: repeatElement(0, count: channels))
    for source in first...(whole + Int64(reach)) {
      let index = Int(source - inputStart) * channels
      guard index + channels <= input.count else { break }
      let weight = weight(Double(source - whole) - fraction)
      if weight == 0 { continue }
      for channel in 0..<channels { target[base + channel] += weight * input[index + channel] }
    }
  }

  private func weight(_ distance: Double) -> Double {
    let place = (distance < 0 ? -distance : distance) * cutoff * Double(Self.steps)
    let index = Int(place)
    guard index < Self.crossings * Self.steps else { return 0 }
    let low = table[index]
    return (low + (table[index + 1] - low) * (place - Double(index))) * cutoff
  }
}
