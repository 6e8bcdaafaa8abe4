import BelfryCore
import CALSA

/// The names of this machine's playback devices.
public enum PCMDevices {
  /// Tried in order where the configuration names none.
  public static let standard = ["default", "sysdefault", "plughw:0,0"]

  public struct Name: Hashable, Sendable {
    public var name: String
    /// ALSA's words for it, its lines joined.
    public var description: String
  }

  /// What ALSA's configuration lists for playback; opens nothing.
  public static func list() -> [Name] {
    calsa_silence()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var found: [Name] = []
    var index = 0
    while let hint = hints[index] {
      index += 1
      guard let name = text(hint, "NAME"), ByteString(name) != "null" else { continue }
      // "Input" alone is a microphone; nil is both.
      if let direction = text(hint, "IOID"), ByteString(direction) == "Input" { continue }
      let words = (text(hint, "DESC") ?? "").utf8.split(separator: 0x0A).compactMap { String($0) }
      found.append(Name(name: name, description: words.joined(separator: ", ")))
    }
    return found
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
