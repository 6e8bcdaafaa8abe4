import BelfryCore

/// What the value of a key may be.
public enum SettingValues: Hashable, Sendable {
  case boolean
  case integer(ClosedRange<Int64>)
  /// Whole seconds, or such as `90s`; the bound is in nanoseconds.
  case duration(upTo: Int64)
  /// One of these.
  case words([String])
  /// 0 to 1, or percent.
  case volume
  case quietHours
  /// T10's `fire`, `drop`, or seconds.
  case latePolicy
  /// 1 to 128 bytes; the daemon judges the name.
  case zone
  /// An absolute path.
  case path
  /// 1 to so many bytes.
  case text(upTo: Int)
  /// A name or number; whether there is such a group or user is looked up later.
  case group, user
  /// A unit of systemd.
  case unit
  case language
  /// Some of alert, badge and sound.
  case parts
  /// Bytes, such as `64M`.
  case size
  /// Names of `[output:NAME]` sections.
  case outputs
}

/// A value as it was read.
public enum SettingValue: Hashable, Sendable {
  case boolean(Bool)
  /// A number, or nanoseconds of a duration.
  case integer(Int64)
  case number(Double)
  case text(String)
  case quietHours(QuietHours)
  case latePolicy(LatePolicy)
  case parts(AppSettings)
}

extension SettingValues {
  /// The value that `text` stands for; nil: it is none of these.
  @export(interface)
  public func read(_ text: String) -> SettingValue? {
    switch self {
    case .boolean: Self.boolean(text).map { .boolean($0) }
    case .integer(let range):
      Int64(text).flatMap { range.contains($0) ? .integer($0) : nil }
    case .duration(let most): Self.duration(text, upTo: most).map { .integer($0) }
    case .words(let words): words.contains(text) ? .text(text) : nil
    case .volume: VolumeText.parse(text).map { .number($0) }
    case .quietHours: QuietHours(text).map { .quietHours($0) }
    case .latePolicy: Self.latePolicy(text).map { .latePolicy($0) }
    case .parts: Self.parts(text).map { .parts($0) }
    case .zone: (1...128).contains(text.utf8.count) ? .text(text) : nil
    case .path:
      text.utf8.first == UInt8(ascii: "/") && text.utf8.count < 4096 ? .text(text) : nil
    case .text(let most): (1...most).contains(text.utf8.count) ? .text(text) : nil
    case .group: text.isEmpty ? nil : .text(text)
    case .user: (1...64).contains(text.utf8.count) ? .text(text) : nil
    case .unit: Self.isUnit(text) ? .text(text) : nil
    case .language: Self.isLanguage(text) ? .text(text) : nil
    case .size: Self.size(text).map { .integer($0) }
    case .outputs: OutputNames.read(text) == nil ? nil : .text(text)
    }
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0": false
    default: nil
    }
  }

  private static func duration(_ text: String, upTo most: Int64) -> Int64? {
    let written = Int64(text) == nil ? text : text + "s"
    guard let duration = try? Nanoseconds.parse(written, field: ""), duration <= most else {
      return nil
    }
    return duration
  }

  private static func latePolicy(_ text: String) -> LatePolicy? {
    switch text {
    case "fire": return .fire
    case "drop": return .drop
    default: break
    }
    let most = 365 * Nanoseconds.day
    if let seconds = Int64(text) {
      return (0...most / Nanoseconds.second).contains(seconds) ? .seconds(seconds) : nil
    }
    guard let span = duration(text, upTo: most), span % Nanoseconds.second == 0 else { return nil }
    return .seconds(span / Nanoseconds.second)
  }

  /// `alert badge sound`, some of them, or `none`.
  private static func parts(_ text: String) -> AppSettings? {
    if text == "none" { return [] }
    var parts: AppSettings = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }) {
      switch word {
      case "alert": parts.insert(.alert)
      case "badge": parts.insert(.badge)
      case "sound": parts.insert(.sound)
      default: return nil
      }
    }
    return parts.isEmpty ? nil : parts
  }

  /// systemd.unit(5); a name that begins with `-` would be an option of systemctl.
  private static func isUnit(_ text: String) -> Bool {
    text.utf8.count <= 255 && text.utf8.contains(UInt8(ascii: "."))
      && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { isLetterOrDigit($0) || unitMarks.contains($0) }
  }

  private static var unitMarks: [UInt8] { Array(":-_.\\@".utf8) }

  /// BCP 47, roughly: de, de-AT, zh-Hans.
  private static func isLanguage(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return text.utf8.count <= 35
      && parts.allSatisfy { part in
        (1...8).contains(part.count) && part.allSatisfy { isLetterOrDigit($0) }
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Bytes of `256M`, `1G`, `65536K` or a plain number.
  private static func size(_ text: String) -> Int64? {
    var digits = Array(text.utf8)
    var shift: Int64 = 0
    switch digits.last {
    case UInt8(ascii: "K"): shift = 10
    case UInt8(ascii: "M"): shift = 20
    case UInt8(ascii: "G"): shift = 30
    default: break
    }
    if shift > 0 { digits.removeLast() }
    guard let number = Int64(String(decoding: digits, as: UTF8.self)), number >= 0,
      number <= Int64.max >> shift
    else { return nil }
    return number << shift
  }
}
