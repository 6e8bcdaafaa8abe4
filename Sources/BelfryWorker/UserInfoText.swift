import BelfryCore
import BelfryWire

/// `userInfo` as JSON text, for plugins.
enum UserInfoText {
  static func write(_ value: [String: PropertyList], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{}".utf8)
  }
}
