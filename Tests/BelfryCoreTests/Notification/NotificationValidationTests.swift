import Testing

@testable import BelfryCore

struct NotificationValidationTests {
  /// A notification with one thing changed.
  static func with(_ change: (inout Notification) -> Void) -> Notification {
    var notification = Notification()
    change(&notification)
    return notification
  }

  static func refusal(_ notification: Notification) -> FieldError? {
    do {
      _ = try notification.validated()
      return nil
    } catch {
      return error
    }
  }

  static func text(_ count: Int) -> String { String(repeating: "ü", count: count / 2) }

  static func nested(_ depth: Int) -> PropertyList {
    (1..<depth).reduce(.array([])) { inner, _ in .array([inner]) }
  }

  struct Row: CustomTestStringConvertible {
    var field: String
    var code: FieldError.Code
    var notification: Notification
    init(_ field: String, _ code: FieldError.Code, _ change: (inout Notification) -> Void) {
      (self.field, self.code, notification) = (field, code, with(change))
    }
    var testDescription: String { "\(field) \(code.rawValue)" }
  }

  static let refused = [
    Row("identifier", .malformed) { $0.identifier = "" },
    Row("identifier", .tooLong) { $0.identifier = String(repeating: "x", count: 129) },
    Row("identifier", .malformed) { $0.identifier = "a\nb" },
    Row("identifier", .malformed) { $0.identifier = "a\u{7F}" },
    Row("identifier", .malformed) { $0.identifier = "a\u{85}" },
    Row("identifier", .malformed) { $0.identifier = "a\0" },
    Row("alertBody", .tooLong) { $0.alertBody = text(16 * 1024 + 2) },
    Row("alertBody", .malformed) { $0.alertBody = "a\0b" },
    Row("alertTitle", .tooLong) { $0.alertTitle = text(1026) },
    Row("alertTitle", .malformed) { $0.alertTitle = "\0" },
    Row("alertSubtitle", .tooLong) { $0.alertSubtitle = text(1026) },
    Row("alertAction", .tooLong) { $0.alertAction = text(1026) },
    Row("alertLaunchImage", .tooLong) { $0.alertLaunchImage = text(256) },
    Row("alertLaunchImage", .malformed) { $0.alertLaunchImage = "../secret.png" },
    Row("category", .tooLong) { $0.category = text(256) },
    Row("category", .malformed) { $0.category = "" },
    Row("threadIdentifier", .malformed) { $0.threadIdentifier = "a\u{1B}[2J" },
    Row("soundName", .tooLong) { $0.soundName = text(256) },
    Row("soundName", .malformed) { $0.soundName = "" },
    Row("soundName", .malformed) { $0.soundName = "../bell.wav" },
    Row("soundName", .malformed) { $0.soundName = "/etc/passwd" },
    Row("soundName", .malformed) { $0.soundName = ".." },
    Row("soundName", .malformed) { $0.soundName = "bell\0.wav" },
    Row("volume", .outOfRange) { $0.volume = 1.01 },
    Row("volume", .outOfRange) { $0.volume = -0.01 },
    Row("volume", .outOfRange) { $0.volume = .nan },
    Row("volume", .outOfRange) { $0.volume = .infinity },
    Row("applicationIconBadgeNumber", .outOfRange) { $0.applicationIconBadgeNumber = .min },
    Row("applicationIconBadgeNumber", .outOfRange) { $0.applicationIconBadgeNumber = 1 << 31 },
    Row("late", .outOfRange) { $0.late = .seconds(-1) },
    Row("late", .outOfRange) { $0.late = .seconds(.max) },
    Row("repeatCalendar", .unknown) { $0.repeatCalendar = "gregorain" },
    Row("repeatCalendar", .unknown) { $0.repeatCalendar = "" },
    Row("expires", .conflict) {
      $0.fireDate = instant(2026, 12, 24)
      $0.expires = instant(2026, 12, 24)
    },
    Row("userInfo", .tooLong) { $0.userInfo = ["a": .string(text(64 * 1024 - 6))] },
    Row("userInfo.a.b[1]", .outOfRange) {
      $0.userInfo = ["a": .dictionary(["b": .array([.integer(1), .double(.nan)])])]
    },
    Row("userInfo.a[0]", .outOfRange) { $0.userInfo = ["a": .array([.double(-.infinity)])] },
    Row("userInfo[\"a.b\"]", .malformed) { $0.userInfo = ["a.b": .string("\0")] },
    Row("userInfo[\"k\u{FFFD}\"]", .malformed) { $0.userInfo = ["k\0": .integer(1)] },
    Row("userInfo.a" + String(repeating: "[0]", count: 63), .outOfRange) {
      $0.userInfo = ["a": nested(64)]
    },
  ]

