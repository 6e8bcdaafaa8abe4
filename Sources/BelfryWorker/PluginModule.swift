import BelfryCore
import BelfryWire
import CLoader
import CPlugin

/// A loaded plugin: its descriptor, checked. Nothing of it has been started; it is never unloaded.
struct PluginModule {
  let descriptor: UnsafePointer<belfry_descriptor>
  let keys: [PluginKey]
  let capabilities: [String]
  let delivery: UnsafePointer<belfry_delivery_1>?
  let badge: UnsafePointer<belfry_badge_1>?
  let health: UnsafePointer<belfry_health_1>?
  let calendar: UnsafePointer<belfry_calendar_1>?
  let input: UnsafePointer<belfry_input_1>?
  let push: UnsafePointer<belfry_push_1>?
  let settings: UnsafePointer<belfry_settings_1>?
  /// Names of the calendars that it knows.
  let calendars: [String]

  static let abi = "\(BELFRY_ABI_MAJOR).\(BELFRY_ABI_MINOR)"

  /// Loads the shared object at `path` and asks it what it is.
  static func load(_ path: String) throws(WorkerError) -> PluginModule {
    guard let handle = cloader_open(path) else {
      throw WorkerError(.load, "\(path) cannot be loaded: \(String(cString: cloader_error()))")
    }
    guard let symbol = cloader_symbol(handle, "belfry_plugin_entry") else {
      throw WorkerError(
        .load,
        "\(path) does not export belfry_plugin_entry: it is no plugin of Belfry's, or its linker "
          + "was told to hide that function")
    }
    typealias Entry = @convention(c) (UInt32) -> UnsafePointer<belfry_descriptor>?
    let entry = unsafeBitCast(symbol, to: Entry.self)
    guard let descriptor = entry(UInt32(BELFRY_ABI_MAJOR) << 16 | UInt32(BELFRY_ABI_MINOR)) else {
      throw WorkerError(
        .contract,
        "\(path) gave no descriptor: it does not want a host of ABI \(abi); use a version of the "
          + "plugin made for that, or another Belfry")
    }
    return try PluginModule(path, descriptor)
  }

  private init(
    _ path: String, _ descriptor: UnsafePointer<belfry_descriptor>
  ) throws(WorkerError) {
    let value = descriptor.pointee
    // Both stand in the first eight bytes, which every version has.
    guard value.abi_major == UInt16(BELFRY_ABI_MAJOR) else {
      throw WorkerError(
        .contract,
        "\(path) was made for ABI \(value.abi_major).\(value.abi_minor) and this worker speaks "
          + "\(Self.abi): rebuild the plugin with this Belfry's plugin.h, or install a Belfry that "
          + "speaks \(value.abi_major)")
    }
    try Self.requireSize(value.size, MemoryLayout<belfry_descriptor>.size, "descriptor")
    guard value.id.size > 0, value.extension_count <= 64, value.config_key_count <= 256 else {
      throw WorkerError(
        .contract,
        "the plugin's descriptor needs an id, at most 64 extensions and at most 256 keys: "
          + "mend the plugin")
    }
    self.descriptor = descriptor
    let offered = UnsafeBufferPointer(start: value.extensions, count: Int(value.extension_count))
    capabilities = offered.map { $0.id.line(limit: 64) }
    delivery = try Self.find(BELFRY_DELIVERY_1, offered)
    badge = try Self.find(BELFRY_BADGE_1, offered)
    health = try Self.find(BELFRY_HEALTH_1, offered)
    calendar = try Self.find(BELFRY_CALENDAR_1, offered)
    calendars = try calendar.map(Self.names) ?? []
    input = try Self.find(BELFRY_INPUT_1, offered)
    push = try Self.find(BELFRY_PUSH_1, offered)
    settings = try Self.find(BELFRY_SETTINGS_1, offered)
    keys = try PluginKey.all(value)
  }

  private static func find<Functions>(
    _ id: String, _ offered: UnsafeBufferPointer<belfry_extension>
  ) throws(WorkerError) -> UnsafePointer<Functions>? {
    for candidate in offered where ByteString(candidate.id.line(limit: 64)) == ByteString(id) {
      guard let functions = candidate.functions else {
        throw WorkerError(.contract, "the plugin lists \(id) without functions: mend the plugin")
      }
      let size = functions.load(as: UInt32.self)
      try requireSize(size, MemoryLayout<Functions>.size, id)
      // The first function, the one that must be there, follows eight bytes in each of them.
      guard functions.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) != nil else {
        throw WorkerError(
          .contract, "the first function of the plugin's \(id) is NULL: mend the plugin")
      }
      return functions.assumingMemoryBound(to: Functions.self)
    }
    return nil
  }

  private static func names(
    of functions: UnsafePointer<belfry_calendar_1>
  ) throws(WorkerError) -> [String] {
    let count = Int(functions.pointee.calendar_count)
    guard count <= 64 else {
      throw WorkerError(
        .contract, "the plugin lists \(count) calendars and 64 are allowed: mend the plugin")
    }
    return UnsafeBufferPointer(start: functions.pointee.calendars, count: count).map {
      $0.line(limit: 64)
    }
  }

  private static func requireSize(
    _ size: UInt32, _ needed: Int, _ what: String
  ) throws(WorkerError) {
    guard Int(size) >= needed else {
      throw WorkerError(
        .contract,
        "the plugin's \(what) says that it has " + counted(size, "byte")
          + " and ABI \(abi) needs \(needed): set its size to sizeof of the struct and rebuild the plugin"
      )
    }
  }

  /// How many deliveries it works on at a time; 0: it does not say.
  private var concurrency: Int64 {
    // What an older one has there is no number.
    guard let delivery, descriptor.pointee.abi_minor >= 4 else { return 0 }
    return Int64(min(delivery.pointee.concurrency, 64))
  }

  /// What the plugin says of itself.
  func summary(wantsEverything: Bool) -> PluginSummary {
    let value = descriptor.pointee
    return PluginSummary(
      id: value.id.line(limit: 255), name: value.name.line(limit: 255),
      version: value.version.line(limit: 64), vendor: value.vendor.line(limit: 255),
      licence: value.licence.line(limit: 255), capabilities: capabilities,
      wantsEverything: wantsEverything, calendars: calendars, concurrency: concurrency)
  }
}
