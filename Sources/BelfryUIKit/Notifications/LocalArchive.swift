import BelfryKit
import Foundation

/// A notification in an archive, field by field under the names of `UILocalNotification`.
enum LocalArchive {
  private typealias Text = any WritableKeyPath<LocalNotification, String?> & Sendable

  private static let texts: [(String, Text)] = [
    ("timeZone", \.timeZoneName), ("repeatCalendar", \.repeatCalendarName),
    ("alertBody", \.format), ("alertTitle", \.alertTitle), ("alertAction", \.alertAction),
    ("alertLaunchImage", \.alertLaunchImage), ("category", \.category), ("soundName", \.soundName),
    ("identifier", \.identifier),
  ]

  static func write(_ content: LocalNotification, repeatUnits: UInt, to coder: NSCoder) {
    for (name, path) in texts {
      if let text = content[keyPath: path] { coder.encode(NSString(string: text), forKey: name) }
    }
    if let date = content.fireDate {
      coder.encode(date.timeIntervalSinceReferenceDate, forKey: "fireDate")
    }
    coder.encode(Int64(repeatUnits), forKey: "repeatInterval")
    coder.encode(content.hasAction, forKey: "hasAction")
    coder.encode(Int64(content.applicationIconBadgeNumber), forKey: "applicationIconBadgeNumber")
    coder.encode(content.regionTriggersOnce, forKey: "regionTriggersOnce")
    let info = content.userInfo.mapValues { $0.any }
    if let bytes = try? PropertyListSerialization.data(
      fromPropertyList: info, format: .binary, options: 0)
    {
      coder.encode(NSData(data: bytes), forKey: "userInfo")
    }
    if let region = content.region { write(region, to: coder) }
  }

  private static func write(_ region: CircularRegion, to coder: NSCoder) {
    coder.encode(NSString(string: region.identifier ?? ""), forKey: "region")
    coder.encode(region.latitude, forKey: "latitude")
    coder.encode(region.longitude, forKey: "longitude")
    coder.encode(region.radius, forKey: "radius")
    coder.encode(region.notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(region.notifyOnExit, forKey: "notifyOnExit")
  }

  static func read(_ coder: NSCoder) -> (content: LocalNotification, repeatUnits: UInt) {
    var content = LocalNotification()
    for (name, path) in texts { content[keyPath: path] = text(name, coder) }
    if coder.containsValue(forKey: "fireDate") {
      content.fireDate = Date(
        timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "fireDate"))
    }
    if coder.containsValue(forKey: "hasAction") {
      content.hasAction = coder.decodeBool(forKey: "hasAction")
    }
    if coder.containsValue(forKey: "regionTriggersOnce") {
      content.regionTriggersOnce = coder.decodeBool(forKey: "regionTriggersOnce")
    }
    content.applicationIconBadgeNumber = Int(
      clamping: coder.decodeInt64(forKey: "applicationIconBadgeNumber"))
    if coder.containsValue(forKey: "userInfo"),
      let bytes = coder.decodeObject(of: NSData.self, forKey: "userInfo"),
      let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
      let pairs = list as? [String: Any], let info = try? PropertyListValue.userInfo(pairs)
    {
      content.userInfo = info
    }
    content.region = region(coder)
    return (content, UInt(clamping: coder.decodeInt64(forKey: "repeatInterval")))
  }

  private static func region(_ coder: NSCoder) -> CircularRegion? {
    guard let name = text("region", coder) else { return nil }
    var region = CircularRegion(
      identifier: name.isEmpty ? nil : name, latitude: coder.decodeDouble(forKey: "latitude"),
      longitude: coder.decodeDouble(forKey: "longitude"),
      radius: coder.decodeDouble(forKey: "radius"))
    region.notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
    region.notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
    return region
  }

  private static func text(_ name: String, _ coder: NSCoder) -> String? {
    // The decoder keeps an error for a key that is not there.
    guard coder.containsValue(forKey: name) else { return nil }
    return coder.decodeObject(of: NSString.self, forKey: name).map { "\($0)" }
  }
}

extension LocalNotification {
  /// The body, which UIKit takes for a format (N7).
  var format: String? {
    get { alertBody }
    set {
      alertBody = newValue
      // What has no percent sign stays equal to what was scheduled before there were two kinds.
      alertBodyIsFormat = newValue?.utf8.contains(UInt8(ascii: "%")) ?? false
    }
  }
}
