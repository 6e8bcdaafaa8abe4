import BelfryKit
import Testing

@testable import BelfryUIKit

@Suite struct UILocalNotificationTests {
  /// One with every field set.
  static func full() -> UILocalNotification {
    let notification = UILocalNotification()
    notification.fireDate = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_7)
    notification.timeZone = TimeZone(identifier: "Europe/Berlin")
    notification.repeatInterval = .month
    notification.repeatCalendar = Calendar(identifier: .iso8601)
    notification.alertBody = "Body äöü 🔔"
    notification.alertTitle = "Title"
    notification.alertAction = "Act"
    notification.hasAction = false
    notification.alertLaunchImage = "launch.png"
    notification.category = "CATEGORY"
    notification.applicationIconBadgeNumber = -3
    notification.soundName = "bell.caf"
    notification.userInfo = Self.info
    return notification
  }

  static var info: [AnyHashable: Any] {
    [
      "text": "x", "integer": 1, "double": 1.0, "boolean": true, "large": Int64.max,
      "date": Date(timeIntervalSinceReferenceDate: 12.5), "data": Data([0, 255]),
      "array": [1, "a", [false]] as [Any],
      "dictionary": ["$key": 1, "b": ["c": 2.5]] as [String: Any],
      "nsnumber": NSNumber(value: 3), "nstrue": NSNumber(value: true),
      "nshalf": NSNumber(value: 0.5),
    ]
  }

  @Test func N2_N4_N8_N9_N11_R2_aNewOneHasTheDefaultsOfIOS() {
    let notification = UILocalNotification()
    #expect(notification.fireDate == nil)
    #expect(notification.timeZone == nil)
    #expect(notification.repeatInterval == [])
    #expect(notification.repeatCalendar == nil)
    #expect(notification.region == nil)
    #expect(notification.regionTriggersOnce)
    #expect(notification.alertBody == nil)
    #expect(notification.alertTitle == nil)
    #expect(notification.alertAction == nil)
    #expect(notification.hasAction)
    #expect(notification.alertLaunchImage == nil)
    #expect(notification.category == nil)
    #expect(notification.applicationIconBadgeNumber == 0)
    #expect(notification.soundName == nil)
    #expect(notification.userInfo == nil)
  }

  @Test func N13_N15_copiesAreEqualAndIndependent() throws {
    let one = Self.full()
    let other = try #require(one.copy() as? UILocalNotification)
    #expect(one == other)
    #expect(one.hash == other.hash)
    #expect(one !== other)
    #expect(Set([one, other]).count == 1)
    other.alertBody = "Other"
    #expect(one != other)
    #expect(one.alertBody == "Body äöü 🔔")
  }

  @Test func N15_eachFieldCountsForEquality() {
    let changes: [(String, (UILocalNotification) -> Void)] = [
      ("fireDate", { $0.fireDate = nil }), ("timeZone", { $0.timeZone = nil }),
      ("repeatInterval", { $0.repeatInterval = .day }),
      ("repeatCalendar", { $0.repeatCalendar = nil }),
      ("alertBody", { $0.alertBody = nil }), ("alertTitle", { $0.alertTitle = nil }),
      ("alertAction", { $0.alertAction = nil }), ("hasAction", { $0.hasAction = true }),
      ("alertLaunchImage", { $0.alertLaunchImage = nil }), ("category", { $0.category = nil }),
      ("badge", { $0.applicationIconBadgeNumber = 0 }), ("soundName", { $0.soundName = nil }),
      ("userInfo", { $0.userInfo?["integer"] = 1.0 }), ("region", { $0.region = Self.region }),
      ("regionTriggersOnce", { $0.regionTriggersOnce = false }),
    ]
    for (field, change) in changes {
      let changed = Self.full()
      change(changed)
      #expect(changed != Self.full(), "\(field)")
    }
  }

  static var region: CLCircularRegion {
    CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3, identifier: "r")
  }

  @Test func N12_userInfoKeepsItsTypesApart() throws {
    let read = try #require(Self.full().userInfo)
    #expect(read["integer"] as? Int == 1 && !(read["integer"] is Double))
    #expect(read["double"] as? Double == 1 && !(read["double"] is Int))
    #expect(read["boolean"] as? Bool == true && !(read["boolean"] is Int))
    #expect(read["nsnumber"] is Int && read["nstrue"] is Bool && read["nshalf"] is Double)
    #expect(read["data"] as? Data == Data([0, 255]))
    #expect(read["date"] as? Date == Date(timeIntervalSinceReferenceDate: 12.5))
    #expect((read["array"] as? [Any])?[1] as? String == "a")
    #expect((read["dictionary"] as? [String: Any])?["$key"] as? Int == 1)
    let (one, two) = (UILocalNotification(), UILocalNotification())
    one.userInfo = ["a": 1]
    for other: Any in [1.0, true, "1"] {
      two.userInfo = ["a": other]
      #expect(one != two)
    }
  }

  @Test(
    arguments: [
      (["a": NSNull()], "userInfo.a"), (["a": ["b": [1, 2, 3, NSNull()]]], "userInfo.a.b[3]"),
      (["a": [3: "x"]], "userInfo.a"), (["a": ["b": UInt64.max]], "userInfo.a.b"),
      (["a": URL(fileURLWithPath: "/")], "userInfo.a"),
    ] as [(PropertyListCase, String)])
  func N12_whatIsNoPropertyListIsRefusedWithItsPath(value: PropertyListCase, path: String) {
    let notification = Self.full()
    let error = #expect(throws: SchedulerError.self) {
      try notification.setUserInfo(value.dictionary)
    }
    #expect(error?.field == path)
    #expect(notification == Self.full(), "nothing has changed")
  }

  /// A dictionary that Swift Testing may pass on.
  struct PropertyListCase: @unchecked Sendable, ExpressibleByDictionaryLiteral {
    var dictionary: [AnyHashable: Any]
    init(dictionaryLiteral elements: (String, Any)...) {
      dictionary = Dictionary(uniqueKeysWithValues: elements.map { (AnyHashable($0.0), $0.1) })
    }
  }

  /// Tests/Fixtures/UIKitTraps does it; a test's own process would not come back.
  @Test(arguments: ["userInfo", "twoTriggers"])
  func N3_N12_itTrapsWhereIOSRaises(what: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: RunningDaemon.products + "/UIKitTraps")
    process.arguments = [what]
    process.environment = ["SWIFT_BACKTRACE": "enable=no", "BELFRY_SOCKET": "/nonexistent/socket"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
  }

  @Test(
    arguments: [
      (NSCalendar.Unit.second, RepeatInterval.second), (.minute, .minute), (.hour, .hour),
      (.day, .day), (.weekday, .weekday), (.weekdayOrdinal, .weekdayOrdinal), (.week, .week),
      (.weekOfMonth, .weekOfMonth), (.weekOfYear, .weekOfYear), (.month, .month),
      (.quarter, .quarter), (.year, .year), (.yearForWeekOfYear, .yearForWeekOfYear),
    ] as [(NSCalendar.Unit, RepeatInterval)])
  func N4_eachUnitIsScheduledAsItself(unit: NSCalendar.Unit, interval: RepeatInterval) throws {
    let notification = UILocalNotification()
    notification.repeatInterval = unit
    #expect(try notification.scheduled(as: nil).repeatInterval == interval)
    #expect(notification.repeatInterval == unit)
    guard unit != .week else { return }
    let component = try #require(notification.repeatComponent)
    notification.repeatInterval = []
    notification.repeatComponent = component
    #expect(notification.repeatInterval == unit)
  }

  @Test(
    arguments: [
      [.day, .hour], .era, .nanosecond, .calendar, .timeZone, NSCalendar.Unit(rawValue: 1 << 40),
    ] as [NSCalendar.Unit])
  func N4_whatIsNoUnitIsRefusedWhenScheduledNotWhenSet(unit: NSCalendar.Unit) {
    let notification = UILocalNotification()
    notification.repeatInterval = unit
    #expect(notification.repeatInterval == unit)
    let error = #expect(throws: SchedulerError.self) { try notification.scheduled(as: nil) }
    #expect(error?.field == "repeatInterval")
  }

  @Test func N3_aRegionAndADateAreRefusedWhenScheduledNotWhenSet() {
    let notification = Self.full()
    notification.region = Self.region
    let error = #expect(throws: SchedulerError.self) { try notification.scheduled(as: nil) }
    #expect(error?.field == "region")
  }

  @Test func R1_aRegionIsCopiedAndComesBackWhole() throws {
    let region = Self.region
    region.notifyOnExit = false
    let notification = UILocalNotification()
    notification.region = region
    region.notifyOnEntry = false
    let read = try #require(notification.region as? CLCircularRegion)
    #expect(read.identifier == "r" && read.center == region.center && read.radius == 3)
    #expect(read.notifyOnEntry && !read.notifyOnExit)
  }

  @Test func T2_zonesHaveTheirNamesOfTheDatabase() {
    let notification = UILocalNotification()
    notification.timeZone = .autoupdatingCurrent
    #expect(notification.timeZone?.identifier == TimeZone.current.identifier)
    notification.timeZone = TimeZone(secondsFromGMT: 3600)
    #expect(notification.timeZone?.secondsFromGMT() == 3600)
  }

  @Test func theDefaultSoundIsFoundUnderItsNameOnIOS() {
    let notification = UILocalNotification()
    notification.soundName = "UILocalNotificationDefaultSoundName"
    #expect(notification.soundName == UILocalNotificationDefaultSoundName)
  }

  @Test func archivesKeepEveryField() throws {
    for notification in [Self.full(), UILocalNotification()] {
      notification.content.identifier = "id"
      notification.regionTriggersOnce = false
      if notification.fireDate == nil { notification.region = Self.region }
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: notification, requiringSecureCoding: false)
      let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data)
      #expect(read as? UILocalNotification == notification)
      #expect((read as? UILocalNotification)?.content.identifier == "id")
    }
  }
}
