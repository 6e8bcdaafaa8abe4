// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

/// The owner of zones that are one's own.
public let CKCurrentUserDefaultName = "__defaultOwner__"

/// The name of a record, in its zone; equal by value, and can be archived.
public final class CKRecordID: NSObject, NSCopying, NSSecureCoding, Sendable {
  public let recordName: String
  public let zoneID: CKRecordZoneID

  /// In one's own default zone, unless another is given.
  public init(recordName: String, zoneID: CKRecordZoneID = .default) {
    self.recordName = recordName
    self.zoneID = zoneID
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  /// nil: an archive of something else.
  public convenience init?(coder: NSCoder) {
    guard let name = coder.text("recordName"), let zone = CKRecordZoneID(coder: coder) else {
      return nil
    }
    self.init(recordName: name, zoneID: zone)
  }

  public func encode(with coder: NSCoder) {
    coder.encode(NSString(string: recordName), forKey: "recordName")
    zoneID.encode(with: coder)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecordID else { return false }
    return recordName == other.recordName && zoneID == other.zoneID
  }

  public override var hash: Int { recordName.hashValue }

  public override var description: String {
    "<CKRecordID: recordName = \(recordName), zoneID = \(zoneID.zoneName):\(zoneID.ownerName)>"
  }
}

/// The name of a record zone, and its owner's; equal by value, and can be archived.
public final class CKRecordZoneID: NSObject, NSCopying, NSSecureCoding, Sendable {
  /// CloudKit's name for the zone that every database has.
  public static let defaultZoneName = "_defaultZone"
  /// One's own default zone.
  public static let `default` = CKRecordZoneID()

  public let zoneName: String
  public let ownerName: String

  public init(
    zoneName: String = CKRecordZoneID.defaultZoneName, ownerName: String = CKCurrentUserDefaultName
  ) {
    self.zoneName = zoneName
    self.ownerName = ownerName
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  /// nil: an archive of something else.
  public convenience init?(coder: NSCoder) {
    guard let zone = coder.text("zoneName"), let owner = coder.text("ownerName") else { return nil }
    self.init(zoneName: zone, ownerName: owner)
  }

  public func encode(with coder: NSCoder) {
    coder.encode(NSString(string: zoneName), forKey: "zoneName")
    coder.encode(NSString(string: ownerName), forKey: "ownerName")
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecordZoneID else { return false }
    return zoneName == other.zoneName && ownerName == other.ownerName
  }

  public override var hash: Int { zoneName.hashValue }

  public override var description: String {
    "<CKRecordZoneID: zoneName = \(zoneName), ownerName = \(ownerName)>"
  }
}

/// Where CloudKit's names for records are; there are no records here.
public enum CKRecord {
  public typealias ID = CKRecordID
}

/// Where CloudKit's names for record zones are; there are no zones here.
public enum CKRecordZone {
  public typealias ID = CKRecordZoneID
}

/// Where CloudKit's names for subscriptions are; there are none here.
public enum CKSubscription {
  public typealias ID = String
}

/// Where CloudKit's names for databases are; there are none here.
public enum CKDatabase {
  /// Which database; raw values as on iOS, which are not those on the wire (P3).
  public enum Scope: Int, Sendable {
    case `public` = 1
    case `private`, shared
  }
}
