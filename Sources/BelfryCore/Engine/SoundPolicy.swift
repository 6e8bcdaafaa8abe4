/// What the operator does not want to be heard: `[sound]`, as far as it leaves sounds out.
public struct SoundPolicy: Hashable, Sendable {
  /// False: there is no speaker.
  public var isEnabled = true
  /// 0 to 1.
  public var volume = 1.0
  public var quiet: QuietHours?
  /// The longest sound that plays (S2), in nanoseconds.
  public var longest = 30 * Nanoseconds.second
  /// How long before its sound the slowest output has to be woken (E11), in nanoseconds.
  public var wake: Int64 = 0

  public init() {}

  /// Why a sound is left out at a minute of the board's day, with the key that says so; nil: it is not.
  ///
  /// `volume` is the notification's own.
  public func silence(volume own: Double, isCritical: Bool, minute: Int) -> String? {
    if !isEnabled { return "sounds are switched off ([sound] enabled = no)" }
    if volume == 0 { return "the volume is 0 ([sound] volume)" }
    if own == 0 { return "its own volume is 0" }
    guard let quiet, !isCritical, quiet.contains(minute: minute) else { return nil }
    return "quiet hours ([sound] quiet = \(quiet.text))"
  }
}
