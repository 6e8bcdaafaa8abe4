import BelfryCore
import BelfryWire

/// One `key = value` with what its value may be.
struct ConfigurationKey {
  private let section: String
  private let line: Int64
  let name: String
  let value: String

  init(_ section: String, _ entry: INIFile.Entry) {
    self.section = section
    line = entry.line
    name = entry.key
    value = entry.value
  }

  /// `reason` goes on after the key's name.
  func error(_ reason: String) -> ConfigurationError {
    ConfigurationError(line, "[\(section)] \(name) \(reason)")
  }

  var unknown: ConfigurationError { error("is no key of this section") }
  var notInThisBuild: ConfigurationError { error("= \(value) is not in this build") }

  func integer(_ range: ClosedRange<Int64>) throws(ConfigurationError) -> Int64 {
    guard let number = Int64(value), range.contains(number) else {
      throw error("is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A user's name or number, who need not be there yet.
  func user() throws(ConfigurationError) -> String {
    guard !value.isEmpty, value.utf8.count <= 64 else { throw error("is a user's name or number") }
    return value
  }

  func boolean() throws(ConfigurationError) -> Bool {
    switch value {
    case "true", "yes", "on", "1": return true
    case "false", "no", "off", "0": return false
    default: throw error("is yes or no")
    }
  }

  /// Whole seconds, or such as `90s` or `1h30m`; in nanoseconds.
  func duration(upTo most: Int64) throws(ConfigurationError) -> Int64 {
    let text = Int64(value) == nil ? value : value + "s"
    do throws(FieldError) {
      let duration = try Duration.parse(text, field: name)
      guard duration <= most else { throw FieldError(name, .outOfRange, "") }
      return duration
    } catch {
      throw self.error(
        "is a number of seconds, or such as 90s or 10m, up to \(Duration.text(most))")
    }
  }

  func volume() throws(ConfigurationError) -> Double {
    guard let volume = VolumeText.parse(value) else {
      throw error("is a number from 0 to 1, or such as 80%")
    }
    return volume
  }

  func quietHours() throws(ConfigurationError) -> QuietHours {
    guard let hours = QuietHours(value) else {
      throw error("is two times of day, such as 22:00-06:00")
    }
    return hours
  }

  /// T10's `fire`, `drop`, or seconds.
  func latePolicy() throws(ConfigurationError) -> LatePolicy {
    switch value {
    case "fire": return .fire
    case "drop": return .drop
    default: break
    }
    guard let seconds = Int64(value), (0...31_536_000).contains(seconds) else {
      throw error("is fire, drop or a number of seconds up to a year")
    }
    return .seconds(seconds)
  }

  func onFull() throws(ConfigurationError) -> SchedulerConfiguration.OnFull {
    guard let policy = SchedulerConfiguration.OnFull(rawValue: value) else {
      throw error("is discard or refuse")
    }
    return policy
  }
}
