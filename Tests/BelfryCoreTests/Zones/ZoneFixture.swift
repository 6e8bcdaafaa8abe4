import Foundation

@testable import BelfryCore

/// Zones as this system's tz database has them.
enum ZoneFixture {
  static let folder = "/usr/share/zoneinfo/"

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + name)))
  }

  static func rules(_ name: String) throws -> ZoneRules {
    try ZoneRules(tzif: bytes(name))
  }

  /// A wall clock, as `2027-03-28T02:30`.
  static func civil(_ text: String) throws -> CivilTime {
    CivilTime(try RFC3339.parse(text + "Z", field: "text"))
  }

  static func instant(_ text: String) throws -> Instant {
    try RFC3339.parse(text, field: "text")
  }
}
