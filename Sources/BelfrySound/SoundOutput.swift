import BelfryCore

/// A place where sounds come out (E11).
public struct SoundOutput: Hashable, Sendable {
  /// Of its section; empty: the one that there is without a section.
  public var name: String
  /// ALSA names, tried in order; empty: those of `[sound]`.
  public var devices: [String] = []
  /// How long it takes to wake, in nanoseconds: it gets silence for so long before a sound.
  public var wake: Int64 = 0

  public init(name: String, devices: [String] = [], wake: Int64 = 0) {
    self.name = name
    self.devices = devices
    self.wake = wake
  }

  func isNamed(_ other: String) -> Bool { ByteString(name) == ByteString(other) }
}
