/// The adaptive four-bit code of the Interactive Multimedia Association, one channel of it.
///
/// Source: IMA "Recommended Practices for Enhancing Digital Audio Compatibility" 3.00.
struct IMA4 {
  private static let steps: [Int16] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73,
    80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494,
    544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499,
    2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442,
    11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
  ]
  private static let changes: [Int] = [-1, -1, -1, -1, 2, 4, 6, 8]

  private var predicted = 0
  private var index = 0

  /// Starts an Apple packet from its two bytes: nine bits of sample, seven of step.
  ///
  /// The low bits of the sample are lost in the header; where it agrees with what was just decoded,
  /// the decoded value is the better one.
  mutating func start(appleHeader: UInt16) {
    let step = min(Int(appleHeader & 0x7F), 88)
    let sample = Int(Int16(bitPattern: appleHeader & 0xFF80))
    if step == index, abs(sample - predicted) <= 0x7F { return }
    predicted = sample
    index = step
  }

  /// Starts a Microsoft block: its header is the first sample.
  mutating func start(sample: Int16, index: UInt8) {
    predicted = Int(sample)
    self.index = min(Int(index), 88)
  }

  /// The sample that the low four bits of `code` stand for.
  mutating func next(_ code: UInt8) -> Int16 {
    let step = Int(Self.steps[index])
    var difference = step >> 3
    if code & 4 != 0 { difference += step }
    if code & 2 != 0 { difference += step >> 1 }
    if code & 1 != 0 { difference += step >> 2 }
    predicted += code & 8 != 0 ? -difference : difference
    predicted = max(-32768, min(32767, predicted))
    index = max(0, min(88, index + Self.changes[Int(code & 7)]))
    return Int16(predicted)
  }

  /// Frames in a Microsoft block of so many bytes, which may be the cut one at the end of a file.
  static func blockFrames(bytes: Int, channels: Int) -> Int {
    guard channels > 0, bytes >= 4 * channels else { return 0 }
    return (bytes - 4 * channels) / (4 * channels) * 8 + 1
  }
}
