import BelfryCore
import BelfrySystem
import BelfryWire

/// What `belfry-speaker` does when a person or `belfry sound` starts it, without a clock.
public enum SpeakerCommand {
  static let usage = """
    usage: belfry-speaker --check SOUND [--longest DURATION] [--set KEY=VALUE].. [--json]
           belfry-speaker --play SOUND [--longest DURATION] [--device NAME].. [--set KEY=VALUE].. [--json]
           belfry-speaker --list-devices [--json]
           belfry-speaker --write-default-sound FILE
           belfry-speaker --version
    SOUND is a file, or a name in the folders that --set folder=PATH gives. The keys are those of [sound].
    Without options it is a child of belfryd and expects its socket as descriptor 3.
    """

  /// Runs the words after the program's name; returns its exit status: 0 as asked, 1 not (the line
  /// says why), 2 wrong usage.
  public static func run(_ words: [String]) -> Int32 {
    var file: String?
    var verb = ""
    var given: [Setting] = []
    var longest = SoundFile.longest
    var json = false
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      switch ByteString(word) {
      case "--help", "-h":
        try? Output.line(usage)
        return 0
      case "--version":
        try? Output.line("belfry-speaker " + BelfryVersion.text)
        return 0
      case "--json": json = true
      case "--list-devices": verb = word
      case "--check", "--play", "--write-default-sound", "--device", "--longest", "--set":
        guard index < words.count else { return misused("\(word) needs a value") }
        let value = words[index]
        index += 1
        switch ByteString(word) {
        case "--device": given.append(Setting(key: "device", value: value))
        case "--longest":
          guard let length = try? Nanoseconds.parse(value, field: word), length > 0 else {
            return misused("\(word) is a duration, such as 90s")
          }
          longest = length
        case "--set":
          let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          guard parts.count == 2 else { return misused("--set needs KEY=VALUE, not \(value)") }
          given.append(Setting(key: String(parts[0]), value: String(parts[1])))
        default: (verb, file) = (word, value)
        }
      default: return misused("unknown option \(word)")
      }
    }
    var settings = SoundSettings(given)
    settings.longest = longest
    if let problem = settings.problems.first { return misused(problem) }
    switch (ByteString(verb), file) {
    case ("--list-devices", _): return listDevices(json: json)
    case ("--check", let file?): return check(file, settings, json: json)
    case ("--play", let file?): return play(file, settings, json: json)
    case ("--write-default-sound", let file?): return writeDefault(file)
    default: return misused("nothing to do")
    }
  }

  private static func misused(_ problem: String) -> Int32 {
    Output.errorLine("belfry-speaker: \(problem) (belfry-speaker --help)")
    return 2
  }

  private static func line(_ text: String) {
    try? Output.line(text)
  }

  /// Of a file, or of a name.
  private static func choice(_ file: String, _ settings: SoundSettings) -> SoundChoice {
    let isFile = file.utf8.contains(0x2F) || (try? Files.status(file))?.kind == .regular
    let resolver = SoundResolver(settings)
    return isFile ? resolver.choose(path: file) : resolver.choose(app: "", name: file)
  }

  private static func check(_ file: String, _ settings: SoundSettings, json: Bool) -> Int32 {
    let choice = choice(file, settings)
    let path = choice.fallback == nil && choice.origin != SoundChoice.builtIn ? choice.origin : file
    let sound = try? SoundFile(path: path, longest: settings.longest)
    var object = JSONLine()
    object.append("file", file)
    object.append("plays", choice.fallback == nil)
    object.append("longest", thousandths: settings.longest / Nanoseconds.millisecond)
    var words = ""
    if let sound {
      object.append("format", sound.format)
      object.append("rate", Int64(sound.rate))
      object.append("channels", Int64(sound.channels))
      object.append("frames", sound.frames)
      object.append("seconds", thousandths: sound.milliseconds)
      words = "\(sound.format), \(sound.rate) Hz, "
      words += counted(sound.channels, "channel") + ", "
      words += (sound.isCountCut ? "more than " : "") + seconds(sound.milliseconds) + ": "
    }
    object.append("played", choice.origin)
    let reason = choice.fallback.map {
      String(decoding: $0.utf8.dropFirst(file.utf8.count + 2), as: UTF8.self)
    }
    object.append("reason", orNull: reason)
    if let reason {
      words += "\(reason); the default sound plays instead (\(choice.origin))"
    } else {
      words += "plays as it is"
    }
    line(json ? object.text : "\(file): \(words)")
    return choice.fallback == nil ? 0 : 1
  }

  static func seconds(_ milliseconds: Int64) -> String {
    let fraction = String(1000 + milliseconds % 1000).utf8.dropFirst()
    return "\(milliseconds / 1000).\(String(decoding: fraction, as: UTF8.self)) s"
  }

  private static func play(_ file: String, _ settings: SoundSettings, json: Bool) -> Int32 {
    let choice = choice(file, settings)
    let end = playWatched(choice, settings)
    var problem: String?
    // The same for people.
    var words: String?
    var text = ""
    var played: String?
    switch end {
    case .played(let device, let lost):
      played = device
      text = "played \(choice.origin), \(seconds(choice.sound.milliseconds)), on device \(device)"
      if !lost.isEmpty { text += "; lost \(lost)" }
      if let reason = choice.fallback { text += "; the default sound instead of \(reason)" }
    case .stopped: problem = "stopped"
    case .noDevice(let why):
      problem = "no-device: \(why)"
      words = "no sound, since ALSA has no device to play on (\(why))"
    case .busy(let why):
      problem = "sound-busy: \(why)"
      words = "no sound, since another program has the device (\(why))"
    }
    if json {
      var object = JSONLine()
      object.append("file", file)
      object.append("played", orNull: played == nil ? nil : choice.origin)
      object.append("seconds", thousandths: played == nil ? 0 : choice.sound.milliseconds)
      object.append("reason", orNull: choice.fallback)
      object.append("device", orNull: played)
      object.append("error", orNull: problem)
      line(object.text)
    } else if problem == nil {
      line(text)
    }
    if !json, let problem {
      // What is wrong with the file comes first: a device would not mend it.
      let file = choice.fallback.map { "\($0); the default sound instead" } ?? file
      Output.errorLine("belfry-speaker: \(file): \(words ?? problem)")
    }
    return problem == nil && choice.fallback == nil ? 0 : 1
  }

  /// Plays on a thread of its own, so that a device that hangs cannot hold the command.
  private static func playWatched(_ choice: SoundChoice, _ settings: SoundSettings) -> Playback.End
  {
    var left = settings.devices
    var hung = ""
    do throws(SystemError) {
      while true {
        let events = try Mailbox<SpeakerEvent>()
        let player = try Player(events)
        let control = PlaybackControl()
        let deadline = SystemClock.elapsed() + 5 * Nanoseconds.second
        player.play(
          run: 1,
          Playback(
            sound: choice.sound, gain: settings.volume, devices: left, deadline: deadline,
            control: control))
        switch wait(events, control) {
        case .ended(let end): return end
        case .hung(let device):
          left.removeAll { ByteString($0) == ByteString(device) }
          hung += "\(device) hangs; "
          if left.isEmpty { return .noDevice("\(hung)no other device is left") }
        }
      }
    } catch { return .noDevice(error.text) }
  }

  private enum Watched {
    case ended(Playback.End)
    case hung(String)
  }

  private static func wait(_ events: Mailbox<SpeakerEvent>, _ control: PlaybackControl) -> Watched {
    while true {
      _ = Poll.wait(events.descriptor, .readable, milliseconds: 500)
      for event in events.drain() {
        if case .finished(_, let end) = event { return .ended(end) }
      }
      if let device = control.hung(at: SystemClock.elapsed()) { return .hung(device) }
    }
  }

  private static func listDevices(json: Bool) -> Int32 {
    for device in PCMDevices.list() {
      if json {
        var object = JSONLine()
        object.append("name", device.name)
        object.append("description", device.description)
        line(object.text)
      } else {
        line(device.description.isEmpty ? device.name : "\(device.name)  \(device.description)")
      }
    }
    return 0
  }

  private static func writeDefault(_ path: String) -> Int32 {
    do throws(SystemError) {
      try Files.write(BuiltInTone.wav(), to: path, mode: 0o644)
      return 0
    } catch {
      Output.errorLine("belfry-speaker: \(error.text)")
      return 1
    }
  }
}
