/// Brings interleaved frames from a sound's number of channels to a device's.
struct ChannelMap {
  let from: Int
  let to: Int

  /// Appends the converted frames. One channel goes to the first two; more than there are become
  /// their mean, odd ones left and even ones right.
  func convert(_ frames: UnsafeBufferPointer<Double>, to target: inout [Double]) {
    if from == to { return target.append(contentsOf: frames) }
    for frame in stride(from: 0, to: frames.count - from + 1, by: from) {
      for channel in 0..<to { target.append(sample(frames, frame, channel)) }
    }
  }

  private func sample(
    _ frames: UnsafeBufferPointer<Double>, _ frame: Int, _ channel: Int
  ) -> Double {
    if from == 1 { return channel < 2 ? frames[frame] : 0 }
    if from < to { return channel < from ? frames[frame + channel] : 0 }
    var sum = 0.0
    var count = 0.0
    for source in stride(from: to == 1 ? 0 : channel, to: from, by: to == 1 ? 1 : to) {
      sum += frames[frame + source]
      count += 1
    }
    return sum / count
  }
}
