import BelfryCore
import BelfrySystem
import BelfryWire

/// A ladder as people write it: `now:console 2m:speaker 5m:exec,phone`, or the same in a file.
enum LadderText {
  static let forms =
    "steps such as 'now:console 2m:speaker 5m:exec,phone', each AFTER:SINKS, where * is every sink and"
    + " :sound=NAME, :volume=V and :level=LEVEL may follow; or @FILE with such steps, or with the JSON"
    + " of the field ladder. Without a step at now it goes first to --to, or to every sink"

  /// Longer files are refused.
  private static let most = 16 * 1024

  static func read(_ text: String) throws(CommandError) -> [LadderStep] {
    guard text.utf8.first == UInt8(ascii: "@") else { return try steps(text) }
    let path = String(text.dropFirst())
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.read(path, limit: most)
    } catch {
      throw .refused("--ladder: " + error.text)
    }
    let content = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
    return content.utf8.first { !isBlank($0) } == UInt8(ascii: "[")
      ? try json(content, path) : try steps(content)
  }

  private static func json(_ text: String, _ path: String) throws(CommandError) -> [LadderStep] {
    let value: JSONValue
    do throws(WireError) {
      value = try JSONValue.parse(text)
    } catch {
      throw .refused("--ladder: " + FieldError.quoted(path) + ": " + error.reason)
    }
    do throws(FieldError) {
      var notification = Notification()
      try NotificationCodec.set("ladder", to: value, in: &notification)
      return notification.ladder
    } catch {
      throw .refused(error, .notification)
    }
  }

  private static func steps(_ text: String) throws(CommandError) -> [LadderStep] {
    var steps: [LadderStep] = []
    for word in text.utf8.split(whereSeparator: isBlank) {
      steps.append(try step(String(word) ?? ""))
    }
    guard !steps.isEmpty else { throw .usage("--ladder: there is no step; write " + forms) }
    return steps
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

  private static func step(_ word: String) throws(CommandError) -> LadderStep {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count >= 2, !parts[1].isEmpty else {
      throw .usage(
        "--ladder: " + FieldError.quoted(word)
          + " is no step; write AFTER:SINKS, such as 2m:speaker")
    }
    let after = parts[0] == "now" ? 0 : try DurationArgument.parse(parts[0], "--ladder")
    var step = LadderStep(after: after)
    if parts[1] != "*" { step.sinks = parts[1].split(separator: ",").map { String($0) } }
    for part in parts.dropFirst(2) { try set(part, in: &step) }
    return step
  }

  private static func set(_ part: String, in step: inout LadderStep) throws(CommandError) {
    let pair = part.split(separator: "=", maxSplits: 1).map { String($0) }
    guard pair.count == 2 else { throw unknown(part) }
    switch pair[0] {
    case "sound": step.sound = pair[1]
    case "volume":
      step.volume = try NotificationReader.share(pair[1], "--ladder")
    case "level":
      guard let level = InterruptionLevel(rawValue: pair[1]) else {
        let known = InterruptionLevel.allCases.map { $0.rawValue }
        throw .usage(
          "--ladder: " + FieldError.unknownWord(pair[1], among: known, what: "level"))
      }
      step.interruptionLevel = level
    default: throw unknown(part)
    }
  }

  private static func unknown(_ part: String) -> CommandError {
    .usage(
      "--ladder: " + FieldError.quoted(part)
        + " is none of sound=NAME, volume=V and level=LEVEL")
  }
}
