import BelfryCore

/// Which of a notification's optional fields follow, in this order.
private struct Present: OptionSet {
  var rawValue: UInt32

  static let identifier = Present(rawValue: 1 << 0)
  static let fireDate = Present(rawValue: 1 << 1)
  static let repeatInterval = Present(rawValue: 1 << 2)
  static let repeatCalendar = Present(rawValue: 1 << 3)
  static let alertBody = Present(rawValue: 1 << 4)
  static let alertTitle = Present(rawValue: 1 << 5)
  static let alertSubtitle = Present(rawValue: 1 << 6)
  static let alertAction = Present(rawValue: 1 << 7)
  static let hasAction = Present(rawValue: 1 << 8)
  static let alertLaunchImage = Present(rawValue: 1 << 9)
  static let category = Present(rawValue: 1 << 10)
  static let badge = Present(rawValue: 1 << 11)
  static let badgeOperation = Present(rawValue: 1 << 12)
  static let soundName = Present(rawValue: 1 << 13)
  static let userInfo = Present(rawValue: 1 << 14)
  static let threadIdentifier = Present(rawValue: 1 << 15)
  static let interruptionLevel = Present(rawValue: 1 << 16)
  static let volume = Present(rawValue: 1 << 17)
  static let expires = Present(rawValue: 1 << 18)
  static let late = Present(rawValue: 1 << 19)
  static let known = Present(rawValue: (1 << 20) - 1)
}

extension BinaryWriter {
  mutating func put(_ value: Notification) {
    let start = bytes.count
    put(fixed: UInt32(0))
    var present: Present = value.hasAction ? [.hasAction] : []
    putTexts(of: value, &present)
    if let fireDate = value.fireDate {
      present.insert(.fireDate)
      put(fireDate)
    }
    if let unit = value.repeatInterval {
      present.insert(.repeatInterval)
      put(fixed: unit.rawValue)
    }
    if value.applicationIconBadgeNumber != 0 {
      present.insert(.badge)
      put(signed: value.applicationIconBadgeNumber)
    }
    if let operation = value.badgeOperation {
      present.insert(.badgeOperation)
      put(operation.code)
    }
    if !value.userInfo.isEmpty {
      present.insert(.userInfo)
      put(value.userInfo)
    }
    if value.interruptionLevel != .active {
      present.insert(.interruptionLevel)
      put(value.interruptionLevel.code)
    }
    if value.volume != 1 {
      present.insert(.volume)
      put(value.volume)
    }
    if let expires = value.expires {
      present.insert(.expires)
      put(expires)
    }
    if let late = value.late {
      present.insert(.late)
      put(late)
    }
    replace(at: start, with: present.rawValue)
  }

  private mutating func putTexts(of value: Notification, _ present: inout Present) {
    put(value.identifier, .identifier, &present)
    put(value.repeatCalendar, .repeatCalendar, &present)
    put(value.alertBody, .alertBody, &present)
    put(value.alertTitle, .alertTitle, &present)
    put(value.alertSubtitle, .alertSubtitle, &present)
    put(value.alertAction, .alertAction, &present)
    put(value.alertLaunchImage, .alertLaunchImage, &present)
    put(value.category, .category, &present)
    put(value.soundName, .soundName, &present)
    put(value.threadIdentifier, .threadIdentifier, &present)
  }

  private mutating func put(_ text: String?, _ field: Present, _ present: inout Present) {
    guard let text else { return }
    present.insert(field)
    put(text)
  }

  private mutating func put(_ late: LatePolicy) {
    switch late {
    case .fire: put(UInt8(0))
    case .drop: put(UInt8(1))
    case .seconds(let seconds):
      put(UInt8(2))
      put(signed: seconds)
    }
  }
}

extension BinaryReader {
  mutating func notification() throws(WireError) -> Notification {
    let present = Present(rawValue: try fixed("notification"))
    guard present.isSubset(of: .known) else {
      throw failure(.malformed, "notification: unknown fields")
    }
    var value = Notification()
    value.hasAction = present.contains(.hasAction)
    try readTexts(into: &value, present)
    if present.contains(.fireDate) { value.fireDate = try instant("fireDate") }
    if present.contains(.repeatInterval) { value.repeatInterval = try repeatUnit() }
    if present.contains(.badge) { value.applicationIconBadgeNumber = try signed("badge") }
    if present.contains(.badgeOperation) {
      value.badgeOperation = try choice("badgeOperation")
    }
    if present.contains(.userInfo) { value.userInfo = try dictionary(depth: 0) }
    if present.contains(.interruptionLevel) {
      value.interruptionLevel = try choice("interruptionLevel")
    }
    if present.contains(.volume) { value.volume = try double("volume") }
    if present.contains(.expires) { value.expires = try instant("expires") }
    if present.contains(.late) { value.late = try latePolicy() }
    return value
  }

  private mutating func readTexts(
    into value: inout Notification, _ present: Present
  ) throws(WireError) {
    if present.contains(.identifier) { value.identifier = try text("identifier") }
    if present.contains(.repeatCalendar) { value.repeatCalendar = try text("repeatCalendar") }
    if present.contains(.alertBody) { value.alertBody = try text("alertBody") }
    if present.contains(.alertTitle) { value.alertTitle = try text("alertTitle") }
    if present.contains(.alertSubtitle) { value.alertSubtitle = try text("alertSubtitle") }
    if present.contains(.alertAction) { value.alertAction = try text("alertAction") }
    if present.contains(.alertLaunchImage) {
      value.alertLaunchImage = try text("alertLaunchImage")
    }
    if present.contains(.category) { value.category = try text("category") }
    if present.contains(.soundName) { value.soundName = try text("soundName") }
    if present.contains(.threadIdentifier) {
      value.threadIdentifier = try text("threadIdentifier")
    }
  }

  private mutating func repeatUnit() throws(WireError) -> RepeatUnit {
    guard let unit = RepeatUnit(rawValue: try fixed("repeatInterval")) else {
      throw failure(.malformed, "repeatInterval: no such unit")
    }
    return unit
  }

  private mutating func latePolicy() throws(WireError) -> LatePolicy {
    switch try byte("late") {
    case 0: return .fire
    case 1: return .drop
    case 2: return .seconds(try signed("late"))
    default: throw failure(.malformed, "late: no such policy")
    }
  }

  mutating func choice<T: BinaryCoded>(_ what: StaticString) throws(WireError) -> T {
    guard let value = T(code: try byte(what)) else {
      throw failure(.malformed, "\(what): no such value")
    }
    return value
  }
}

/// An enumeration that travels as one byte.
protocol BinaryCoded {
  var code: UInt8 { get }
  init?(code: UInt8)
}

extension BadgeOperation: BinaryCoded {
  var code: UInt8 {
    switch self {
    case .set: 0
    case .add: 1
    case .clear: 2
    }
  }

  init?(code: UInt8) {
    switch code {
    case 0: self = .set
    case 1: self = .add
    case 2: self = .clear
    default: return nil
    }
  }
}

extension InterruptionLevel: BinaryCoded {
  var code: UInt8 {
    switch self {
    case .passive: 0
    case .active: 1
    case .timeSensitive: 2
    case .critical: 3
    }
  }

  init?(code: UInt8) {
    switch code {
    case 0: self = .passive
    case 1: self = .active
    case 2: self = .timeSensitive
    case 3: self = .critical
    default: return nil
    }
  }
}

extension LogLevel: BinaryCoded {
  var code: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

  init?(code: UInt8) {
    self.init(rawValue: Int32(code))
  }
}
