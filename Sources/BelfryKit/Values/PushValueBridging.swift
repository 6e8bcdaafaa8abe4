import Foundation

/// Between `[AnyHashable: Any]`, as UIKit hands over a push, and values that keep their types apart.
extension PushValue {
  /// Reads a value of Foundation's or Swift's own types, `NSNull` among them.
  ///
  /// Throws a `SchedulerError` whose field is the path of what JSON has not, such as `ck.qry.af[3]`:
  /// a date, data, a key that is no string, a number that is not finite, any other type.
  public init(_ value: Any) throws(SchedulerError) {
    self = try Self.read(value, path: "")
  }

  /// Reads the `userInfo` of a push.
  public static func payload(
    _ userInfo: [AnyHashable: Any]
  ) throws(SchedulerError) -> [String: PushValue] {
    try read(userInfo, path: "")
  }

  /// The value as Swift and Foundation have it: `String`, `Int`, `Double`, `Bool`, `[Any]`,
  /// `[String: Any]`, `NSNull`.
  public var any: Any {
    switch self {
    case .null: NSNull()
    case .string(let value): value
    case .integer(let value): Int(exactly: value) ?? value
    case .double(let value): value
    case .boolean(let value): value
    case .array(let elements): elements.map { $0.any }
    case .dictionary(let pairs): pairs.mapValues { $0.any }
    }
  }

  private static func read(_ value: Any, path: String) throws(SchedulerError) -> Self {
    switch value {
    case let value as PushValue: return value
    case is NSNull: return .null
    case let value as [Any]: return .array(try read(value, path: path))
    case let value as [AnyHashable: Any]: return .dictionary(try read(value, path: path))
    default: break
    }
    var leaf = PropertyListValue.boolean(false)
    do throws(SchedulerError) {
      leaf = try PropertyListValue(value)
    } catch {
      throw SchedulerError(error.code, field: path, error.reason)
    }
    switch leaf {
    case .string(let value): return .string(value)
    case .integer(let value): return .integer(value)
    case .double(let value) where value.isFinite: return .double(value)
    case .double: throw SchedulerError(.outOfRange, field: path, "JSON has finite numbers only")
    case .boolean(let value): return .boolean(value)
    default: throw SchedulerError(.wrongType, field: path, "JSON has no dates and no data")
    }
  }

  private static func read(_ items: [Any], path: String) throws(SchedulerError) -> [Self] {
    var elements: [Self] = []
    elements.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      elements.append(try read(item, path: "\(path)[\(index)]"))
    }
    return elements
  }

  private static func read(
    _ pairs: [AnyHashable: Any], path: String
  ) throws(SchedulerError) -> [String: Self] {
    var read: [String: Self] = [:]
    for (key, value) in pairs {
      guard let name = key.base as? String else {
        throw SchedulerError(.wrongType, field: path, "the key \(key) is no string")
      }
      read[name] = try Self.read(value, path: path.isEmpty ? name : "\(path).\(name)")
    }
    return read
  }
}
