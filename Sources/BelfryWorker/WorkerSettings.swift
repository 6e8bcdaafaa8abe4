import BelfryCore
import BelfrySystem
import BelfryWire

/// The host's own keys of a `[plugin:NAME]` section.
struct WorkerSettings {
  /// Bytes of private writable memory that the plugin may have; 0: no limit.
  var memory: UInt64 = 256 << 20
  var uid: UInt32?
  var gid: UInt32?
  /// nil: whom the clock says.
  var identity: Child.Identity? {
    uid.map { Child.Identity(uid: $0, gid: gid ?? $0) }
  }
  /// What is left for the plugin.
  var plugin: [Setting] = []

  init(_ settings: [Setting]) throws(WorkerError) {
    for setting in settings {
      switch PluginHostKey(rawValue: setting.key) {
      case .file: break
      case .memory: memory = try Self.size(setting.value)
      case .uid: uid = try Self.identity(setting)
      case .gid: gid = try Self.identity(setting)
      case nil: plugin.append(setting)
      }
    }
    if gid != nil, uid == nil {
      throw WorkerError(.settings, "`gid` is given without `uid`: give both, or `uid` alone")
    }
  }

  /// Bytes of `256M`, `1G`, `65536K` or a plain number.
  static func size(_ text: String) throws(WorkerError) -> UInt64 {
    guard case .integer(let bytes)? = PluginHostKey.memory.values.read(text) else {
      throw WorkerError(
        .settings, "`memory = \(text)` is no size: write such as 64M, or 0 for none")
    }
    return UInt64(bytes)
  }

  private static func identity(_ setting: Setting) throws(WorkerError) -> UInt32 {
    guard let number = UInt32(setting.value), number != .max else {
      throw WorkerError(
        .settings,
        "`\(setting.key) = \(setting.value)` is no number: write such "
          + "as 65534")
    }
    return number
  }
}
