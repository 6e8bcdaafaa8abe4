/// What will be played for a name, and why if it is not what was asked for (S3).
public struct SoundChoice: Sendable {
  public var sound: SoundFile
  /// The file's path, or `built-in tone`.
  public var origin: String
  /// Why the default sound plays instead, such as `bell.caf: there is no such file`; nil: it is what
  /// was asked for.
  public var fallback: String?

  public static let builtIn = "built-in tone"

  public init(sound: SoundFile, origin: String, fallback: String? = nil) {
    self.sound = sound
    self.origin = origin
    self.fallback = fallback
  }
}
