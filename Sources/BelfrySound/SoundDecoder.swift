/// Gives a sound's samples from its first frame on, interleaved, as numbers from -1 to 1.
///
/// Double holds every sample of S1 exactly. One thread at a time.
public class SoundDecoder {
  public let channels: Int
  /// Frames a second.
  public let rate: Int

  init(channels: Int, rate: Int) {
    self.channels = channels
    self.rate = rate
  }

  /// Fills whole frames into `target`; returns how many, 0 at the end.
  public func read(into target: UnsafeMutableBufferPointer<Double>) throws(SoundError) -> Int {
    0
  }
}
