import BelfryCore
import BelfrySystem

/// Finds and opens sounds by name (S8), the default sound, and the tone behind it (S3, S4).
///
/// Every call may wait for the disk.
public struct SoundResolver: Sendable {
  private let settings: SoundSettings
  /// Places of the shipped default sound, in order.
  private let defaults: [String]

  public init(_ settings: SoundSettings) {
    self.settings = settings
    var places = ["/usr/local/share/belfry/sounds", "/usr/share/belfry/sounds"]
    if let folder = try? Process.folder() {
      let above = Files.parent(of: folder)
      // PREFIX/bin, or PREFIX/libexec/belfry.
      for prefix in [Files.parent(of: above), above] {
        places.insert(prefix + "/share/belfry/sounds", at: 0)
      }
      // A build folder of a checkout: .build/TRIPLE/CONFIGURATION.
      let checkout = Files.parent(of: Files.parent(of: above))
      places.append(checkout + "/Sources/BelfrySound/Resources")
    }
    defaults = places.map { $0 + "/default.wav" }
  }

  /// For tests: the default sound is looked for in `defaults` alone.
  init(_ settings: SoundSettings, defaults: [String]) {
    self.settings = settings
    self.defaults = defaults
  }

  /// What plays when `app` asks for `name`; always something.
  public func choose(app: String, name: String) -> SoundChoice {
    if ByteString(name) == ByteString(Notification.defaultSoundName) {
      return defaultSound(because: nil)
    }
    do throws(SoundError) {
      let path = try find(app: app, name: name)
      return SoundChoice(sound: try open(path), origin: path)
    } catch {
      return defaultSound(because: "\(name): \(error.reason)")
    }
  }

  /// What plays for the file at `path`.
  public func choose(path: String) -> SoundChoice {
    do throws(SoundError) {
      return SoundChoice(sound: try open(path), origin: path)
    } catch {
      return defaultSound(because: "\(path): \(error.reason)")
    }
  }

  /// Opens a sound and makes sure that it plays: not too long, and its first frame decodes.
  static func open(
    _ path: String, longest: Int64 = SoundFile.longest
  ) throws(SoundError) -> SoundFile {
    let sound = try SoundFile(path: path, longest: longest)
    if sound.isTooLong {
      throw SoundError(.tooLong, "it lasts longer than \(seconds(longest))")
    }
    let decoder = try sound.decoder()
    var frame = [Double](repeating: 0, count: sound.channels)
    var got = 0
    var failure: SoundError?
    frame.withUnsafeMutableBufferPointer { buffer in
      do throws(SoundError) { got = try decoder.read(into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    if got == 0 { throw SoundError(.damaged, "nothing of it decodes") }
    return sound
  }

  private func open(_ path: String) throws(SoundError) -> SoundFile {
    try Self.open(path, longest: settings.longest)
  }

  private static func seconds(_ longest: Int64) -> String {
    let isWhole = longest % Nanoseconds.second == 0
    return isWhole ? "\(longest / Nanoseconds.second) s" : Nanoseconds.text(longest)
  }

  /// The tone that needs no file.
  public static func builtInTone(because reason: String?) -> SoundChoice {
    guard let sound = try? SoundFile(SoundSource(bytes: BuiltInTone.wav())) else {
      fatalError("the chime is a sound")
    }
    return SoundChoice(sound: sound, origin: SoundChoice.builtIn, fallback: reason)
  }

  private func find(app: String, name: String) throws(SoundError) -> String {
    // The wire refuses such names; nothing that reaches this leaves the folders either.
    guard !name.isEmpty, ByteString(name) != ".", ByteString(name) != "..",
      !name.utf8.contains(0x2F)
    else {
      throw SoundError(.missing, "a sound's name holds no folder")
    }
    for folder in settings.folders(of: app) + settings.folders {
      let path = "\(folder)/\(name)"
      if (try? Files.status(path)) != nil { return path }
    }
    throw SoundError(.missing, "there is no such file in the sound folders")
  }

  private func defaultSound(because reason: String?) -> SoundChoice {
    var reason = reason
    if let name = settings.defaultSound {
      do throws(SoundError) {
        let path = name.utf8.contains(0x2F) ? name : try find(app: "", name: name)
        return SoundChoice(sound: try open(path), origin: path, fallback: reason)
      } catch {
        let problem = "[sound] default = \(name): \(error.reason)"
        reason = reason.map { "\($0); \(problem)" } ?? problem
      }
    }
    for path in defaults {
      if let sound = try? open(path) {
        return SoundChoice(sound: sound, origin: path, fallback: reason)
      }
    }
    return Self.builtInTone(because: reason)
  }
}
