// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

// Where apps of Swift 1 and 2 keep what they scheduled.

@available(*, deprecated, renamed: "UserDefaults")
public typealias NSUserDefaults = UserDefaults

extension UserDefaults {
  @available(*, deprecated, renamed: "getter:UserDefaults.standard()")
  public class func standardUserDefaults() -> UserDefaults { standard }

  @available(*, deprecated, renamed: "set(_:forKey:)")
  public func setObject(_ value: Any?, forKey key: String) { set(value, forKey: key) }
  @available(*, deprecated, renamed: "set(_:forKey:)")
  public func setInteger(_ value: Int, forKey key: String) { set(value, forKey: key) }
  @available(*, deprecated, renamed: "set(_:forKey:)")
  public func setBool(_ value: Bool, forKey key: String) { set(value, forKey: key) }
  @available(*, deprecated, renamed: "set(_:forKey:)")
  public func setDouble(_ value: Double, forKey key: String) { set(value, forKey: key) }

  @available(*, deprecated, renamed: "object(forKey:)")
  public func objectForKey(_ key: String) -> Any? { object(forKey: key) }
  @available(*, deprecated, renamed: "integer(forKey:)")
  public func integerForKey(_ key: String) -> Int { integer(forKey: key) }
  @available(*, deprecated, renamed: "bool(forKey:)")
  public func boolForKey(_ key: String) -> Bool { bool(forKey: key) }
  @available(*, deprecated, renamed: "double(forKey:)")
  public func doubleForKey(_ key: String) -> Double { double(forKey: key) }
  @available(*, deprecated, renamed: "string(forKey:)")
  public func stringForKey(_ key: String) -> String? { string(forKey: key) }
  @available(*, deprecated, renamed: "data(forKey:)")
  public func dataForKey(_ key: String) -> Data? { data(forKey: key) }
  @available(*, deprecated, renamed: "array(forKey:)")
  public func arrayForKey(_ key: String) -> [Any]? { array(forKey: key) }
  @available(*, deprecated, renamed: "dictionary(forKey:)")
  public func dictionaryForKey(_ key: String) -> [String: Any]? { dictionary(forKey: key) }
  @available(*, deprecated, renamed: "removeObject(forKey:)")
  public func removeObjectForKey(_ key: String) { removeObject(forKey: key) }
}

extension NSKeyedArchiver {
  @available(*, deprecated, renamed: "archivedData(withRootObject:)")
  public class func archivedDataWithRootObject(_ object: Any) -> Data {
    archivedData(withRootObject: object)
  }
}

extension NSKeyedUnarchiver {
  @available(*, deprecated, renamed: "unarchiveObject(with:)")
  public class func unarchiveObjectWithData(_ data: Data) -> Any? { unarchiveObject(with: data) }
}

@available(*, deprecated, renamed: "Bundle")
public typealias NSBundle = Bundle

extension Bundle {
  @available(*, deprecated, renamed: "getter:Bundle.main()")
  public class func mainBundle() -> Bundle { main }
}

extension NSUUID {
  @available(*, deprecated, renamed: "uuidString")
  public var UUIDString: String { uuidString }
}
