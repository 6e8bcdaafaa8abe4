import BelfryCore
import BelfryWire

/// `[output:NAME]` (E11), and what names such sections.
extension DaemonConfiguration {
  /// The speaker is told `device:NAME`, and `wake:NAME` in nanoseconds; a section without keys is an
  /// output, too.
  mutating func readOutput(_ section: INIFile.Section) throws(ConfigurationError) {
    guard let name = section.name, OutputNames.isName(name) else {
      throw ConfigurationError(
        section.line, "[\(section.header)]: an output's name is 1 to 64 of A-Z a-z 0-9 _ -")
    }
    guard outputNames.count < OutputKey.most else {
      throw ConfigurationError(
        section.line, "[\(section.header)]: at most \(OutputKey.most) outputs may be given")
    }
    var wake: Int64 = 0
    for entry in section.entries {
      let key = ConfigurationKey(section.header, entry)
      let (kind, value) = try key.judged(as: OutputKey.self)
      switch kind {
      case .device: sound.append(Setting(key: "device:" + name, value: try value.text()))
      case .wake:
        wake = try value.integer()
        scheduler.sounds.wake = max(scheduler.sounds.wake, wake)
      }
    }
    sound.append(Setting(key: "wake:" + name, value: "\(wake)"))
  }

  private var outputNames: [String] {
    sound.compactMap { $0.key.hasPrefix("wake:") ? String($0.key.dropFirst(5)) : nil }
  }

  /// Each output with the devices that are tried for it, in order of the file; status shows them.
  var outputs: [(name: String, device: String?)] {
    outputNames.map { name in
      (name, sound.first { $0.key == "device:" + name }?.value)
    }
  }

  /// Every output that is named must be there, wherever in the file.
  func checkOutputs(_ file: INIFile) throws(ConfigurationError) {
    let known = outputNames
    for section in file.sections where section.kind == "sound" || section.kind == "app" {
      for entry in section.entries where entry.key == SoundKey.output.rawValue {
        let key = ConfigurationKey(section.header, entry)
        for name in OutputNames.read(entry.value) ?? [] where !known.contains(name) {
          throw key.refusal("there is no section [output:\(name)]")
        }
      }
    }
  }

  mutating func readLongest(
    _ key: ConfigurationKey, _ value: ConfigurationValue
  ) throws(ConfigurationError) {
    let longest = try value.integer()
    guard longest >= Nanoseconds.second else { throw key.refusal("should be 1 s to 10 min") }
    scheduler.sounds.longest = longest
    sound.append(Setting(key: key.name, value: "\(longest)"))
  }
}