  @Test(arguments: refused)
  func A4_refusesByField(_ row: Row) throws {
    let error = try #require(Self.refusal(row.notification))
    #expect(error.field == row.field && error.code == row.code)
    #expect(!error.reason.hasSuffix(".") && !error.reason.unicodeScalars.contains("\0"))
  }

  static let accepted = [
    with { $0.identifier = String(repeating: "x", count: 128) },
    with { $0.identifier = "Tee 🫖" },
    with { $0.alertBody = text(16 * 1024) },
    with { $0.alertBody = "two\nlines\tand a tab" },
    with { $0.alertBody = "" },
    with { $0.alertTitle = text(1024) },
    with { $0.category = text(254) },
    with { $0.soundName = "default" },
    with { $0.soundName = "..bell..wav" },
    with { $0.volume = 0 },
    with { $0.volume = 1 },
    with { $0.applicationIconBadgeNumber = -1 },
    with { $0.applicationIconBadgeNumber = 1 << 31 - 1 },
    with { $0.late = .seconds(0) },
    with { $0.late = .drop },
    with { $0.fireDate = .distantPast },
    with { $0.fireDate = .distantFuture },
    with { $0.userInfo = ["a": .string(text(64 * 1024 - 8))] },
    with { $0.userInfo = ["a": nested(63), "": .boolean(true), "$date": .integer(1)] },
    with {
      $0.fireDate = .distantFuture
      $0.expires = instant(2026, 12, 24)
    },
  ]

  @Test(arguments: accepted)
  func N_keepsWhatIsWithinBounds(_ notification: Notification) throws {
    #expect(try notification.validated() == notification)
  }

  @Test(arguments: ["gregorian", "iso8601", "buddhist", "japanese", "roc"])
  func N6_gregorianFamily(_ calendar: String) throws {
    _ = try Self.with { $0.repeatCalendar = calendar }.validated()
  }

  @Test func N_volumeHasNoMinusZero() throws {
    let checked = try Self.with { $0.volume = -0.0 }.validated()
    #expect(checked.volume.sign == .plus)
  }

  @Test(arguments: RepeatUnit.allCases)
  func N6_onlyMonthsAndYearsAreAPlugins(_ unit: RepeatUnit) throws {
    let notification = Self.with { ($0.repeatCalendar, $0.repeatInterval) = ("hebrew", unit) }
    let isLong: Bool = [.month, .quarter, .year, .yearForWeekOfYear].contains(unit)
    #expect(notification.pluginCalendar == (isLong ? "hebrew" : nil))
    _ = try notification.validated()
  }

  @Test func N6_whatIsSkippedInAPluginsCalendarCannotBeCounted() throws {
    let notification = Self.with {
      ($0.repeatCalendar, $0.repeatInterval) = ("hebrew", .month)
      ($0.monthEnd, $0.count) = (.skip, 3)
    }
    let error = #expect(throws: FieldError.self) { try notification.validated() }
    #expect(error?.field == "count")
  }

  @Test func N6_suggestsTheCalendarMeant() {
    let error = Self.refusal(Self.with { $0.repeatCalendar = "gregorain" })
    #expect(error?.reason.contains("did you mean gregorian?") == true)
  }
}
